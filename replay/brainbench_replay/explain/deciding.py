"""Why an earlier decision came back to a reader, or did not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from brainbench_replay.explain.causes import Cause, Diagnosis, code, list_codes, quote
from brainbench_replay.explain.retrieval import Scene, explain_page
from brainbench_replay.explain.writing import Archive, Loss, explain_fact
from brainbench_replay.metrics.write_back import contains_all, grade, missing_keywords

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from brainbench_schema.gold import Decision, Gold, GoldFact

VAGUE = (Cause.NOT_MENTIONED, Cause.NOT_RETURNED)
"""Causes that say least: another turn may tell more about the same page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """A decision between the writer that made it and the reader that should know of it.

    Attributes:
        scene: The reader's turns.
        archive: What the writer's conversation left in storage.
        gold: The writer's gold.
    """

    scene: Scene
    archive: Archive
    gold: Gold
    decision: Decision


def explain_decision(seen: Recollection, evidence: Mapping[str, Any], harness: str) -> Diagnosis:
    """Say by what a decision was recalled, or why neither page nor fact brought it back.

    Args:
        evidence: What the probe saw: `slugs` and the `fact` that did it.
    """
    if evidence["slugs"]:
        sentence = f"the reader was shown {list_codes(evidence['slugs'])}"
        return Diagnosis(cause=Cause.CAME, sentence=sentence)
    if evidence["fact"]:
        sentence = f"the fact {quote(evidence['fact'])} holds all keywords"
        return Diagnosis(cause=Cause.CAME, sentence=sentence)
    fact = _explain_facts(seen)
    pages = [_explain_slug(seen.scene, slug, harness) for slug in seen.decision.expected_slugs]
    told = [f"no stored fact tells it: {fact.sentence}", *pages]
    return Diagnosis(cause=fact.cause, sentence="; and ".join(told))


def _explain_slug(scene: Scene, slug: str, harness: str) -> str:
    found = [
        (moment.turn.turn_id, explain_page(scene, moment, slug, harness))
        for moment in scene.moments.values()
    ]
    if not found:
        return f"{code(slug)} did not come: the reader has no turn"
    telling = [pair for pair in found if pair[1].cause not in VAGUE]
    turn_id, diagnosis = (telling or found)[0]
    return f"{code(slug)} did not come (turn {turn_id}): {diagnosis.sentence}"


def _explain_facts(seen: Recollection) -> Diagnosis:
    stages = (_other_source, _keywordless, _lost, _nearest)
    nothing = Diagnosis(
        cause=Cause.NOTHING_STORED, sentence="no fact of the active source holds any keyword of it"
    )
    return next((found for stage in stages for found in stage(seen)), nothing)


def _keywordless(seen: Recollection) -> Iterator[Diagnosis]:
    if not seen.decision.match_keywords:
        sentence = "the gold gives no keywords, and no keywords match no fact"
        yield Diagnosis(cause=Cause.KEYWORDS, sentence=sentence)


def _other_source(seen: Recollection) -> Iterator[Diagnosis]:
    for fact in seen.archive.facts:
        if contains_all(fact.fact, seen.decision.match_keywords):
            active = seen.scene.fixture.active_source
            sentence = (
                f"{quote(fact.fact)} is in the source {quote(fact.source_id)}, and "
                f"{quote(active)} is the reader's active one"
            )
            yield Diagnosis(cause=Cause.FACT_OTHER_SOURCE, sentence=sentence)


def _lost(seen: Recollection) -> Iterator[Diagnosis]:
    """The writer stated it, and it was lost on the way into storage."""
    told = list(_stated(seen))
    graded = grade(
        [(str(index), gold) for index, (_, gold) in enumerate(told)],
        seen.archive.facts,
        page=seen.archive.page,
        provenance=seen.archive.provenance,
    )
    for (turn_id, gold), (_, _, evidence) in zip(told, graded, strict=True):
        if not evidence["found"] and contains_all(gold.fact, seen.decision.match_keywords):
            yield explain_fact(Loss(archive=seen.archive, gold=gold, turn_id=turn_id), evidence)


def _stated(seen: Recollection) -> Iterator[tuple[int, GoldFact]]:
    for turn in seen.archive.fixture.turns:
        if turn.turn_id in seen.gold.turns:
            yield from ((turn.turn_id, fact) for fact in seen.gold.turns[turn.turn_id].gold_facts)


def _nearest(seen: Recollection) -> Iterator[Diagnosis]:
    keywords = seen.decision.match_keywords
    active = seen.scene.fixture.active_source
    facts = [fact.fact for fact in seen.archive.facts if fact.source_id == active]
    if not facts:
        return
    nearest = min(facts, key=lambda fact: len(missing_keywords(fact, keywords)))
    missing = missing_keywords(nearest, keywords)
    if len(missing) < len(keywords):
        lacking = " and ".join(map(quote, missing))
        sentence = f"the nearest fact, {quote(nearest)}, lacks {lacking}"
        yield Diagnosis(cause=Cause.KEYWORDS, sentence=sentence)
