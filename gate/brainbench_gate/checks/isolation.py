"""No page of an inactive source may be injected; no reason lifts this."""

from __future__ import annotations

from brainbench_gate.findings import Comparison, Finding, Status
from brainbench_gate.rules import ISOLATION, Verdict

NAME = "isolation"


def check(comparison: Comparison) -> Finding:
    """Fail on any leak, on the tree's ground or on base's."""
    runs = [comparison.run]
    if comparison.run_on_base not in (None, comparison.run):
        runs.append(comparison.run_on_base)
    leaks = sorted(
        {
            f"{row.fixture_id}#{row.turn_id} on {row.harness}: {', '.join(row.cross_source_slugs)}"
            for run in runs
            for row in run.result.turn_rows
            if row.cross_source_slugs
        }
    )
    counted = sum(int(cell.metrics.get(ISOLATION, 0)) for run in runs for cell in run.result.cells)
    if leaks or counted:
        return Finding(
            name=NAME,
            status=Status.FAIL,
            text="pages of a source that was not active were injected; no reason lifts this",
            lines=tuple(leaks),
            verdict=Verdict.REGRESSION,
            reason="isolation",
        )
    if "sources" not in comparison.run.capabilities:
        text = "isolation: not measured, the memory has no notion of a source"
        return Finding(name=NAME, status=Status.NOTE, text=text)
    return Finding(name=NAME, status=Status.PASS, text="no page leaked between sources")
