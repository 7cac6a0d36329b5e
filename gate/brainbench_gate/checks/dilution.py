"""Dilution: failing items that left, or easy ones that came, are listed as such."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.findings import Comparison, Finding, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_gate.items import CellItems

NAME = "dilution"


def check(comparison: Comparison) -> Finding:
    """Note removed items that failed, and added ones that all pass while failing ones left."""
    lines = tuple(line for entry in comparison.ground_items for line in _dilutes(comparison, entry))
    if lines:
        text = "gold items that failed on main have left the corpus"
        return Finding(name=NAME, status=Status.NOTE, text=text, lines=lines)
    return Finding(name=NAME, status=Status.PASS, text="no failing item left the corpus")


def _dilutes(comparison: Comparison, entry: CellItems) -> Iterator[str]:
    failing = set(entry.removed_failing)
    if comparison.main_items is not None:
        failing |= set(comparison.main_items.cells.get(entry.cell, ())) & set(entry.removed)
    yield from (f"removed while failing: {item} ({entry.cell})" for item in sorted(failing))
    if failing and len(entry.added) == len(entry.removed) and not entry.added_failing:
        yield f"{entry.cell}: the {len(entry.added)} items that replace them all pass"
        yield from (f"added: {item} ({entry.cell})" for item in entry.added)
