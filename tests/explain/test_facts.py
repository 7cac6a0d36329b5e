"""Faults planted on the way of a fact into storage; each is named by its true cause."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from tests.explain.planting import case, fact, find_cause, look_into, stated, unreadable

from brainbench_replay.explain.causes import Cause
from brainbench_replay.explain.item_ids import find_item
from brainbench_replay.systems.reflex.memory import Reflex

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import psycopg

    from brainbench_replay.corpus import Case
    from brainbench_replay.systems.protocol import (
        Brain,
        BrainSeed,
        Conversation,
        Extractor,
        StoredFact,
    )

ITEM = "one#1/1"
GOLD = fact("Ada moves to Oslo", "Ada", "Oslo", entity="people/ada")


def told(texts: list[str], minutes: list[int] | None = None, gold: Any = GOLD) -> Case:
    """A conversation whose first turn states a fact."""
    return case(texts, {"1": stated(gold)}, suites=["write-back"], minutes=minutes)


def test_a_stored_fact_passes(database: psycopg.Connection) -> None:
    """A fact of a whole segment is stored."""
    cause, _, passed = find_cause(database, ITEM, told(["Ada moves to Oslo.", "Noted."]))
    assert (Cause.CAME, True) == (cause, passed)


def test_a_time_that_cannot_be_read(database: psycopg.Connection) -> None:
    """The message is named with its time."""
    planted = unreadable(told(["Ada moves to Oslo.", "Noted.", "Good."]), 1, "next Tuesday")
    cause, sentence, _ = find_cause(database, ITEM, planted)
    assert cause is Cause.UNREADABLE_TIME
    assert "turn 1 was left out, since its time “next Tuesday”" in sentence


def test_a_message_alone_in_its_segment(database: psycopg.Connection) -> None:
    """A gap of more than 30 minutes on either side drops the message."""
    planted = told(["Ada moves to Oslo.", "Noted.", "Good."], minutes=[0, 31, 32])
    assert Cause.ALONE is find_cause(database, ITEM, planted)[0]


def test_a_gap_of_thirty_minutes_keeps_it(database: psycopg.Connection) -> None:
    """Exactly 30 minutes are no gap."""
    planted = told(["Ada moves to Oslo.", "Noted.", "Good."], minutes=[0, 30, 31])
    assert Cause.CAME is find_cause(database, ITEM, planted)[0]


def test_a_message_past_the_cut(database: psycopg.Connection) -> None:
    """The place where the message ends is told beside the limit."""
    planted = case(
        ["x" * 6_450, "Noted.", "Ada moves to Oslo."],
        {"3": stated(GOLD)},
        suites=["write-back"],
    )
    cause, sentence, _ = find_cause(database, "one#3/1", planted)
    assert cause is Cause.CUT
    assert "cut at 6,500" in sentence


@pytest.mark.parametrize(
    ("gold", "cause", "said"),
    [
        (fact("Ada moves to Oslo", "Ada", "Bergen"), Cause.KEYWORDS, "lacks “Bergen”"),
        (fact("Ada moves", "no", "such"), Cause.KEYWORDS, "lacks “no” and “such”"),
    ],
)
def test_gold_whose_fact_lacks_its_keywords(
    database: psycopg.Connection, gold: Any, cause: Cause, said: str
) -> None:
    """A stored text that is the gold's own but lacks a keyword is told with the keyword."""
    planted = told(["Ada moves to Oslo.", "Noted."], gold=gold)
    found, sentence, _ = find_cause(database, ITEM, planted)
    assert cause is found
    assert said in sentence


class Meddling:
    """The built-in memory with one step of its write path broken."""

    def __init__(self, system: Reflex, meddle: Callable[[StoredFact], StoredFact | None]) -> None:
        self._system = system
        self._meddle = meddle
        self.info = system.info
        self.capabilities = system.capabilities
        self.provenance = system.provenance

    def prepare(self, seeds: Sequence[BrainSeed]) -> None:
        self._system.prepare(seeds)

    def open(self, seed: BrainSeed) -> Brain:
        return MeddlingBrain(self._system.open(seed), self._meddle)


class MeddlingBrain:
    """Changes or loses what is stored."""

    def __init__(self, brain: Brain, meddle: Callable[[StoredFact], StoredFact | None]) -> None:
        self._brain = brain
        self._meddle = meddle
        self.recall = brain.recall
        self.index = brain.index

    def write_back(self, conversation: Conversation, *, source: str, extract: Extractor) -> None:
        self._brain.write_back(conversation, source=source, extract=extract)

    def facts(self) -> tuple[StoredFact, ...]:
        changed = (self._meddle(fact) for fact in self._brain.facts())
        return tuple(fact for fact in changed if fact is not None)


def lose(stored: StoredFact) -> None:
    """Keep nothing."""


def meddle(
    database: psycopg.Connection, change: Callable[[StoredFact], StoredFact | None]
) -> tuple[Cause, str]:
    planted = told(["Ada moves to Oslo.", "Noted."])
    seen = look_into(Meddling(Reflex(database, "PostgreSQL"), change), planted)
    diagnosis = seen.diagnose(find_item(ITEM, [planted]), "codex")
    return diagnosis.cause, diagnosis.sentence


@pytest.mark.parametrize(
    ("change", "cause", "said"),
    [
        ({"entity_slug": "people/bo"}, Cause.ENTITY, "for `people/bo`, and should be"),
        ({"entity_slug": None}, Cause.ENTITY, "for no entity"),
        ({"source": "guess"}, Cause.PROVENANCE, "its source is “guess” and should be"),
        ({"source_session": "s"}, Cause.PROVENANCE, "its session is “s” and should be"),
        ({"source_markdown_slug": "a/b"}, Cause.OTHER_PAGE, "for the page `a/b`"),
        ({"source_markdown_slug": None}, Cause.OTHER_PAGE, "without naming a page"),
        ({"fact": "Ada moves"}, Cause.KEYWORDS, "“Ada moves” is stored, and lacks “Oslo”"),
        ({"fact": "Bo sings"}, Cause.NOT_STORED, "no stored fact is like it"),
    ],
)
def test_facts_that_were_stored_wrongly(
    database: psycopg.Connection, change: dict[str, Any], cause: Cause, said: str
) -> None:
    """What is wrong with a stored fact is told with what it should be."""
    found, sentence = meddle(database, lambda stored: replace(stored, **change))
    assert cause is found
    assert said in sentence


def test_one_stored_fact_for_two_gold_facts(database: psycopg.Connection) -> None:
    """A stored fact is counted once; the gold fact that is left over is told so."""
    gold = stated(fact("Ada moves to Oslo", "Ada"), fact("Bo follows", "Oslo"))
    planted = case(["Ada moves to Oslo.", "Noted."], {"1": gold}, suites=["write-back"])
    system = Meddling(
        Reflex(database, "PostgreSQL"), lambda stored: None if "Bo" in stored.fact else stored
    )
    seen = look_into(system, planted)
    found = [seen.diagnose(find_item(f"one#1/{n}", [planted]), "codex").cause for n in (1, 2)]
    assert [Cause.CAME, Cause.TAKEN] == found


def test_nothing_stored(database: psycopg.Connection) -> None:
    """A memory that keeps nothing of what it drew is told so."""
    assert Cause.NOTHING_STORED is meddle(database, lose)[0]
