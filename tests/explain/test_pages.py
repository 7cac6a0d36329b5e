"""Faults planted on the way from a turn to a page; each is named by its true cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.explain.planting import SILENT, asked, case, find_cause, page

from brainbench_replay.explain.causes import Cause

if TYPE_CHECKING:
    import psycopg

ADA = page("people/ada-lind", "Ada Lind")
ITEM = "one#1:people/ada-lind"


@pytest.mark.parametrize(
    ("text", "cause", "said"),
    [
        ("so ada lind called", Cause.LOWER_CASE, "“ada lind”"),
        ("I met Lind again", Cause.PARTIAL_NAME, "only “Lind”"),
        ("I met lind again", Cause.PARTIAL_NAME, "only “lind”, in lower case"),
        ("Ask Ada Lind for it", Cause.GLUED, "“Ask” is glued to “Ada Lind”"),
        ("I asked Ada Lind Monday", Cause.GLUED, "“Monday” is glued to “Ada Lind”"),
        ("See Big Red Ada Lind", Cause.BROKEN_NAME, "“Ada Lind” was not looked up in one"),
        ("I met Ada Lint again", Cause.MISSPELT, "“Ada Lint” is close"),
        ("I met Adda Lindt again", Cause.MISSPELT, "“Adda Lindt” is close"),
        ("Nothing of the kind", Cause.NOT_MENTIONED, "answers to “Ada Lind”"),
        ("See Ada Lind.", Cause.GLUED, "“See” is glued"),
        ("I saw Ada Lind.", Cause.CAME, "“Ada Lind” in the turn is the title"),
    ],
)
def test_how_a_turn_misses_a_name(
    database: psycopg.Connection, text: str, cause: Cause, said: str
) -> None:
    """The first stage that lost the name is the cause, and the words of the turn are quoted."""
    planted = case([text], {"1": asked("people/ada-lind")}, seed_pages=[ADA])
    found, sentence, passed = find_cause(database, ITEM, planted)
    assert (cause, cause is Cause.CAME) == (found, passed)
    assert said in sentence


@pytest.mark.parametrize(
    ("title", "text", "cause"),
    [
        ("Will", "I like Will.", Cause.FUNCTION_WORD),
        ("March", "March is here.", Cause.EVERYDAY_WORD),
        ("March", "I like March.", Cause.CAME),
        ("X", "I like X.", Cause.CHARACTER),
    ],
)
def test_which_filter_drops_a_word(
    database: psycopg.Connection, title: str, text: str, cause: Cause
) -> None:
    """A page whose name the filters drop is put down to the filter."""
    planted = case([text], {"1": asked("a/b")}, seed_pages=[page("a/b", title)])
    assert cause is find_cause(database, "one#1:a/b", planted)[0]


def test_the_thirteenth_name_is_past_the_limit(database: psycopg.Connection) -> None:
    """Twelve names of a turn are looked up; the thirteenth is told as such."""
    names = [f"N{letter}{letter.lower()}x" for letter in "ABCDEFGHIJKL"]
    planted = case(
        [", ".join(["all of", *names, "Ada Lind"])],
        {"1": asked("people/ada-lind")},
        seed_pages=[ADA],
    )
    cause, sentence, _ = find_cause(database, ITEM, planted)
    assert cause is Cause.PAST_LIMIT
    assert "only the first 12" in sentence


def test_the_twelfth_name_is_not(database: psycopg.Connection) -> None:
    """The limit itself is still looked up."""
    names = [f"N{letter}{letter.lower()}x" for letter in "ABCDEFGHIJK"]
    planted = case(
        [", ".join(["all of", *names, "Ada Lind"])],
        {"1": asked("people/ada-lind")},
        seed_pages=[ADA],
    )
    assert Cause.CAME is find_cause(database, ITEM, planted)[0]


def test_a_shared_alias_names_its_owners(database: psycopg.Connection) -> None:
    """An alias of two pages leads to neither, and both are named."""
    pages = [page("a/one", "One Thing", ["Ada"]), page("a/two", "Two Things", ["Ada"])]
    planted = case(["I met Ada."], {"1": asked("a/one")}, seed_pages=pages)
    cause, sentence, _ = find_cause(database, "one#1:a/one", planted)
    assert cause is Cause.SHARED_ALIAS
    assert "`a/one`, `a/two`" in sentence


def test_a_page_of_another_source(database: psycopg.Connection) -> None:
    """A page that only an inactive source holds is told with that source."""
    pages = [page("people/ada-lind", "Ada Lind", source="work")]
    planted = case(["I met Ada Lind."], {"1": asked("people/ada-lind")}, seed_pages=pages)
    cause, sentence, _ = find_cause(database, ITEM, planted)
    assert cause is Cause.OTHER_SOURCE
    assert "“work”" in sentence


def test_gold_that_was_never_seeded(database: psycopg.Connection) -> None:
    """A gold slug without a page is a fault of the corpus, and told as one."""
    planted = case(["I met Ada Lind."], {"1": asked("people/ada-lind")}, seed_pages=[])
    assert Cause.UNSEEDED is find_cause(database, ITEM, planted)[0]


@pytest.mark.parametrize(
    ("earlier", "cause", "said"),
    [
        ("see people/ada-lind", Cause.SLUG_KNOWN, "turn 2 has its slug"),
        ("ada lind is out", Cause.TITLE_KNOWN, "turn 2 has its title “Ada Lind”"),
    ],
)
def test_suppression(database: psycopg.Connection, earlier: str, cause: Cause, said: str) -> None:
    """A page that was held back is told with the turn that named it; no memory, no holding back."""
    planted = case(
        ["Hi.", earlier, "I met Ada Lind."], {"3": asked("people/ada-lind")}, seed_pages=[ADA]
    )
    item = "one#3:people/ada-lind"
    found, sentence, passed = find_cause(database, item, planted)
    assert (cause, False) == (found, passed)
    assert said in sentence


def test_a_seam_without_memory_holds_nothing_back(database: psycopg.Connection) -> None:
    """The same page comes again where the seam sees only the prompt."""
    planted = case(
        ["Hi.", "ada lind is out", "I met Ada Lind."],
        {"3": asked("people/ada-lind")},
        seed_pages=[ADA],
    )
    item = "one#3:people/ada-lind"
    assert Cause.CAME is find_cause(database, item, planted, harness="claude-code")[0]


def test_an_earlier_injection_suppresses_too(database: psycopg.Connection) -> None:
    """Where no turn names the page, what held it back was an injection."""
    pages = [page("people/ada-lind", "Ada Lind", ["Adchen"])]
    planted = case(
        ["I met Adchen.", "Good.", "And how is Adchen?"],
        {"3": asked("people/ada-lind")},
        seed_pages=pages,
    )
    cause, sentence, _ = find_cause(database, "one#3:people/ada-lind", planted)
    assert cause is Cause.SLUG_KNOWN
    assert "an earlier injection showed it" in sentence


@pytest.mark.parametrize(
    ("harness", "cause"),
    [("openclaw", Cause.CAME), ("claude-code", Cause.OVER_BUDGET), ("codex", Cause.OVER_BUDGET)],
)
def test_the_budget_is_the_seams(database: psycopg.Connection, harness: str, cause: Cause) -> None:
    """Of three pages the third comes only where the seam takes three; the others are named."""
    pages = [page(f"a/{name.lower()}", name) for name in ("Aaa", "Bbb", "Ccc")]
    planted = case(["I met Aaa, Bbb, Ccc."], {"1": asked("a/ccc")}, seed_pages=pages)
    found, sentence, _ = find_cause(database, "one#1:a/ccc", planted, harness=harness)
    assert cause is found
    if cause is Cause.OVER_BUDGET:
        assert "`a/aaa`" in sentence


def test_a_silent_turn_that_fired(database: psycopg.Connection) -> None:
    """What came although nothing should is told with the words that called it up."""
    planted = case(["I met Ada Lind."], {"1": SILENT}, seed_pages=[ADA])
    cause, sentence, passed = find_cause(database, "one#1", planted)
    assert (Cause.CALLED_UP, False) == (cause, passed)
    assert "“Ada Lind” in the turn is the title of `people/ada-lind`" in sentence


@pytest.mark.parametrize(
    ("harness", "cause", "said"),
    [
        ("claude-code", Cause.REPEATED, "turn 2 has its title"),
        ("openclaw", Cause.SILENT, "nothing came"),
    ],
)
def test_a_repeat_on_a_seam_without_memory(
    database: psycopg.Connection, harness: str, cause: Cause, said: str
) -> None:
    """A false fire that another seam would have held back is told as a repeat."""
    planted = case(["Hi.", "ada lind is out", "I met Ada Lind."], {"3": SILENT}, seed_pages=[ADA])
    found, sentence, _ = find_cause(database, "one#3", planted, harness=harness)
    assert cause is found
    assert said in sentence


def test_a_wrong_push(database: psycopg.Connection) -> None:
    """A page that no gold allows is told with the words that called it up."""
    pages = [ADA, page("people/bo-berg", "Bo Berg")]
    planted = case(
        ["I met Ada Lind, then Bo Berg."], {"1": asked("people/ada-lind")}, seed_pages=pages
    )
    cause, sentence, passed = find_cause(database, "one#1+people/bo-berg", planted)
    assert (Cause.CALLED_UP, False) == (cause, passed)
    assert "“Bo Berg”" in sentence


def test_a_turn_with_several_pages_tells_of_each(database: psycopg.Connection) -> None:
    """Where any of two pages would do and none came, both get their cause."""
    pages = [ADA, page("people/bo-berg", "Bo Berg")]
    gold = {"1": asked("people/ada-lind", "people/bo-berg")}
    planted = case(["Ask ada lind, or Berg."], gold, seed_pages=pages)
    cause, sentence, _ = find_cause(database, "one#1", planted)
    assert cause is Cause.LOWER_CASE
    assert "`people/ada-lind`: the turn writes “ada lind”" in sentence
    assert "`people/bo-berg`: the turn says only “Berg”" in sentence


def test_a_turn_of_a_fixture_that_is_only_pushed(database: psycopg.Connection) -> None:
    """Its id stands for all pages of the turn, and fails when one of them did not come."""
    pages = [ADA, page("people/bo-berg", "Bo Berg")]
    gold = {"1": asked("people/ada-lind", "people/bo-berg")}
    planted = case(["I met Ada Lind and berg."], gold, suites=["push"], seed_pages=pages)
    cause, sentence, passed = find_cause(database, "one#1", planted)
    assert (Cause.PARTIAL_NAME, False) == (cause, passed)
    assert "only “berg”, in lower case" in sentence
