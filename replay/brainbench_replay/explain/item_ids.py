"""Ids of gold items: what they name, and the cases of a corpus that they stand for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum
from typing import TYPE_CHECKING

from brainbench_schema.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brainbench_replay.corpus import Case

_OF_TURN = re.compile(r"(?P<fixture>[^#]+)#(?P<turn>-?\d+)(?:(?P<mark>[:+/])(?P<rest>.+))?")


class Kind(Enum):
    """What an id names, by the mark that follows the turn."""

    TURN = ""
    PAGE = ":"
    STRAY = "+"
    FACT = "/"
    DECISION = "pair"


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemId:
    """A gold item, or a page pushed wrongly.

    Attributes:
        text: The id itself.
        case: The case it stands in; of a decision, the reader's.
        turn_id: Its turn; 0 for a decision.
        slug: The page of a push item; empty for others.
        place: Number of the fact in its turn, from 1; 0 for others.
        decision_id: The decision of a continuity item; empty for others.
    """

    text: str
    kind: Kind
    case: Case
    turn_id: int = 0
    slug: str = ""
    place: int = 0
    decision_id: str = ""


def find_item(text: str, cases: Sequence[Case]) -> ItemId:
    """Find what an id names in a corpus.

    Args:
        text: ``fixture#turn``, ``fixture#turn:slug``, ``fixture#turn+slug``,
            ``fixture#turn/n`` or ``pair/decision``.

    Raises:
        UsageError: The corpus has no such item.
    """
    match = _OF_TURN.fullmatch(text)
    item = _of_turn(text, match, cases) if match else _decision(text, cases)
    if item.kind is Kind.FACT:
        facts = item.case.gold.turns[item.turn_id].gold_facts
        if not 1 <= item.place <= len(facts):
            raise _missing(text, f"the turn has {len(facts)} gold facts")
    return item


def find_partners(item: ItemId, cases: Sequence[Case]) -> tuple[Case, ...]:
    """Give the cases that have to be replayed for an item: its own, and the rest of its pair."""
    pair = item.case.fixture.continuity
    return tuple(
        case
        for case in cases
        if case is item.case
        or (pair and case.fixture.continuity and case.fixture.continuity.pair_id == pair.pair_id)
    )


def _of_turn(text: str, match: re.Match[str], cases: Sequence[Case]) -> ItemId:
    by_id = {case.fixture.fixture_id: case for case in cases}
    case = by_id.get(match["fixture"])
    if case is None:
        raise _missing(text, _nearest(match["fixture"], list(by_id)))
    turn_id, rest = int(match["turn"]), match["rest"] or ""
    turns = [turn.turn_id for turn in case.fixture.turns]
    if turn_id not in turns or turn_id not in case.gold.turns:
        annotated = ", ".join(str(turn) for turn in turns if turn in case.gold.turns)
        raise _missing(text, f"turns with gold are {annotated or 'none'}")
    kind = Kind(match["mark"] or "")
    if kind is Kind.FACT and not rest.isdecimal():
        raise _missing(text, "a fact is named by its number in the turn, such as wb-001#2/1")
    return ItemId(
        text=text,
        kind=kind,
        case=case,
        turn_id=turn_id,
        slug=rest if kind in (Kind.PAGE, Kind.STRAY) else "",
        place=int(rest) if kind is Kind.FACT else 0,
    )


def _decision(text: str, cases: Sequence[Case]) -> ItemId:
    known = {
        f"{case.gold.pair_id}/{decision.decision_id}": (case, decision.decision_id)
        for case in cases
        if case.fixture.continuity and case.fixture.continuity.pair_role == "reader"
        for decision in case.gold.decisions
    }
    if text not in known:
        raise _missing(text, _nearest(text, list(known)))
    case, decision_id = known[text]
    return ItemId(text=text, kind=Kind.DECISION, case=case, decision_id=decision_id)


def _nearest(text: str, known: list[str]) -> str:
    near = get_close_matches(text, known, n=1)
    advice = f"did you mean {near[0]!r}? " if near else ""
    return f"{advice}list what fails with `brainbench explain --failing`"


def _missing(text: str, advice: str) -> UsageError:
    return UsageError("the corpus has no such item", where=text, advice=advice)
