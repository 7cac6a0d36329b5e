"""Rows → measures → cells: every formula of the benchmark. Pure."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from brainbench_replay.recall.dataset import QUERY_TYPES
from brainbench_replay.recall.evidence import has_failed, is_in_order, latest_of
from brainbench_replay.recall.similarity import Lexical
from brainbench_schema.numbers import round4
from brainbench_schema.result import Cell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from brainbench_schema.result import ItemRow, Result

    Evidence = Mapping[str, Any]

GATED = {
    "exact_match": "higher",
    "temporal_order_score": "higher",
    "contradiction_resolution_score": "higher",
    "evidence_recall": "higher",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A mean with its denominator; there is none where the denominator is zero."""

    part: float
    whole: int

    @property
    def value(self) -> float | None:
        """The unrounded mean; None where nothing was measured."""
        return self.part / self.whole if self.whole else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """Wall time of retrieve in milliseconds; percentiles by nearest rank."""

    mean: float
    p50: float
    p95: float
    p99: float


def fold(text: str) -> str:
    """Bring an answer into the form in which answers are compared."""
    return text.casefold().strip()


def is_exact(evidence: Evidence) -> bool:
    """Tell whether the answer is an expected one; a blank answer never is."""
    answer = fold(evidence["answer"] or "")
    return bool(answer) and answer in {fold(one) for one in evidence["expected"]}


def is_contained(evidence: Evidence) -> bool:
    """Tell whether an expected answer stands somewhere in the answer."""
    answer = fold(evidence["answer"] or "")
    return any(fold(one) and fold(one) in answer for one in evidence["expected"])


def measure(rows: Sequence[ItemRow]) -> dict[str, Measure]:
    """Compute every mean over rows of any query types."""
    answered = [row.evidence for row in rows if any(map(fold, row.evidence["expected"]))]
    backed = [row for row in rows if row.evidence["required"] is not None]
    ordered = [
        row.evidence
        for row in backed
        if row.suite == "temporal" and len(row.evidence["required"]) > 1
    ]
    revised = [row.evidence for row in backed if row.suite == "contradiction"]
    return {
        "exact_match": _share(answered, is_exact),
        "semantic_placeholder_score": _mean(answered, _likeness),
        "substring_match": _share(answered, is_contained),
        "answer_chars": _mean(answered, lambda one: len(one["answer"] or "")),
        "temporal_order_score": _share(ordered, lambda one: is_in_order(one, at_least=2)),
        "contradiction_resolution_score": _share(revised, _is_resolved),
        "contradiction_returned_rate": _share(revised, _is_returned),
        "flagged_rate": _share(revised, lambda one: bool(one["flagged"])),
        "evidence_recall": Measure(
            part=sum(len(row.evidence["found"]) for row in backed),
            whole=sum(len(row.evidence["required"]) for row in backed),
        ),
        "returned_memories": _mean([row.evidence for row in rows], lambda one: one["returned"]),
    }


def measure_latency(rows: Sequence[ItemRow]) -> Latency:
    """Summarise how long retrieve took.

    Raises:
        ValueError: There are no rows.
    """
    times = sorted(float(row.evidence["latency_ms"]) for row in rows)
    if not times:
        raise ValueError("no row, no latency")
    ranks = (times[math.ceil(share * len(times)) - 1] for share in (0.5, 0.95, 0.99))
    p50, p95, p99 = ranks
    return Latency(mean=math.fsum(times) / len(times), p50=p50, p95=p95, p99=p99)


def build_cells(rows: Iterable[ItemRow]) -> list[Cell]:
    """Score every adapter × query type that has a row; nothing but the rows is needed.

    A metric without a denominator is left out, and so is the score of an embedder, which gives
    other bytes on another machine.
    """
    groups: dict[tuple[str, str], list[ItemRow]] = defaultdict(list)
    for row in rows:
        groups[row.harness, row.suite].append(row)
    return [
        _cell(adapter, query_type, groups[adapter, query_type])
        for adapter in dict.fromkeys(adapter for adapter, _ in groups)
        for query_type in QUERY_TYPES
        if (adapter, query_type) in groups
    ]


def list_failed(result: Result) -> dict[str, tuple[str, ...]]:
    """List the ids of the failed items of each cell, sorted, as an items file holds them."""
    failed: dict[str, list[str]] = {cell.key: [] for cell in result.cells}
    for row in result.item_rows:
        if has_failed(row.suite, row.evidence):
            failed[f"{row.harness}/{row.suite}"].append(row.item)
    return {cell: tuple(sorted(items)) for cell, items in sorted(failed.items())}


def _cell(adapter: str, query_type: str, rows: Sequence[ItemRow]) -> Cell:
    measures = measure(rows)
    if any("similarity" in row.evidence for row in rows):
        del measures["semantic_placeholder_score"]
    return Cell(
        suite=query_type,
        harness=adapter,
        seam="contract",
        gold_total=sum(row.evidence["required"] is not None for row in rows),
        gold_failed=sum(has_failed(row.suite, row.evidence) for row in rows),
        metrics={
            name: round4(one.value) for name, one in measures.items() if one.value is not None
        },
        fixtures=tuple(sorted({row.fixture_id for row in rows})),
    )


def _likeness(evidence: Evidence) -> float:
    if "similarity" in evidence:
        return float(evidence["similarity"])
    answer = evidence["answer"] or ""
    return max(Lexical()(answer, one) for one in evidence["expected"])


def _is_resolved(evidence: Evidence) -> bool:
    return evidence["first"] in latest_of(evidence)


def _is_returned(evidence: Evidence) -> bool:
    return bool(set(latest_of(evidence)) & set(evidence["found"]))


def _share(rows: Sequence[Evidence], holds: Callable[[Evidence], bool]) -> Measure:
    return Measure(part=sum(map(holds, rows)), whole=len(rows))


def _mean(rows: Sequence[Evidence], size: Callable[[Evidence], float]) -> Measure:
    return Measure(part=math.fsum(map(size, rows)), whole=len(rows))
