"""The conformance check of a memory system: the preflight step by step, then a tiny corpus."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from brainbench_gate.bench import measuring
from brainbench_replay.systems.entries import BUILT_IN, find_entry
from brainbench_replay.systems.opening import open_external
from brainbench_replay.systems.preflight import list_checks
from brainbench_replay.systems.protocol import CAPABILITIES
from brainbench_replay.systems.tiny import tiny_corpus
from brainbench_schema.errors import BrainbenchError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_gate.measured import Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that was checked. `text` says what is wrong and what to do, where it failed."""

    name: str
    passed: bool
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """What came out.

    Attributes:
        items: Gold items of the tiny corpus that it was asked.
        failed: Ids of those it missed, each once, whatever the harness.
        skipped: What it was not asked, with the reason.
    """

    name: str
    kind: str
    version: str
    capabilities: tuple[str, ...]
    steps: tuple[Step, ...]
    items: int = 0
    failed: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()

    @property
    def conforms(self) -> bool:
        """Whether a run could measure it."""
        return all(step.passed for step in self.steps)

    def to_json(self) -> dict[str, Any]:
        """Give the report as a document."""
        return {
            "name": self.name,
            "kind": self.kind,
            "version": self.version,
            "capabilities": list(self.capabilities),
            "conforms": self.conforms,
            "steps": [
                {"name": step.name, "passed": step.passed, "text": step.text} for step in self.steps
            ],
            "items": self.items,
            "failed": list(self.failed),
            "skipped": list(self.skipped),
        }


def check_system(plan: measuring.Plan) -> CheckReport:
    """Check the system of a plan.

    Raises:
        UsageError: There is no such system, or it is a foreign runner, which has no memory to ask.
    """
    name, entry = find_entry(plan.system, plan.systems)
    if entry.kind == "result":
        raise UsageError(f"{name} is a foreign runner: `brainbench run` shows what it writes")
    report = CheckReport(name=name, kind=entry.kind, version="", capabilities=(), steps=())
    if entry.kind not in BUILT_IN:
        report = _check_protocol(plan, report)
    return _ask_tiny_corpus(plan, report) if report.conforms else report


def _check_protocol(plan: measuring.Plan, report: CheckReport) -> CheckReport:
    name, entry = find_entry(plan.system, plan.systems)
    steps: list[Step] = []
    try:
        with open_external(name, entry, folder=plan.folder, sealed=plan.sealed) as system:
            steps.append(Step(name="it starts and tells what it is", passed=True))
            report = replace(
                report,
                version=system.info.version,
                capabilities=tuple(sorted(system.capabilities)),
            )
            for title, check in list_checks(system, plan.harnesses):
                steps.append(_try(title, check))
                if not steps[-1].passed:
                    break
    except BrainbenchError as error:
        steps.append(Step(name="it starts and tells what it is", passed=False, text=str(error)))
    return replace(report, steps=tuple(steps))


def _try(title: str, check: Any) -> Step:
    try:
        check()
    except BrainbenchError as error:
        return Step(name=title, passed=False, text=str(error))
    return Step(name=title, passed=True)


def _ask_tiny_corpus(plan: measuring.Plan, report: CheckReport) -> CheckReport:
    try:
        measured = measuring.measure(tiny_corpus(), plan)
    except BrainbenchError as error:
        step = Step(name="it answers a tiny corpus", passed=False, text=str(error))
        return replace(report, steps=(*report.steps, step))
    info = measured.result.system
    return replace(
        report,
        version=info.version,
        capabilities=tuple(sorted(measured.capabilities)),
        steps=(*report.steps, Step(name="it answers a tiny corpus", passed=True)),
        items=_count_items(measured),
        failed=tuple(sorted({item for ids in measured.failed.values() for item in ids})),
        skipped=tuple(_skipped(measured)),
    )


def _count_items(measured: Measured) -> int:
    by_suite = {cell.suite: cell.gold_total for cell in measured.result.cells}
    return sum(by_suite.values())


def _skipped(measured: Measured) -> Iterator[str]:
    for capability in CAPABILITIES:
        if capability not in measured.capabilities:
            yield f"{capability}: not among its capabilities"
    reasons = {f"{entry.harness}: {entry.reason}" for entry in measured.result.skipped}
    yield from sorted(reason for reason in reasons if "does not support" not in reason)
