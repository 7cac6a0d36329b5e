"""Why a fact of a conversation is in storage, or where it was lost on the way there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from brainbench_replay.explain.causes import Cause, Diagnosis, code, quote
from brainbench_replay.metrics.write_back import contains_all, is_right, matches, missing_keywords
from brainbench_replay.systems.reflex.segments import (
    MAX_CHARS,
    MAX_GAP,
    MAX_MESSAGES,
    Placed,
    trace_messages,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from brainbench_replay.explain.watching import Writing
    from brainbench_replay.systems.protocol import StoredFact
    from brainbench_replay.systems.reflex.segments import TracedMessage
    from brainbench_schema.fixture import Fixture
    from brainbench_schema.gold import GoldFact

CAME = Diagnosis(cause=Cause.CAME, sentence="it is stored, with the right source and session")
PLACED = {
    Placed.UNREADABLE_TIME: Cause.UNREADABLE_TIME,
    Placed.ALONE: Cause.ALONE,
    Placed.CUT: Cause.CUT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """A conversation that was written back, and what storage holds afterwards.

    Attributes:
        provenance: The constant that memory's pipeline writes as a fact's source.
        seeded: Texts of the facts that memory was given before.
        traces_messages: Whether memory segments as the built-in one does.
    """

    fixture: Fixture
    writing: Writing
    facts: Sequence[StoredFact]
    provenance: str
    seeded: frozenset[str]
    traces_messages: bool

    @property
    def page(self) -> str:
        """Slug of the conversation's page."""
        return self.writing.conversation.slug

    @property
    def own(self) -> list[StoredFact]:
        """The facts stored for this conversation's page."""
        return [fact for fact in self.facts if fact.source_markdown_slug == self.page]

    def trace(self) -> list[TracedMessage]:
        """Tell what became of each message, as the built-in memory segments."""
        conversation = self.writing.conversation
        return trace_messages(conversation.title, conversation.messages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A gold fact on its way into an archive."""

    archive: Archive
    gold: GoldFact
    turn_id: int

    @property
    def said(self) -> str:
        """Text of the turn that states the fact."""
        turns = self.archive.fixture.turns
        return next(turn.text for turn in turns if turn.turn_id == self.turn_id)


def explain_fact(loss: Loss, evidence: Mapping[str, Any]) -> Diagnosis:
    """Say why a gold fact is stored or lost.

    Args:
        evidence: What grading saw: `found`, `provenance` and the `stored` text.
    """
    if evidence["provenance"]:
        return CAME
    if evidence["found"]:
        return _wrong_provenance(loss.archive, str(evidence["stored"]))
    stages = (_taken, _unlike, _elsewhere, _misplaced, _unasked)
    nothing = Diagnosis(
        cause=Cause.NOTHING_STORED,
        sentence="memory drew facts from the conversation and stored none of them",
    )
    lost = Diagnosis(
        cause=Cause.NOT_STORED,
        sentence=f"memory was given {quote(loss.gold.fact)}, and no stored fact is like it",
    )
    found = (diagnosis for stage in stages for diagnosis in stage(loss))
    return next(found, lost if loss.archive.own else nothing)


def _wrong_provenance(archive: Archive, stored: str) -> Diagnosis:
    wrong = next(
        fact
        for fact in archive.own
        if fact.fact == stored and not is_right(fact, archive.page, archive.provenance)
    )
    session = f"{archive.provenance}:{archive.page}"
    pairs = (
        ("source", wrong.source, archive.provenance),
        ("session", wrong.source_session, session),
    )
    sayings = [
        f"its {name} is {quote(str(seen))} and should be {quote(right)}"
        for name, seen, right in pairs
        if seen != right
    ]
    sentence = f"{quote(stored)} is stored, but {' and '.join(sayings)}"
    return Diagnosis(cause=Cause.PROVENANCE, sentence=sentence)


def _taken(loss: Loss) -> Iterator[Diagnosis]:
    for fact in loss.archive.own:
        if matches(loss.gold, fact):
            sentence = (
                f"{quote(fact.fact)} is stored once, and another gold fact was counted for it"
            )
            yield Diagnosis(cause=Cause.TAKEN, sentence=sentence)


def _unlike(loss: Loss) -> Iterator[Diagnosis]:
    gold = loss.gold
    for fact in loss.archive.own:
        if contains_all(fact.fact, gold.match_keywords):
            entity = code(fact.entity_slug) if fact.entity_slug else "no entity"
            sentence = (
                f"{quote(fact.fact)} is stored for {entity}, and should be for "
                f"{code(gold.entity_slug or '')}"
            )
            yield Diagnosis(cause=Cause.ENTITY, sentence=sentence)
    for fact in loss.archive.own:
        missing = missing_keywords(fact.fact, gold.match_keywords)
        if fact.fact == gold.fact or len(missing) < len(gold.match_keywords):
            yield Diagnosis(cause=Cause.KEYWORDS, sentence=_lacking(fact.fact, missing))


def _lacking(fact: str, missing: Sequence[str]) -> str:
    if not missing:
        return f"{quote(fact)} is stored, and the gold has no keywords to know it by"
    return f"{quote(fact)} is stored, and lacks {' and '.join(map(quote, missing))}"


def _elsewhere(loss: Loss) -> Iterator[Diagnosis]:
    archive = loss.archive
    for fact in archive.facts:
        page = fact.source_markdown_slug
        if page != archive.page and fact.fact not in archive.seeded and matches(loss.gold, fact):
            where = f"for the page {code(page)}" if page else "without naming a page"
            sentence = (
                f"{quote(fact.fact)} is stored {where}, and should be for {code(archive.page)}"
            )
            yield Diagnosis(cause=Cause.OTHER_PAGE, sentence=sentence)


def _misplaced(loss: Loss) -> Iterator[Diagnosis]:
    archive = loss.archive
    if not archive.traces_messages:
        return
    turns = [turn.turn_id for turn in archive.fixture.turns]
    traced = archive.trace()[turns.index(loss.turn_id)]
    if traced.placed in PLACED:
        sentence = _say_placed(loss, traced)
        yield Diagnosis(cause=PLACED[traced.placed], sentence=sentence)


def _say_placed(loss: Loss, traced: TracedMessage) -> str:
    turn = f"the message of turn {loss.turn_id}"
    match traced.placed:
        case Placed.UNREADABLE_TIME:
            turns = loss.archive.fixture.turns
            ts = next(turn.ts for turn in turns if turn.turn_id == loss.turn_id)
            return f"{turn} was left out, since its time {quote(ts or '')} can't be read"
        case Placed.ALONE:
            minutes = int(MAX_GAP.total_seconds() // 60)
            return (
                f"{turn} is alone in its segment and was dropped: more than {minutes} minutes, "
                f"or a segment of {MAX_MESSAGES} messages, lie between it and the others"
            )
        case _:
            return (
                f"{turn} ends {traced.end_chars:,} characters into its segment, and a segment is "
                f"cut at {MAX_CHARS:,}"
            )


def _unasked(loss: Loss) -> Iterator[Diagnosis]:
    segments = loss.archive.writing.segments
    if not segments:
        sentence = "memory had no facts drawn from any part of the conversation"
        yield Diagnosis(cause=Cause.NOT_ASKED, sentence=sentence)
    elif not any(loss.said in segment for segment in segments):
        count = "1 text" if len(segments) == 1 else f"{len(segments)} texts"
        sentence = (
            f"memory had facts drawn from {count}, and none holds the message of turn "
            f"{loss.turn_id} word for word"
        )
        yield Diagnosis(cause=Cause.NOT_IN_SEGMENT, sentence=sentence)
