"""What flipped, told once for all the cells it flipped in alike. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from brainbench_gate.recall_view import RECALL_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable

    from brainbench_gate.items import ItemDetail
    from brainbench_gate.verdict import BenchmarkVerdict, VerdictDocument


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """One item that newly fails.

    Attributes:
        cells: Where it was expected and seen alike, in order.
        text: The turn's own text; empty where there is none.
    """

    item: str
    fixture_id: str
    cells: tuple[str, ...]
    expected: str
    seen: str
    text: str


def list_flips(details: Iterable[ItemDetail]) -> list[Flip]:
    """Put together what differs by cell alone, in the order in which each first appears."""
    alike: dict[tuple[str, ...], list[ItemDetail]] = {}
    for detail in details:
        key = (detail.item, detail.expected, detail.seen, detail.text)
        alike.setdefault(key, []).append(detail)
    return [
        Flip(
            item=first.item,
            fixture_id=first.fixture_id,
            cells=tuple(detail.cell for detail in (first, *others)),
            expected=first.expected,
            seen=first.seen,
            text=first.text,
        )
        for first, *others in alike.values()
    ]


def list_by_weight(document: VerdictDocument) -> list[BenchmarkVerdict]:
    """Give the benchmarks of a document, the one that decides first."""
    worst = document.worst
    return [worst, *(one for one in document.benchmarks if one is not worst)]


def find_explainable(document: VerdictDocument) -> str | None:
    """Name the first flipped item that `brainbench explain` can look into.

    What the second benchmark asks is told whole beside its item: there is nothing to look into.
    """
    for one in list_by_weight(document):
        if one.name != RECALL_NAME and one.details:
            return one.details[0].item
    return None
