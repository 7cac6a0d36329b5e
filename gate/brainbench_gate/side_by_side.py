"""Several systems on one corpus, side by side: a row for each metric, a column for each system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.scoreboard import COLUMNS, render_table
from brainbench_schema.fixture import SUITES
from brainbench_schema.numbers import format_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brainbench_schema.result import Cell, Result

NOT_MEASURED = "–"


def render_side_by_side(results: Sequence[Result]) -> str:
    """Write the comparison table of several results, and below it what was not measured and why."""
    names = [result.system.name for result in results]
    tables = [{cell.key: cell for cell in result.cells} for result in results]
    keys = dict.fromkeys(key for table in tables for key in table)
    harnesses = list(dict.fromkeys(key.split("/", 1)[0] for key in keys))
    ordered = sorted(keys, key=lambda key: _place(key, harnesses))
    rows = [row for key in ordered for row in _rows(key, tables)]
    table = render_table(["harness/suite", "", *names], rows)
    return "\n\n".join([table, *_reasons(results)])


def _place(key: str, harnesses: Sequence[str]) -> tuple[int, int]:
    """Order by harness as they came, then by suite as they are declared."""
    harness, suite = key.split("/", 1)
    known = SUITES.index(suite) if suite in SUITES else len(SUITES)
    return harnesses.index(harness), known


def _rows(key: str, tables: Sequence[dict[str, Cell]]) -> Iterator[list[str]]:
    cells = [table.get(key) for table in tables]
    counts = [f"{cell.gold_failed}/{cell.gold_total}" if cell else NOT_MEASURED for cell in cells]
    yield [key, "failed/gold", *counts]
    present = {metric for cell in cells if cell for metric in cell.metrics}
    for metric in [*(name for name in COLUMNS if name in present), *sorted(present - {*COLUMNS})]:
        yield ["", COLUMNS.get(metric, metric), *(_value(cell, metric) for cell in cells)]


def _value(cell: Cell | None, metric: str) -> str:
    if cell is None or metric not in cell.metrics:
        return NOT_MEASURED
    return format_number(cell.metrics[metric])


def _reasons(results: Sequence[Result]) -> list[str]:
    lines = [
        f"- SKIPPED {result.system.name}, {entry.harness}/{entry.suite}: {entry.reason}"
        for result in results
        for entry in result.skipped
    ]
    return ["\n".join(lines)] if lines else []
