"""Gold items between two runs: which flipped, which came and went, and what was seen of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from brainbench_gate.measured import Measured

EMPTY: frozenset[str] = frozenset()


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
        text: The turn's own text, as the fixture has it; empty where there is none.
    """

    item: str
    cell: str
    fixture_id: str
    harness: str
    expected: str
    seen: str
    text: str


def compare_items(
    before: Mapping[str, Iterable[str]],
    after: Mapping[str, Iterable[str]],
    *,
    older: Mapping[str, frozenset[str]],
    newer: Mapping[str, frozenset[str]],
) -> list[CellItems]:
    """Diff failed items over the union of both sides' ids, cell by cell.

    Args:
        before: Failed ids of the older run by cell.
        after: Failed ids of the newer run by cell.
        older: All gold ids of the older corpus by suite.
        newer: All gold ids of the newer corpus by suite.

    Returns:
        One entry per cell that both runs have, sorted by cell.
    """
    found = []
    for cell in sorted(before.keys() & after.keys()):
        suite = cell.split("/", 1)[1]
        old, new = older.get(suite, EMPTY), newer.get(suite, EMPTY)
        failed, fails = set(before[cell]), set(after[cell])
        gone, come = old - new, new - old
        found.append(
            CellItems(
                cell=cell,
                newly_failed=_sorted(fails - failed - come - _strays_of(come, fails)),
                newly_fixed=_sorted(failed - fails - gone),
                still_failing=_sorted(failed & fails),
                added=_sorted(come),
                removed=_sorted(gone),
                removed_failing=_sorted(gone & failed),
                added_failing=_sorted(come & fails),
            )
        )
    return found


def describe_item(item: str, cell: str, measured: Measured) -> ItemDetail:
    """Tell what a run saw of an item.

    Args:
        item: Its id.
        cell: Its cell, ``harness/suite``.
    """
    harness, suite = cell.split("/", 1)
    if suite in ("write-back", "continuity"):
        return _describe_probe(item, cell, harness, suite, measured)
    turn = item.split(":", 1)[0].split("+", 1)[0]
    fixture_id = turn.split("#", 1)[0]
    row = next(
        (
            row
            for row in measured.result.turn_rows
            if (f"{row.fixture_id}#{row.turn_id}", row.harness, row.suite) == (turn, harness, suite)
        ),
        None,
    )
    gold = row.gold if row and row.gold else {}
    wanted = " or ".join(gold.get("gold_slugs", ())) if gold.get("should_retrieve") else "silence"
    return ItemDetail(
        item=item,
        cell=cell,
        fixture_id=fixture_id,
        harness=harness,
        expected=item.split(":", 1)[1] if ":" in item else wanted,
        seen=", ".join(row.injected_slugs) or "nothing" if row else "not replayed",
        text=measured.survey.texts.get(turn, ""),
    )


def _describe_probe(
    item: str, cell: str, harness: str, suite: str, measured: Measured
) -> ItemDetail:
    row = next(
        (
            row
            for row in measured.result.item_rows
            if (row.item, row.harness, row.suite) == (item, harness, suite)
        ),
        None,
    )
    expected = "fact stored with provenance" if suite == "write-back" else "decision recalled"
    return ItemDetail(
        item=item,
        cell=cell,
        fixture_id=row.fixture_id if row else item.split("#", 1)[0],
        harness=harness,
        expected=expected,
        seen=_evidence(row.evidence) if row else "not replayed",
        text=measured.survey.texts.get(item.rsplit("/", 1)[0], ""),
    )


def _evidence(evidence: Mapping[str, object]) -> str:
    if evidence.get("found") and not evidence.get("provenance"):
        return "stored with wrong provenance"
    return "found" if evidence.get("found") or evidence.get("fact") else "nothing"


def _strays_of(added: frozenset[str], failing: set[str]) -> set[str]:
    """Wrong pushes on turns that only the newer corpus has."""
    turns = {item.split(":", 1)[0] for item in added}
    return {item for item in failing if "+" in item and item.split("+", 1)[0] in turns}


def _sorted(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(ids))
