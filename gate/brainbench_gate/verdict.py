"""The verdict: one document, from which terminal text, Markdown, JSON and exit code all come."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from brainbench_gate.findings import Finding, Status
from brainbench_gate.justification import STATES, Assessment, assess
from brainbench_gate.rules import ISOLATION, Breach, Judgement, Mode, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from brainbench_gate.items import CellItems, ItemDetail

SEVERITY = (Verdict.PASS, Verdict.REGRESSION, Verdict.INCONCLUSIVE)
EXIT_CODES = {Verdict.PASS: 0, Verdict.REGRESSION: 1, Verdict.INCONCLUSIVE: 2}
BOOTSTRAP = "bootstrap"
UNLIFTABLE = frozenset({"isolation", "floor"})
"""Reasons that no justification lifts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkVerdict:
    """What one benchmark comes to.

    Attributes:
        reason: A short code for machines.
        breaches: Every adverse finding, of the core rules and of the checks.
        items: What became of each gold item against main.
        details: The flipped items, for a reader.
        checks: The added checks' lines.
        assessment: What was found about the justification; None where it plays no part.
    """

    name: str
    mode: Mode
    verdict: Verdict
    reason: str
    breaches: tuple[Breach, ...] = ()
    items: tuple[CellItems, ...] = ()
    details: tuple[ItemDetail, ...] = ()
    checks: tuple[Finding, ...] = ()
    assessment: Assessment | None = None
    notes: tuple[str, ...] = ()

    @property
    def newly_failed(self) -> tuple[str, ...]:
        """Cell and id of each newly failed item."""
        return tuple(f"{entry.cell} {item}" for entry in self.items for item in entry.newly_failed)

    @property
    def newly_fixed(self) -> tuple[str, ...]:
        """Cell and id of each newly fixed item."""
        return tuple(f"{entry.cell} {item}" for entry in self.items for item in entry.newly_fixed)

    @property
    def failed_ids(self) -> frozenset[str]:
        """Each newly failed item once, in however many cells it fails."""
        return frozenset(item for entry in self.items for item in entry.newly_failed)

    @property
    def fixed_ids(self) -> frozenset[str]:
        """Each newly fixed item once, in however many cells it passes."""
        return frozenset(item for entry in self.items for item in entry.newly_fixed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where base and head of a comparison come from; the first line of every report.

    Attributes:
        why: Why this base, in words that follow "because".
        baseline_age_commits: Commits since base's baseline last changed; None where unknown.
    """

    base_ref: str
    base_commit: str
    why: str
    head_commit: str
    fixtures_hash: str
    baseline_blob: str | None = None
    baseline_age_commits: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictDocument:
    """The verdict of a run over all its benchmarks: the worst of them."""

    benchmarks: tuple[BenchmarkVerdict, ...]
    provenance: Provenance
    gate: str = "main"
    hints: tuple[str, ...] = field(default_factory=tuple)

    @property
    def worst(self) -> BenchmarkVerdict:
        """The benchmark that decides; of equal verdicts the one with more to review."""
        return max(self.benchmarks, key=_weigh)

    @property
    def verdict(self) -> Verdict:
        """The overall verdict."""
        return self.worst.verdict

    @property
    def exit_code(self) -> int:
        """0 pass, 1 regression, 2 inconclusive."""
        return EXIT_CODES[self.verdict]

    @property
    def headline(self) -> str:
        """The verdict in plain words; what got worse is counted over all benchmarks."""
        return headline(self.worst, *self.alike)

    @property
    def alike(self) -> tuple[BenchmarkVerdict, ...]:
        """The other benchmarks with the reason of the one that decides."""
        worst = self.worst
        return tuple(
            one for one in self.benchmarks if one is not worst and one.reason == worst.reason
        )

    def to_json(self) -> dict[str, Any]:
        """Give the document as JSON-ready values."""
        return {
            "verdict": self.verdict.value,
            "reason": self.worst.reason,
            "headline": self.headline,
            "gate": self.gate,
            "provenance": _plain(self.provenance),
            "benchmarks": [_benchmark(one) for one in self.benchmarks],
            "hints": list(self.hints),
        }

    def serialize(self) -> bytes:
        """Write the document as UTF-8 JSON with a final newline."""
        return (json.dumps(self.to_json(), indent=2, ensure_ascii=False) + "\n").encode()


def _weigh(one: BenchmarkVerdict) -> tuple[int, bool, bool]:
    worse = any(breach.cell not in STATES for breach in one.breaches)
    return SEVERITY.index(one.verdict), worse, bool(one.breaches)


def headline(one: BenchmarkVerdict, *alike: BenchmarkVerdict) -> str:
    """Say a verdict in plain words; terms of the rules stand in the details.

    Args:
        alike: Other benchmarks with the same reason, which are counted along.
    """
    match one.verdict:
        case Verdict.INCONCLUSIVE:
            return f"Could not judge: {_why(one)}"
        case Verdict.REGRESSION if one.reason in ("isolation", "floor"):
            return f"Worse: {_why(one)}"
        case Verdict.REGRESSION if one.reason in STATES.values() and one.assessment:
            return f"Needs a reason that names {', '.join(one.assessment.missing)}"
        case Verdict.REGRESSION:
            return f"Worse: {count_worse([one, *alike])}"
    if one.reason == BOOTSTRAP:
        return "Not gating yet: main has no baseline"
    if any(breach.cell not in STATES for breach in one.breaches):
        return "Worse, with a reason to review"
    return "Holds, with a reason to review" if one.breaches else "Holds"


def count_worse(benchmarks: Sequence[BenchmarkVerdict]) -> str:
    """Count what got worse: items, each once, or numbers where no item tells it."""
    items = sum(len(one.failed_ids) for one in benchmarks)
    if items:
        return count_of(items, "item")
    return count_of(sum(len(one.breaches) for one in benchmarks), "number")


def count_of(count: int, noun: str) -> str:
    """Say how many of something: `1 item`, `2 items`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def compose(
    name: str,
    core: Judgement,
    findings: Sequence[Finding],
    *,
    breaches: Iterable[Breach],
    justification: str | None,
    fresh: bool,
    allowance: str | None = None,
    items: tuple[CellItems, ...] = (),
    details: tuple[ItemDetail, ...] = (),
) -> BenchmarkVerdict:
    """Put the core judgement and the checks' findings together; the strictest decides.

    Args:
        breaches: The core rules' adverse findings; those of the checks are added here.
        justification: The committed text.
        fresh: Whether it was written against the base's present baseline.
        allowance: Reason of a local trial.
    """
    everything = tuple(
        dict.fromkeys([*breaches, *(b for finding in findings for b in finding.breaches)])
    )
    open_to_reason = tuple(breach for breach in everything if breach.metric != ISOLATION)
    assessment = assess(justification, open_to_reason, fresh=fresh)
    excused = assessment.holds or bool(allowance and allowance.strip())
    findings = [_excuse(finding) if excused else finding for finding in findings]
    reasoned = _justification_finding(assessment, allowance)
    ruled = (core.verdict, core.reason)
    verdict, reason = choose_strictest(ruled, [*findings, reasoned])
    return BenchmarkVerdict(
        name=name,
        mode=core.mode,
        verdict=verdict,
        reason=reason,
        breaches=everything,
        items=items,
        details=details,
        checks=(*findings, reasoned),
        assessment=assessment,
        notes=core.notes,
    )


def choose_strictest(
    ruled: tuple[Verdict, str], findings: Sequence[Finding]
) -> tuple[Verdict, str]:
    """Give the strictest verdict with its reason; of equal ones the checks' reason is finer."""
    pairs = [*((finding.verdict, finding.reason) for finding in findings), ruled]
    verdict = max((pair[0] for pair in pairs), key=SEVERITY.index)
    if verdict is ruled[0] is Verdict.PASS:
        return ruled
    return next(pair for pair in pairs if pair[0] is verdict)


def _excuse(finding: Finding) -> Finding:
    if finding.breaches and finding.verdict is Verdict.PASS:
        return replace(finding, status=Status.NOTE)
    return finding


def _justification_finding(assessment: Assessment, allowance: str | None) -> Finding:
    name = "justification"
    if not assessment.needed:
        return Finding(name=name, status=Status.PASS, text="none needed")
    lines = [
        *(f"names {breach.cell} {breach.metric}" for breach in assessment.named),
        *(f"does not name {breach.cell} {breach.metric}" for breach in assessment.unnamed),
    ]
    if assessment.holds:
        text = f"to review: {assessment.text}"
        return Finding(name=name, status=Status.NOTE, text=text, lines=tuple(lines))
    if allowance and allowance.strip():
        text = f"none; let pass for a local trial: {allowance}"
        return Finding(name=name, status=Status.NOTE, text=text, lines=tuple(lines))
    return Finding(
        name=name,
        status=Status.FAIL,
        text=_lacking(assessment),
        lines=tuple(lines) if assessment.present else (),
        verdict=Verdict.REGRESSION,
        reason=_lack_code(assessment),
    )


def _lack_code(assessment: Assessment) -> str:
    if assessment.present and not assessment.fresh:
        return "justification-stale"
    states = [breach.cell for breach in assessment.unnamed if breach.cell in STATES]
    others = [breach for breach in assessment.unnamed if breach.cell not in STATES]
    if states and (assessment.holds_but_for_names or not others):
        return STATES[states[0]]
    return "regression"


def _lacking(assessment: Assessment) -> str:
    if not assessment.present:
        return "needed, and none is committed"
    if not assessment.fresh:
        return "stale: it was written for another baseline of main"
    if not assessment.substantial:
        return "a placeholder: say why, in three different words or more beside the names"
    return f"does not name {', '.join(assessment.missing)}, which it must"


def _why(one: BenchmarkVerdict) -> str:
    failing = [finding for finding in one.checks if finding.reason == one.reason]
    return failing[0].text if failing else (one.notes[0] if one.notes else one.reason)


def _benchmark(one: BenchmarkVerdict) -> dict[str, Any]:
    return {
        "name": one.name,
        "mode": one.mode.value,
        "verdict": one.verdict.value,
        "reason": one.reason,
        "headline": headline(one),
        "breaches": [_plain(breach) for breach in one.breaches],
        "items": [_plain(entry) for entry in one.items],
        "details": [_plain(detail) for detail in one.details],
        "checks": [
            {
                "name": finding.name,
                "status": finding.status.value,
                "text": finding.text,
                "lines": list(finding.lines),
            }
            for finding in one.checks
        ],
        "notes": list(one.notes),
    }


def _plain(document: Any) -> dict[str, Any]:
    return {
        name: list(value) if isinstance(value := getattr(document, name), tuple) else value
        for name in document.__dataclass_fields__
    }
