"""Nothing vanishes: a gated metric that main carries has to be there still."""

from __future__ import annotations

from brainbench_gate.findings import Comparison, Finding, Status
from brainbench_gate.rules import GATED, Breach

NAME = "nothing-vanishes"


def check(comparison: Comparison) -> Finding:
    """Breach for each gated metric of main's cells that the same cell lacks now."""
    main, current = comparison.main, comparison.current_on_base
    if main is None or current is None:
        return Finding(name=NAME, status=Status.NOTE, text="not measured against main")
    gated = {**GATED, **comparison.policy.gated}
    gone = tuple(
        Breach(cell=cell, metric=metric, baseline=value, current=None)
        for cell, metrics in main.cells.items()
        if cell in current.cells
        for metric, value in metrics.items()
        if metric in gated
        and metric not in current.cells[cell]
        and not _was_empty(comparison, cell, metric)
    )
    if gone:
        text = "gated metrics of main are missing from this run"
        lines = tuple(f"{breach.cell} {breach.metric}" for breach in gone)
        return Finding(name=NAME, status=Status.FAIL, text=text, lines=lines, breaches=gone)
    return Finding(name=NAME, status=Status.PASS, text="every gated metric of main was measured")


def _was_empty(comparison: Comparison, cell: str, metric: str) -> bool:
    """Whether a metric's value on main was only the convention for an empty denominator."""
    assert comparison.main is not None
    metrics = comparison.main.cells[cell]
    match metric:
        case "provenance_accuracy":
            return metrics.get("write_back_fidelity") == 0
        case "push_precision":
            return metrics.get("push_recall") == 0 and metrics[metric] == 1
        case _:
            survey = comparison.base_survey
            return survey is not None and metric in survey.empty_metrics
