"""Seams: budget, suppression, wire and preamble of the three harnesses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainbench_replay.seams import (
    SEAMS,
    Session,
    Standing,
    choose_seams,
    count_tokens,
    how_known,
    render,
)
from brainbench_replay.systems.protocol import Pointer
from brainbench_schema.errors import UsageError


def pointer(slug: str, title: str | None = None, synopsis: str = "") -> Pointer:
    title = title or slug.rsplit("/", 1)[-1].title()
    return Pointer(
        slug=slug, title=title, label=title, synopsis=synopsis, arm="title", confidence=0.8
    )


FOUR = [pointer(f"p/{name}", f"Name{name}") for name in "abcd"]


def session(harness: str, index: tuple[tuple[str, str], ...] = ()) -> Session:
    return Session(seam=SEAMS[harness], session_id="s", index=index)


@pytest.mark.parametrize(("harness", "budget"), [("openclaw", 3), ("claude-code", 2), ("codex", 1)])
def test_budgets(harness: str, budget: int) -> None:
    """Each seam injects the first pointers, as many as its budget has."""
    slugs = session(harness).inject("hello", FOUR).slugs

    assert tuple(pointer.slug for pointer in FOUR[:budget]) == slugs


@pytest.mark.parametrize("harness", ["openclaw", "codex"])
def test_what_was_injected_is_suppressed(harness: str) -> None:
    """A seam with memory repeats nothing, and suppression uses no budget."""
    one = session(harness)
    first = one.inject("hello", FOUR).slugs
    again = one.inject("hello", FOUR).slugs

    assert not set(first) & set(again)
    assert again


def test_the_hook_repeats_itself() -> None:
    """Without conversation memory the same pages come again."""
    one = session("claude-code")

    assert one.inject("hello", FOUR).slugs == one.inject("hello", FOUR).slugs


def test_earlier_turns_suppress_and_the_current_one_does_not() -> None:
    """A title in the prompt itself is no reason to keep still; one turn later it is."""
    one = session("openclaw")

    assert ("p/a",) == one.inject("tell me of NameA", FOUR[:1]).slugs
    two = session("openclaw")
    two.hear("NameA called")
    assert () == two.inject("tell me of NameA", FOUR[:1]).slugs


def test_the_preamble_suppresses_nothing_and_counts_once() -> None:
    """The codex index is no injection: its tokens count on the first turn alone."""
    index = (("p/a", "NameA"),)
    one, bare = session("codex", index), session("codex")

    first = one.inject("hello", FOUR[:1])
    assert ("p/a",) == first.slugs
    assert first.tokens > bare.inject("hello", FOUR[:1]).tokens
    assert 0 == one.inject("hello", []).tokens


@pytest.mark.parametrize(
    ("context", "known"),
    [
        ("we saw p/quill there", True),
        ("about quill inc.", True),
        ("(quill inc)", True),
        ("quill inc", True),
        ("quill incorporated", False),
        ("a_quill inc", False),
        ("9quill inc", False),
        ("équill inc", True),
        ("tranquill inc, and quill inc!", True),
        ("quill", False),
    ],
)
def test_known_by_slug_or_title(context: str, *, known: bool) -> None:
    """A slug anywhere, or a title with no ASCII letter, digit or underscore on either side."""
    assert known is (how_known(pointer("p/quill", "Quill Inc"), context) is not Standing.NEW)


def test_the_block_has_a_heading_and_a_line_a_pointer() -> None:
    """Label, slug in backticks and synopsis; nothing at all for no pointers."""
    text = render([pointer("p/a", "Ada", "A baker."), pointer("p/b", "Bo")])

    assert ["- Ada (`p/a`): A baker.", "- Bo (`p/b`)"] == text.splitlines()[1:]
    assert "" == render([])


@given(st.text())
def test_any_prompt_survives_the_hook_wire(prompt: str) -> None:
    """Whatever a user writes passes through the hook's JSON."""
    assert ("p/a", "p/b") == session("claude-code").inject(prompt, FOUR).slugs


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2)])
def test_tokens_are_characters_by_four(text: str, tokens: int) -> None:
    """Rounded up."""
    assert tokens == count_tokens(text)


def test_unknown_harness() -> None:
    """The error names the known ones."""
    with pytest.raises(UsageError, match="openclaw, claude-code, codex"):
        choose_seams(["opencraw"])
