"""Faults planted between a writer and a reader; each is named by its true cause."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.explain.planting import case, fact, find_cause, page, stated

from brainbench_replay.explain.causes import Cause

if TYPE_CHECKING:
    import psycopg

    from brainbench_replay.corpus import Case

ITEM = "pair/region"
ATLAS = page("projects/atlas", "Project Atlas")


def writer(minutes: list[int] | None = None, **fixture: Any) -> Case:
    """Decides on a region."""
    return case(
        ["Project Atlas runs in Frankfurt.", "Noted.", "Good."],
        {"1": stated(fact("Project Atlas runs in Frankfurt", "Frankfurt"))},
        fixture_id="write",
        suites=["continuity"],
        continuity={"pair_id": "pair", "pair_role": "writer"},
        minutes=minutes,
        **fixture,
    )


def reader(text: str, *keywords: str, slugs: tuple[str, ...] = (), **fixture: Any) -> Case:
    """Asks, and should be told."""
    decision = {
        "decision_id": "region",
        "expected_slugs": list(slugs),
        "match_keywords": list(keywords),
    }
    return case(
        [text],
        {},
        fixture_id="read",
        suites=["continuity"],
        continuity={"pair_id": "pair", "pair_role": "reader"},
        decisions=[decision],
        **fixture,
    )


def test_a_decision_recalled_by_its_fact(database: psycopg.Connection) -> None:
    """The fact that holds all keywords is quoted."""
    cause, sentence, passed = find_cause(database, ITEM, writer(), reader("Where?", "frankfurt"))
    assert (Cause.CAME, True) == (cause, passed)
    assert "“Project Atlas runs in Frankfurt”" in sentence


def test_a_decision_recalled_by_its_page(database: psycopg.Connection) -> None:
    """The page that was shown is named."""
    planted = reader("is Project Atlas up?", "x", slugs=("projects/atlas",), seed_pages=[ATLAS])
    cause, sentence, _ = find_cause(database, ITEM, writer(), planted)
    assert cause is Cause.CAME
    assert "`projects/atlas`" in sentence


def test_no_page_and_no_fact_with_all_keywords(database: psycopg.Connection) -> None:
    """The nearest fact and what it lacks are told, and why the page did not come."""
    planted = reader(
        "Is project atlas up?",
        "Frankfurt",
        "Tuesday",
        slugs=("projects/atlas",),
        seed_pages=[ATLAS],
    )
    cause, sentence, passed = find_cause(database, ITEM, writer(), planted)
    assert (Cause.KEYWORDS, False) == (cause, passed)
    assert "lacks “Tuesday”" in sentence
    assert "`projects/atlas` did not come (turn 1): the turn writes “project atlas”" in sentence


def test_a_fact_in_another_source(database: psycopg.Connection) -> None:
    """A fact of the writer's source is out of reach of a reader in another one."""
    planted = reader("Where?", "Frankfurt", active_source="work")
    cause, sentence, _ = find_cause(database, ITEM, writer(), planted)
    assert cause is Cause.FACT_OTHER_SOURCE
    assert "in the source “default”, and “work” is the reader's active one" in sentence


def test_a_fact_that_the_writer_lost(database: psycopg.Connection) -> None:
    """A decision whose message was dropped from its segment is put down to that."""
    planted = writer(minutes=[0, 40, 41])
    cause, sentence, _ = find_cause(database, ITEM, planted, reader("Where?", "Frankfurt"))
    assert cause is Cause.ALONE
    assert "the message of turn 1 is alone" in sentence


def test_nothing_that_could_tell_it(database: psycopg.Connection) -> None:
    """Where no fact holds any keyword, nothing is stored of it."""
    cause, _, _ = find_cause(database, ITEM, writer(), reader("Where?", "Lisbon"))
    assert cause is Cause.NOTHING_STORED


def test_a_decision_without_keywords(database: psycopg.Connection) -> None:
    """No keywords match no fact; the gold is named as the fault."""
    planted = reader("Where?", slugs=("projects/atlas",), seed_pages=[ATLAS])
    cause, sentence, _ = find_cause(database, ITEM, writer(), planted)
    assert cause is Cause.KEYWORDS
    assert "the gold gives no keywords" in sentence
