"""Nothing vanishes: a gated metric that main carries has to be there still."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.findings import Comparison, Finding, Status
from brainbench_gate.rules import Breach

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_gate.measured import Survey
    from brainbench_schema.baseline import Baseline

NAME = "nothing-vanishes"


def check(comparison: Comparison) -> Finding:
    """Breach for each gated metric of main's cells that the same cell lacks now.

    On changed ground the tree's run is held against the one on base's ground as well.
    """
    gone = tuple(dict.fromkeys(_find_all(comparison)))
    if gone:
        text = "gated metrics are missing from this run"
        lines = tuple(f"{breach.cell} {breach.metric}" for breach in gone)
        return Finding(name=NAME, status=Status.FAIL, text=text, lines=lines, breaches=gone)
    if comparison.main is None:
        return Finding(name=NAME, status=Status.NOTE, text="not measured against main")
    return Finding(name=NAME, status=Status.PASS, text="every gated metric of main was measured")


def _find_all(comparison: Comparison) -> Iterator[Breach]:
    if comparison.main is not None:
        yield from _find_gone(comparison, comparison.main, comparison.judged)
    if comparison.moved and comparison.current_on_base is not None:
        yield from _find_gone(comparison, comparison.current_on_base, comparison.current)


def _find_gone(comparison: Comparison, older: Baseline, newer: Baseline) -> Iterator[Breach]:
    for cell, metrics in older.cells.items():
        for metric, value in metrics.items():
            if metric not in comparison.gated or metric in newer.cells.get(cell, {metric: 0}):
                continue
            if not was_empty(metric, metrics, comparison.base_survey):
                yield Breach(cell=cell, metric=metric, baseline=value, current=None)


def was_empty(metric: str, metrics: dict[str, float], survey: Survey | None) -> bool:
    """Tell whether a metric's value was only the convention for an empty denominator.

    Args:
        metrics: All metrics of the cell.
        survey: What follows from the corpus it was measured on.
    """
    match metric:
        case "provenance_accuracy":
            return metrics.get("write_back_fidelity") == 0
        case "push_precision":
            return metrics.get("push_recall") == 0 and metrics[metric] == 1
        case _:
            return survey is not None and metric in survey.empty_metrics
