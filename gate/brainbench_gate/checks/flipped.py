"""Items, not only counts: a newly failed item is a breach even where another was fixed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.findings import Comparison, Finding, Status
from brainbench_gate.rules import Breach

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from brainbench_gate.items import CellItems
    from brainbench_gate.measured import Measured
    from brainbench_schema.baseline import Baseline

NAME = "items"


def check(comparison: Comparison) -> Finding:
    """Breach for each cell with a newly failed item, a new wrong push, or no list of items."""
    main, on_base = comparison.main_items, comparison.run_on_base
    breaches = list(_find_unlisted(comparison))
    if main is not None:
        breaches += _find_breaches(comparison.items, main.cells, comparison.judged_run.failed)
    if on_base is not None:
        breaches += _find_breaches(comparison.ground_items, on_base.failed, comparison.run.failed)
    lines = tuple(_describe(comparison))
    unlisted = tuple(f"no rows tell the items of {one.cell}" for one in breaches if _is_gone(one))
    flips = [*comparison.items, *comparison.ground_items]
    failed = len({item for entry in flips for item in entry.newly_failed})
    fixed = len({item for entry in comparison.items for item in entry.newly_fixed})
    if breaches:
        return Finding(
            name=NAME,
            status=Status.FAIL,
            text=f"{failed} newly failed, {fixed} newly fixed",
            lines=(*lines, *unlisted),
            breaches=tuple(dict.fromkeys(breaches)),
        )
    if main is None:
        return Finding(name=NAME, status=Status.NOTE, text="main has no item list to compare with")
    return Finding(name=NAME, status=Status.PASS, text=f"none newly failed, {fixed} newly fixed")


def _find_unlisted(comparison: Comparison) -> Iterator[Breach]:
    """Breach for each cell that is still counted and whose items can't be told any more."""
    pairs: list[tuple[Mapping[str, tuple[str, ...]], Measured, Baseline]] = []
    if comparison.main_items is not None:
        pairs.append((comparison.main_items.cells, comparison.judged_run, comparison.judged))
    if comparison.run_on_base is not None:
        pairs.append((comparison.run_on_base.failed, comparison.run, comparison.current))
    for before, run, document in pairs:
        for cell in sorted((before.keys() - run.failed.keys()) & document.counts.keys()):
            yield Breach(cell=cell, metric="items", baseline=len(before[cell]), current=None)


def _is_gone(breach: Breach) -> bool:
    return breach.current is None


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
