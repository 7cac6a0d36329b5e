"""Of a memory that can't be looked into: what it returned, and what the seam left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.explain.planting import asked, case, fact, look_into, page, stated

from brainbench_replay.explain.causes import Cause
from brainbench_replay.explain.explanation import explain_item
from brainbench_replay.explain.item_ids import find_item
from brainbench_replay.systems.anchors import Everything, PlainBrain, Silent
from brainbench_replay.systems.protocol import Injection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brainbench_replay.corpus import Case
    from brainbench_replay.systems.protocol import (
        BrainSeed,
        Conversation,
        Extractor,
        MemorySystem,
        Pointer,
    )

PAGES = [page(f"a/{name}", name.title()) for name in ("one", "two")]


def find_cause(system: MemorySystem, item: str, planted: Case) -> tuple[Cause, str]:
    seen = look_into(system, planted)
    diagnosis = seen.diagnose(find_item(item, [planted]), "codex")
    return diagnosis.cause, diagnosis.sentence


def test_what_was_not_returned() -> None:
    """What the memory returned is told in place of how it read the turn."""
    planted = case(["I met One."], {"1": asked("a/one")}, seed_pages=PAGES)
    cause, sentence = find_cause(Silent(), "one#1:a/one", planted)
    assert cause is Cause.NOT_RETURNED
    assert "memory gave nothing for the turn" in sentence


def test_what_the_seam_left_out() -> None:
    """The seam's budget is seen with any memory."""
    planted = case(["I met Two."], {"1": asked("a/two")}, seed_pages=PAGES)
    cause, sentence = find_cause(Everything(), "one#1:a/two", planted)
    assert cause is Cause.OVER_BUDGET
    assert "`a/one` came first" in sentence


def test_a_conversation_without_any_extraction() -> None:
    """A memory that never had facts drawn is told so."""
    gold = {"1": stated(fact("Ada moves", "Ada"))}
    planted = case(["Ada moves.", "Noted."], gold, suites=["write-back"])
    assert Cause.NOT_ASKED is find_cause(Silent(), "one#1/1", planted)[0]


class Deaf(Everything):
    """Hands an extractor a summary in place of the conversation."""

    def open(self, seed: BrainSeed) -> PlainBrain:
        return DeafBrain(seed)


class DeafBrain(PlainBrain):
    def write_back(self, conversation: Conversation, *, source: str, extract: Extractor) -> None:
        extract(f"{len(conversation.messages)} messages in {source}")


def test_a_text_that_is_not_word_for_word() -> None:
    """Where the message is in no text that facts were drawn from, that is the cause."""
    gold = {"1": stated(fact("Ada moves", "Ada"))}
    planted = case(["Ada moves.", "Noted."], gold, suites=["write-back"])
    cause, sentence = find_cause(Deaf(), "one#1/1", planted)
    assert cause is Cause.NOT_IN_SEGMENT
    assert "1 text, and none holds the message of turn 1" in sentence


class Hooked(Everything):
    """Returns all pages and runs a harness integration of its own that injects the last."""

    def open(self, seed: BrainSeed) -> PlainBrain:
        return HookedBrain(seed)


class HookedBrain(PlainBrain):
    def converse(self, harness: str) -> LastOnly:  # noqa: ARG002
        return LastOnly()


class LastOnly:
    def inject(self, prompt: str, pointers: Sequence[Pointer]) -> Injection:  # noqa: ARG002
        return Injection(slugs=(pointers[-1].slug,), text="x", tokens=1)

    def hear(self, text: str) -> None:
        """Nothing to remember."""


def test_a_harness_integration_is_out_of_sight() -> None:
    """What an executed integration left out is told without a made-up reason."""
    planted = case(["I met One."], {"1": asked("a/one")}, seed_pages=PAGES)
    assert Cause.OUT_OF_SIGHT is find_cause(Hooked(), "one#1:a/one", planted)[0]


def test_a_page_that_should_not_come() -> None:
    """Why another memory gave a page is not known; that it did is told."""
    planted = case(["I met One."], {"1": asked("a/one")}, seed_pages=PAGES)
    assert Cause.GIVEN is find_cause(Hooked(), "one#1+a/two", planted)[0]


def test_how_a_turn_was_read_is_not_told() -> None:
    """An explanation of another system shows no words and no filters."""
    planted = case(["I met One."], {"1": asked("a/one")}, seed_pages=PAGES)
    told = explain_item(find_item("one#1:a/one", [planted]), look_into(Silent(), planted))
    assert told.heard is None
    assert "fails on openclaw, claude-code and codex" in told.headline
