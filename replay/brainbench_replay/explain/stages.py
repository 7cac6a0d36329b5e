"""The seams again, with what memory brought up: what each did with every page, turn by turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from brainbench_replay.seams import Session, Standing, how_known

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from brainbench_replay.explain.watching import Recall
    from brainbench_replay.seams import Seam
    from brainbench_schema.fixture import Fixture, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One seam at one turn.

    Attributes:
        seam: The seam's settings.
        injected: Slugs that the replay's row has.
        standings: What the seam did with each page that memory brought up, in memory's order;
            empty where the harness's own integration ran, which can't be looked into.
        known: How the conversation so far holds each of them, whether the seam minds or not.
    """

    seam: Seam
    injected: tuple[str, ...]
    standings: Mapping[str, Standing]
    known: Mapping[str, Standing]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One replayed user turn: what memory brought up, and what each seam made of it."""

    turn: Turn
    recall: Recall
    stages: Mapping[str, Stage]


def retrace(
    fixture: Fixture,
    recalls: Sequence[Recall],
    seams: Sequence[Seam],
    injected: Mapping[tuple[int, str], tuple[str, ...]],
) -> dict[int, Moment]:
    """Let memory's answers pass the seams again, keeping what each decides.

    Args:
        recalls: What memory brought up, user turn by user turn.
        injected: The slugs of the replay's rows by turn and harness.
    """
    users = [turn for turn in fixture.turns if turn.role == "user"]
    by_turn = {turn.turn_id: recall for turn, recall in zip(users, recalls, strict=True)}
    stages = {
        (turn_id, seam.harness): stage
        for seam in seams
        for turn_id, stage in _pass_through(fixture, by_turn, seam, injected)
    }
    return {
        turn.turn_id: Moment(
            turn=turn,
            recall=by_turn[turn.turn_id],
            stages={seam.harness: stages[turn.turn_id, seam.harness] for seam in seams},
        )
        for turn in users
    }


def _pass_through(
    fixture: Fixture,
    recalls: Mapping[int, Recall],
    seam: Seam,
    injected: Mapping[tuple[int, str], tuple[str, ...]],
) -> Iterator[tuple[int, Stage]]:
    session = Session(seam=seam, session_id=fixture.fixture_id)
    for turn in fixture.turns:
        if turn.role != "user":
            session.hear(turn.text)
            continue
        pointers = recalls[turn.turn_id].pointers
        came = injected[turn.turn_id, seam.harness]
        known = {pointer.slug: how_known(pointer, session.context) for pointer in pointers}
        standings = {pointer.slug: standing for pointer, standing in session.trace(pointers)}
        session.inject(turn.text, pointers)
        # What came otherwise than through the seam was decided where nothing can be seen.
        seen = tuple(slug for slug, how in standings.items() if how is Standing.NEW) == came
        yield (
            turn.turn_id,
            Stage(seam=seam, injected=came, standings=standings if seen else {}, known=known),
        )
