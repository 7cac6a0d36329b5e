"""The built-in memory on a real PostgreSQL: brains are isolated, writing never doubles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from brainbench_replay.systems.protocol import BrainSeed, Conversation, ExtractedFact, Message
from brainbench_replay.systems.reflex.memory import PROVENANCE, Reflex
from brainbench_schema.errors import SeedError
from brainbench_schema.fixture import Page, SeedFact

if TYPE_CHECKING:
    import psycopg

    from brainbench_replay.systems.reflex.memory import ReflexBrain


def page(slug: str, title: str, *, aliases: str = "", source: str = "default") -> Page:
    front = f"title: {title}\naliases: [{aliases}]"
    return Page(slug=slug, content=f"---\n{front}\n---\nBody.\n", source_id=source)


def seed(key: str, *pages: Page, facts: tuple[SeedFact, ...] = ()) -> BrainSeed:
    return BrainSeed(key=key, sources=("default",), pages=pages, facts=facts)


def open_one(database: psycopg.Connection, *pages: Page) -> ReflexBrain:
    system = Reflex(database, "PostgreSQL")
    system.prepare([seed("one", *pages)])
    return system.open(seed("one", *pages))


def slugs(brain: ReflexBrain, text: str, source: str = "default") -> list[str]:
    return [pointer.slug for pointer in brain.recall(text, source=source)]


def talk(*texts: str, slug: str = "conversations/bench-a") -> Conversation:
    messages = tuple(
        Message(speaker="You", timestamp=f"2026-01-01T00:{minute:02}:00Z", text=text)
        for minute, text in enumerate(texts)
    )
    return Conversation(slug=slug, title="Conversation", messages=messages)


def state(*facts: str):  # type: ignore[no-untyped-def]
    return lambda segment: [
        ExtractedFact(fact=fact, entity_slug=None, kind="fact") for fact in facts
    ]


def test_brains_never_see_each_other(database: psycopg.Connection) -> None:
    """A page, an alias, a fact and an index entry of one brain are invisible from another."""
    fact = SeedFact(
        fact="sentinel", entity_slug=None, source=None, source_session=None, source_id="default"
    )
    full = seed("full", page("p/sentinel", "Sentinel", aliases="sent"), facts=(fact,))
    empty = seed("empty")
    system = Reflex(database, "PostgreSQL")
    system.prepare([full, empty])

    assert ["p/sentinel"] == slugs(system.open(full), "see Sentinel")
    for text in ("see Sentinel", "see Sent", "@sentinel"):
        assert [] == slugs(system.open(empty), text)
    assert () == system.open(empty).facts()
    assert () == system.open(empty).index(source="default", limit=50)


def test_sources_never_see_each_other(database: psycopg.Connection) -> None:
    """A page of another source is not found; the same slug may stand in both."""
    brain = open_one(
        database,
        page("p/a", "Quill"),
        page("p/a", "Quill", source="vault"),
        page("p/b", "Vaulted", source="vault"),
    )

    assert ["p/a"] == slugs(brain, "see Quill")
    assert [] == slugs(brain, "see Vaulted")
    assert ["p/b"] == slugs(brain, "see Vaulted", "vault")


def test_aliases_come_first_then_candidate_by_candidate(database: psycopg.Connection) -> None:
    """Aliases by mention, then titles and slugs of each mention; a page counts once."""
    brain = open_one(
        database,
        page("p/one", "One Quill", aliases="Zed"),
        page("p/two", "Ada"),
        page("q/ada", "Other"),
    )

    assert ["p/one", "p/two", "q/ada"] == slugs(brain, "ask Ada about Zed and One Quill")


def test_a_shared_alias_gives_nothing_in_its_arm(database: psycopg.Connection) -> None:
    """Two pages with one alias: neither comes by it, and other arms are still tried."""
    brain = open_one(
        database,
        page("p/a", "A A", aliases="Ada"),
        page("p/b", "B B", aliases="ada"),
        page("p/ada", "C C"),
    )

    assert ["p/ada"] == slugs(brain, "ask Ada")


def test_long_titles_are_found(database: psycopg.Connection) -> None:
    """A title longer than any b-tree key is stored and found by its hash."""
    title = "X" + "y" * 9_000
    brain = open_one(database, page("p/long", title))

    assert ["p/long"] == slugs(brain, f"see {title}")


def test_a_hash_is_not_taken_for_a_key(database: psycopg.Connection) -> None:
    """What the index finds is compared with the key itself."""
    brain = open_one(database, page("p/a", "Ada"))
    database.execute("UPDATE page SET title = 'Collision'")

    assert [] == slugs(brain, "Collision and Ada")


def test_writing_twice_never_doubles(database: psycopg.Connection) -> None:
    """The same conversation replaces its facts; two equal facts of one segment both survive."""
    brain = open_one(database)
    for _ in range(2):
        brain.write_back(talk("a", "b"), source="default", extract=state("same", "same"))
    brain.write_back(
        talk("c", "d", slug="conversations/bench-b"), source="default", extract=state("other")
    )

    assert ["same", "same", "other"] == [fact.fact for fact in brain.facts()]


def test_a_run_killed_half_way_leaves_the_old_facts(database: psycopg.Connection) -> None:
    """Replacing is one transaction: what fails in the middle changes nothing."""
    brain = open_one(database)
    brain.write_back(talk("a", "b"), source="default", extract=state("kept"))
    with pytest.raises(RuntimeError, match="killed"):
        brain.write_back(talk("a", "b"), source="default", extract=_die)

    assert ["kept"] == [fact.fact for fact in brain.facts()]


def _die(segment: str) -> list[ExtractedFact]:
    raise RuntimeError("killed")


def test_facts_say_where_they_come_from(database: psycopg.Connection) -> None:
    """Source, session, page and source id of a stored fact."""
    brain = open_one(database)
    brain.write_back(talk("a", "b"), source="vault", extract=state("f"))
    fact = brain.facts()[0]

    assert (PROVENANCE, f"{PROVENANCE}:conversations/bench-a") == (fact.source, fact.source_session)
    assert ("conversations/bench-a", "vault") == (fact.source_markdown_slug, fact.source_id)


def test_the_conversation_becomes_a_page(database: psycopg.Connection) -> None:
    """It stands in the index once, as often as it is written."""
    brain = open_one(database)
    for _ in range(2):
        brain.write_back(talk("a", "b"), source="default", extract=state())

    assert (("conversations/bench-a", "Conversation"),) == brain.index(source="default", limit=9)


def test_one_bad_page_fails_one_brain(database: psycopg.Connection) -> None:
    """The brain with broken front matter is named; all others are seeded."""
    bad = seed("bad", Page(slug="p/bad", content="---\na: [\n---\n", source_id="default"))
    good = seed("good", page("p/a", "Ada"))
    system = Reflex(database, "PostgreSQL")
    system.prepare([bad, good])

    assert ["p/a"] == slugs(system.open(good), "ask Ada")
    with pytest.raises(SeedError, match="p/bad"):
        system.open(bad)


def test_a_brain_can_be_opened_unprepared(database: psycopg.Connection) -> None:
    """A seed that `prepare` did not see is taken when it is opened."""
    system = Reflex(database, "PostgreSQL")

    assert ["p/a"] == slugs(system.open(seed("late", page("p/a", "Ada"))), "ask Ada")


def test_the_index_is_short_and_sorted(database: psycopg.Connection) -> None:
    """At most as many pages as asked for, by slug in code point order."""
    brain = open_one(database, page("b", "B"), page("Z", "Z"), page("a", "A"))

    assert (("Z", "Z"), ("a", "A")) == brain.index(source="default", limit=2)
