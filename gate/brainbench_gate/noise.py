"""Noise: several replays of one ground settled to one document, before any rule sees it. Pure.

Each metric, count and item takes the committed value where that lies within the spread of the
replays, else main's where that does, else the median or the majority. Leaks take the maximum.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import median_low
from typing import TYPE_CHECKING

from brainbench_gate.baseline import build_baseline
from brainbench_gate.rules import ISOLATION
from brainbench_schema.baseline import Baseline, Counts, Items
from brainbench_schema.numbers import format_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from brainbench_gate.measured import Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """A baseline whose values count where the replays allow them, with its items file."""

    baseline: Baseline
    items: Items | None = None


def settle(runs: Sequence[Measured], accepted: Iterable[Accepted] = ()) -> Measured:
    """Make one run of several replays of the same ground.

    Args:
        runs: One or more; the rows of the one with most leaks stand for all.
        accepted: Committed and main's, in this order; those of other ground have no say.
    """
    if len(runs) == 1:
        return runs[0]
    documents = [build_baseline(run.result) for run in runs]
    usable = [one for one in accepted if _same_ground(one.baseline, documents[0])]
    shown = max(zip(runs, documents, strict=True), key=lambda pair: _leaks(pair[1]))[0]
    return replace(
        shown,
        numbers=_settle_numbers(documents, [one.baseline for one in usable]),
        failed=_settle_items(runs, [one.items for one in usable if one.items]),
        unstable=(*_unstable_numbers(documents), *_unstable_items(runs)),
    )


def _same_ground(one: Baseline, other: Baseline) -> bool:
    return (one.fixtures_hash, one.config) == (other.fixtures_hash, other.config)


def _leaks(document: Baseline) -> float:
    return sum(metrics.get(ISOLATION, 0) for metrics in document.cells.values())


def _settle_numbers(documents: Sequence[Baseline], accepted: Sequence[Baseline]) -> Baseline:
    first = documents[0]
    return replace(
        first,
        cells={
            cell: {
                metric: _settle_metric(cell, metric, documents, accepted)
                for metric in _shared(document.cells[cell] for document in documents)
            }
            for cell in _shared(document.cells for document in documents)
        },
        counts={
            cell: _settle_counts(cell, documents, accepted)
            for cell in _shared(document.counts for document in documents)
        },
    )


def _settle_metric(
    cell: str, metric: str, documents: Sequence[Baseline], accepted: Sequence[Baseline]
) -> float:
    values = [document.cells[cell][metric] for document in documents]
    if metric == ISOLATION:
        return max(values)
    return settle_value(values, [one.cells.get(cell, {}).get(metric) for one in accepted])


def _settle_counts(
    cell: str, documents: Sequence[Baseline], accepted: Sequence[Baseline]
) -> Counts:
    counts = [document.counts[cell] for document in documents]
    known = [one.counts[cell] for one in accepted if cell in one.counts]
    return Counts(
        gold_total=int(_settle_count("gold_total", counts, known)),
        gold_failed=int(_settle_count("gold_failed", counts, known)),
    )


def _settle_count(name: str, counts: Sequence[Counts], known: Sequence[Counts]) -> float:
    values, accepted = [[getattr(count, name) for count in some] for some in (counts, known)]
    return settle_value(values, accepted)


def settle_value(values: Sequence[float], accepted: Iterable[float | None]) -> float:
    """Give the first accepted value within the spread, else the (lower) median."""
    low, high = min(values), max(values)
    within = (value for value in accepted if value is not None and low <= value <= high)
    return next(within, median_low(values))


def _settle_items(
    runs: Sequence[Measured], accepted: Sequence[Items]
) -> dict[str, tuple[str, ...]]:
    settled = {}
    for cell in _shared(run.failed for run in runs):
        known = next((set(one.cells[cell]) for one in accepted if cell in one.cells), None)
        settled[cell] = tuple(
            item for item, fails in _tally(runs, cell) if _fails(item, fails, len(runs), known)
        )
    return settled


def _tally(runs: Sequence[Measured], cell: str) -> Iterator[tuple[str, int]]:
    """Count for each item that ever failed in how many replays it did."""
    lists = [set(run.failed[cell]) for run in runs]
    for item in sorted(set().union(*lists)):
        yield item, sum(item in failed for failed in lists)


def _fails(item: str, fails: int, runs: int, known: set[str] | None) -> bool:
    if fails == runs:
        return True
    return item in known if known is not None else fails * 2 >= runs


def _unstable_numbers(documents: Sequence[Baseline]) -> Iterator[str]:
    for cell in _shared(document.cells for document in documents):
        for metric in _shared(document.cells[cell] for document in documents):
            values = [document.cells[cell][metric] for document in documents]
            if min(values) != max(values):
                low, high = format_number(min(values)), format_number(max(values))
                yield f"{cell} {metric}: {low} to {high}"


def _unstable_items(runs: Sequence[Measured]) -> Iterator[str]:
    for cell in _shared(run.failed for run in runs):
        for item, fails in _tally(runs, cell):
            if fails != len(runs):
                yield f"{item} ({cell}): fails in {fails} of {len(runs)}"


def _shared(names: Iterable[Iterable[str]]) -> list[str]:
    """Names that every replay has, sorted; what one of them lacks was not measured."""
    sets = [set(one) for one in names]
    return sorted(set.intersection(*sets))
