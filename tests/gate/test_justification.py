"""A reason counts where it has words enough, is fresh, and names what it excuses."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.gate.breaches import WORSE, state
from tests.gate.documents import REASON

from brainbench_gate.justification import STATES, assess, is_substantial


@pytest.mark.parametrize(
    ("text", "substantial"),
    [
        ("recall traded for speed", True),
        ("abcde fghij klmno", True),
        ("abcde fghij klmn", False),
        ("abcdefgh ijklmnopqrst", False),
        ("abcdefghijklmnop 12 34", False),
        ("ａｂｃｄｅ ｆｇｈｉｊ ｋｌｍｎｏ", True),
        ("todo todo todo todo fix", False),
        ("aaaaa aaaaa aaaaa", False),
        ("Aaaaa aaaaa, aaaaa! bbbbb", False),
        ("我们 用 速度 换 召回", False),
        ("", False),
        ("\u2003\u00a0\t", False),
    ],
)
def test_three_words_and_fifteen_letters(text: str, substantial: bool) -> None:
    """After NFKC; digits and marks are no letters."""
    assert substantial == is_substantial(text)


@pytest.mark.parametrize(
    ("text", "substantial"),
    [
        ("codex/push, push_recall, policy: …", False),
        ("codex/push push_recall PUSH_RECALL policy", False),
        ("codex/push, policy: WHY THIS IS WORTH IT", False),
        ("codex/push, push_recall, policy: accepted", True),
        ("codex/push, policy: why this is worth it: speed", True),
        ("push_recall_at_3, policy-wise, codex/push2", True),
    ],
)
def test_what_it_is_a_reason_for_is_no_reason(text: str, substantial: bool) -> None:
    """The names to type are put there by the gate itself; the why is the writer's."""
    found = assess(text, [WORSE, state("policy")], fresh=True)
    assert substantial == found.substantial


def test_breaches_are_named_by_cell_or_metric() -> None:
    """As words of their own, in any case; the rest is listed."""
    other = replace(WORSE, cell="codex/know-to-ask", metric="false_fire_rate")
    found = assess("Push_Recall goes down a bit", [WORSE, other], fresh=True)
    assert ((WORSE,), (other,), ()) == (found.named, found.unnamed, found.missing)
    assert (True, True, True) == (found.needed, found.present, found.holds)
    assert () == assess("our xpush_recallx goes down", [WORSE], fresh=True).named


@pytest.mark.parametrize("name", STATES)
def test_states_have_to_be_named_as_words(name: str) -> None:
    """Not as part of another word."""
    text = "we have good reasons for all of this"
    for unnamed in (text, f"{text}, x{name}", f"{text}, {name}s", f"{text}, {name}-like"):
        found = assess(unnamed, [state(name)], fresh=True)
        assert (False, (name,)) == (found.holds, found.missing)
    for named in (f"{name}: {text}", f"{text} ({name.upper()})", f"{text}: {name}, too"):
        assert assess(named, [state(name)], fresh=True).holds


@pytest.mark.parametrize(
    ("text", "fresh", "holds"),
    [(REASON, True, True), (REASON, False, False), (None, True, False), ("fix", True, False)],
)
def test_a_reason_is_present_fresh_and_more_than_a_placeholder(
    text: str | None, fresh: bool, holds: bool
) -> None:
    """Else it lets nothing pass."""
    assert holds == assess(text, [WORSE], fresh=fresh).holds
