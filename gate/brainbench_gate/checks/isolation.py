"""No page of an inactive source may be injected; no reason lifts this."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.findings import Comparison, Finding, Status
from brainbench_gate.recall_view import RECALL_SUITES
from brainbench_gate.rules import ISOLATION, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from brainbench_gate.measured import Measured
    from brainbench_schema.baseline import Baseline

NAME = "isolation"


def check(comparison: Comparison) -> Finding:
    """Fail on any leak, on the tree's ground or on base's."""
    documents = [one for one in (comparison.current, comparison.current_on_base) if one is not None]
    return find_leaks(comparison.runs, documents)


def find_leaks(runs: Sequence[Measured], documents: Iterable[Baseline]) -> Finding:
    """Look for leaks in rows and in numbers: a result may come without rows."""
    leaks = sorted(
        {
            f"{row.fixture_id}#{row.turn_id} on {row.harness}: {', '.join(row.cross_source_slugs)}"
            for run in runs
            for row in run.result.turn_rows
            if row.cross_source_slugs
        }
    )
    counted = any(
        metrics.get(ISOLATION, 0) > 0
        for document in documents
        for metrics in document.cells.values()
    )
    if leaks or counted:
        return Finding(
            name=NAME,
            status=Status.FAIL,
            text="pages of a source that was not active were injected; no reason lifts this",
            lines=tuple(leaks),
            verdict=Verdict.REGRESSION,
            reason="isolation",
        )
    if all(suite in RECALL_SUITES for run in runs for suite in run.result.suites):
        return Finding(name=NAME, status=Status.PASS, text="this benchmark has no sources")
    if any("sources" not in run.capabilities for run in runs):
        text = "isolation: not measured, the memory has no notion of a source"
        skipped = dict.fromkeys(
            entry.reason
            for run in runs
            for entry in run.result.skipped
            if "isolation" in entry.reason
        )
        return Finding(name=NAME, status=Status.NOTE, text=text, lines=tuple(skipped))
    return Finding(name=NAME, status=Status.PASS, text="no page leaked between sources")
