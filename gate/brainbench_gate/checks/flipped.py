"""Items, not only counts: a newly failed item is a breach even where another was fixed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.findings import Comparison, Finding, Status
from brainbench_gate.rules import Breach

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from brainbench_gate.items import CellItems

NAME = "items"


def check(comparison: Comparison) -> Finding:
    """Breach for each cell with a newly failed item or a new wrong push."""
    main, on_base = comparison.main_items, comparison.run_on_base
    breaches: list[Breach] = []
    if main is not None:
        breaches += _find_breaches(comparison.items, main.cells, comparison.judged_run.failed)
    if on_base is not None:
        breaches += _find_breaches(comparison.ground_items, on_base.failed, comparison.run.failed)
    lines = tuple(_describe(comparison))
    fixed = sum(len(entry.newly_fixed) for entry in comparison.items)
    if breaches:
        return Finding(
            name=NAME,
            status=Status.FAIL,
            text=f"{len(lines)} newly failed, {fixed} newly fixed",
            lines=lines,
            breaches=tuple(dict.fromkeys(breaches)),
        )
    if main is None:
        return Finding(name=NAME, status=Status.NOTE, text="main has no item list to compare with")
    return Finding(name=NAME, status=Status.PASS, text=f"none newly failed, {fixed} newly fixed")


def _find_breaches(
    entries: Iterable[CellItems],
    before: Mapping[str, tuple[str, ...]],
    after: Mapping[str, tuple[str, ...]],
) -> Iterator[Breach]:
    for entry in entries:
        if entry.newly_failed:
            counts = len(before[entry.cell]), len(after[entry.cell])
            yield Breach(cell=entry.cell, metric="items", baseline=counts[0], current=counts[1])


def _describe(comparison: Comparison) -> Iterator[str]:
    for what, entries in (
        ("newly failed", comparison.items),
        ("fails on the new ground", comparison.ground_items),
    ):
        for entry in entries:
            yield from (f"{what}: {item} ({entry.cell})" for item in entry.newly_failed)
