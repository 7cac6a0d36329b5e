"""Gold items between two runs: which flipped, which came and went, and what was seen of each."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from brainbench_schema.fixture import RETRIEVAL_SUITES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from brainbench_gate.measured import Measured, Survey
    from brainbench_schema.result import TurnRow

EMPTY: frozenset[str] = frozenset()

EXPECTED = {
    "write-back": "fact stored with provenance",
    "continuity": "decision recalled",
    "retrieval": "the required memories",
    "temporal": "the required memories in order",
    "contradiction": "the latest revision first",
}
"""What an item of a suite without replayed turns asks for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CellItems:
    """What became of the items of one cell. All ids are sorted.

    Attributes:
        newly_failed: Failed now, passed before; a new wrong push (``+slug``) is one too.
        newly_fixed: Failed before, pass now.
        still_failing: Failed before and now.
        added: Gold items that the older corpus did not have.
        removed: Gold items that the newer corpus does not have.
        removed_failing: Those of `removed` that failed before.
        added_failing: Those of `added` that fail now.
    """

    cell: str
    newly_failed: tuple[str, ...]
    newly_fixed: tuple[str, ...]
    still_failing: tuple[str, ...]
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    removed_failing: tuple[str, ...] = ()
    added_failing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemDetail:
    """One item for a reader: where it stands, what should have come and what came.

    Attributes:
        turn: The turn's id; empty for a continuity probe, which belongs to no single turn.
        text: The turn's own text, as the fixture has it; empty where there is none.
    """

    item: str
    cell: str
    fixture_id: str
    harness: str
    expected: str
    seen: str
    text: str
    turn: str = ""


def compare_items(
    before: Mapping[str, Iterable[str]],
    after: Mapping[str, Iterable[str]],
    *,
    older: Survey,
    newer: Survey,
) -> list[CellItems]:
    """Diff failed items over the union of both sides' ids, cell by cell.

    Args:
        before: Failed ids of the older run by cell.
        after: Failed ids of the newer run by cell.
        older: What follows from the older corpus.
        newer: What follows from the newer one.

    Returns:
        One entry per cell of either run, sorted by cell. In a cell that only one of them has,
        all items count as added or removed.
    """
    return [
        _compare_cell(
            cell,
            before.get(cell),
            after.get(cell),
            gone=_left(cell, older, newer, whole=cell not in after),
            come=_left(cell, newer, older, whole=cell not in before),
        )
        for cell in sorted(before.keys() | after.keys())
    ]


def _compare_cell(
    cell: str,
    before: Iterable[str] | None,
    after: Iterable[str] | None,
    *,
    gone: Left,
    come: Left,
) -> CellItems:
    failed, fails = set(before or ()), set(after or ())
    return CellItems(
        cell=cell,
        newly_failed=_sorted(id_ for id_ in fails - failed if not come.holds(id_)),
        newly_fixed=_sorted(id_ for id_ in failed - fails if not gone.holds(id_)),
        still_failing=_sorted(failed & fails),
        added=_sorted(come.items),
        removed=_sorted(gone.items),
        removed_failing=_sorted(gone.items & failed),
        added_failing=_sorted(come.items & fails),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What of a cell one corpus has and the other lacks.

    Attributes:
        items: Gold items.
        turns: Turns; a wrong push on one of them is no flip.
        whole: Whether the other run lacks the cell.
    """

    items: frozenset[str]
    turns: frozenset[str]
    whole: bool

    def holds(self, item: str) -> bool:
        """Tell whether an item or wrong push came or left with the corpus."""
        return self.whole or item in self.items or find_turn(item) in self.turns


def _left(cell: str, here: Survey, there: Survey, *, whole: bool) -> Left:
    suite = cell.split("/", 1)[1]
    items = here.items.get(suite, EMPTY)
    return Left(
        items=items if whole else items - there.items.get(suite, EMPTY),
        turns=frozenset(here.texts.keys() - there.texts.keys()),
        whole=whole,
    )


def find_turn(item: str) -> str:
    """Give the turn that an item is of, ``fixture#turn``; a continuity probe is of none."""
    if "#" not in item:
        return ""
    return re.split("[:+/]", item, maxsplit=1)[0]


def is_stray(item: str) -> bool:
    """Tell a wrong push, ``fixture#turn+slug``, from a gold item."""
    return re.match(r"[^#]+#-?[0-9]+\+", item) is not None


def join_items(code: Iterable[CellItems], ground: Iterable[CellItems]) -> Iterator[CellItems]:
    """Put together what the code did to each cell on base's ground, and what the ground did.

    Args:
        code: Against main, on base's ground.
        ground: Between base's ground and the tree's; none where nothing moved.
    """
    moved = {entry.cell: entry for entry in ground}
    for entry in code:
        other = moved.pop(entry.cell, None)
        if other is None:
            yield entry
            continue
        failed = sorted({*entry.newly_failed, *other.newly_failed})
        yield replace(
            entry,
            newly_failed=tuple(failed),
            added=other.added,
            removed=other.removed,
            removed_failing=other.removed_failing,
            added_failing=other.added_failing,
        )
    yield from moved.values()


def describe_item(item: str, cell: str, measured: Measured) -> ItemDetail:
    """Tell what a run saw of an item.

    Args:
        item: Its id.
        cell: Its cell, ``harness/suite``.
    """
    harness, suite = cell.split("/", 1)
    turn = find_turn(item)
    fixture_id, _, turn_id = turn.partition("#")
    describe = _describe_turn if suite in RETRIEVAL_SUITES else _describe_probe
    expected, seen, told_by = describe(item, harness, suite, measured)
    return ItemDetail(
        item=item,
        cell=cell,
        fixture_id=told_by or fixture_id,
        harness=harness,
        expected=expected,
        seen=seen,
        text=measured.survey.texts.get(turn) or measured.survey.texts.get(item, ""),
        turn=turn_id,
    )


def _describe_turn(item: str, harness: str, suite: str, measured: Measured) -> tuple[str, str, str]:
    place = (find_turn(item), harness, suite)
    rows = measured.result.turn_rows
    row = next(
        (row for row in rows if (_turn_of(row), row.harness, row.suite) == place),
        None,
    )
    if row is None:
        return "", "not replayed", ""
    seen = ", ".join(row.injected_slugs) or "nothing"
    return _expected(item, row.gold or {}), seen, row.fixture_id


def _turn_of(row: TurnRow) -> str:
    return f"{row.fixture_id}#{row.turn_id}"


def _expected(item: str, gold: Mapping[str, Any]) -> str:
    if ":" in item:
        return item.split(":", 1)[1]
    if not gold.get("should_retrieve"):
        return "silence"
    return " or ".join((*gold["gold_slugs"], *gold.get("acceptable_slugs", ())))


def _describe_probe(
    item: str, harness: str, suite: str, measured: Measured
) -> tuple[str, str, str]:
    place = (item, harness, suite)
    rows = measured.result.item_rows
    row = next((row for row in rows if (row.item, row.harness, row.suite) == place), None)
    expected = EXPECTED[suite]
    if row is None:
        return expected, "not replayed", ""
    return expected, _evidence(row.evidence), row.fixture_id


def _evidence(evidence: Mapping[str, object]) -> str:
    if isinstance(found := evidence.get("found"), list):
        return ", ".join(map(str, found)) or "nothing"
    if evidence.get("found") and not evidence.get("provenance"):
        return "stored with wrong provenance"
    return "found" if evidence.get("found") or evidence.get("fact") else "nothing"


def _sorted(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(ids))
