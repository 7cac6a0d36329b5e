"""A result as a Markdown table: failed/gold and every metric, cell by cell. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from brainbench_gate.recall_view import RECALL_SUITES
from brainbench_schema.numbers import format_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from brainbench_schema.baseline import Baseline
    from brainbench_schema.result import Cell, Result

COLUMNS = {
    "know_to_ask_failure_rate": "missed",
    "false_fire_rate": "false fires",
    "push_precision": "precision",
    "push_recall": "recall",
    "write_back_fidelity": "fidelity",
    "provenance_accuracy": "provenance",
    "continuity_rate": "recalled",
    "source_isolation_violations": "leaks",
    "avg_injected_tokens": "tokens",
    "exact_match": "exact",
    "substring_match": "substring",
    "semantic_placeholder_score": "likeness",
    "evidence_recall": "evidence",
    "temporal_order_score": "in order",
    "contradiction_resolution_score": "resolved",
    "contradiction_returned_rate": "returned",
    "flagged_rate": "flagged",
    "returned_memories": "memories",
    "answer_chars": "characters",
}
"""Short names of the metrics, in the order they are shown."""

CONTRACT_FOOTNOTE = (
    "`contract` rows replay the harness's injection shape; they do not run the harness itself."
)


def render_scoreboard(
    result: Result, main: Baseline | None = None, *, write: Callable[[str], str] = str
) -> str:
    """Write the scoreboard of a result.

    Args:
        main: The baseline whose numbers the changes are shown against.
        write: Makes a name safe to show where the text goes.
    """
    rows = [_row(cell, main, write) for cell in result.cells]
    rows += [
        [write(entry.harness), write(entry.suite), "", "SKIPPED", write(entry.reason)]
        for entry in result.skipped
    ]
    table = render_table(["harness", "suite", "seam", "failed/gold", "metrics"], rows)
    notes = [CONTRACT_FOOTNOTE] if any(map(replays_a_shape, result.cells)) else []
    return "\n\n".join([table, *notes])


def replays_a_shape(cell: Cell) -> bool:
    """Tell whether a cell's row needs the footnote: the second benchmark has no harness at all."""
    return cell.seam == "contract" and cell.suite not in RECALL_SUITES


def render_table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a GitHub Markdown table; cells are taken as Markdown and kept on one line."""
    from tabulate import tabulate

    escaped = [[one_line(cell) for cell in row] for row in rows]
    return str(tabulate(escaped, list(headers), tablefmt="github", disable_numparse=True))


def one_line(text: str) -> str:
    """Keep a table cell in its cell: no line ends, no bare pipe."""
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))


def _row(cell: Cell, main: Baseline | None, write: Callable[[str], str]) -> list[str]:
    before = main.cells.get(cell.key, {}) if main else {}
    shown = [
        f"{label} {_metric(cell.metrics[name], before.get(name))}"
        for name, label in COLUMNS.items()
        if name in cell.metrics
    ]
    shown += [
        f"{write(name)} {_metric(value, before.get(name))}"
        for name, value in sorted(cell.metrics.items())
        if name not in COLUMNS
    ]
    counts = f"{cell.gold_failed}/{cell.gold_total}"
    return [write(cell.harness), write(cell.suite), cell.seam, counts, " · ".join(shown)]


def _metric(value: float, before: float | None) -> str:
    if before is None or before == value:
        return format_number(value)
    sign = "+" if value > before else "−"
    return f"{format_number(value)} ({sign}{format_number(round(abs(value - before), 4))})"
