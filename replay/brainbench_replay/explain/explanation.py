"""Everything that was seen of one item, put together for a reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from brainbench_replay.explain.causes import code
from brainbench_replay.explain.document import (
    Explanation,
    Heard,
    Held,
    Outcome,
    Said,
    join_names,
)
from brainbench_replay.explain.item_ids import Kind
from brainbench_replay.explain.mentions import name_page
from brainbench_replay.systems.reflex.candidates import Sifted
from brainbench_replay.systems.reflex.segments import Placed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from brainbench_replay.explain.investigation import Investigation
    from brainbench_replay.explain.item_ids import ItemId
    from brainbench_replay.plan import Unit
    from brainbench_replay.systems.reflex.memory import RecallTrace
    from brainbench_replay.systems.reflex.segments import TracedMessage
    from brainbench_schema.fixture import Fixture
    from brainbench_schema.gold import GoldTurn


def explain_item(
    item: ItemId, seen: Investigation, *, harnesses: Sequence[str] | None = None
) -> Explanation:
    """Put together what was seen of an item.

    Args:
        harnesses: The ones to tell of; None for all that it was measured on.

    Raises:
        UsageError: It was not measured.
    """
    unit = seen.unit(item)
    told = [name for name in seen.harnesses(item) if harnesses is None or name in harnesses]
    writes = item.kind in (Kind.FACT, Kind.DECISION)
    return Explanation(
        item=item.text,
        suite=seen.suite(item),
        system=seen.result.system.name,
        active_source=item.case.fixture.active_source,
        expected=tuple(_expect(item, seen.suite(item))),
        outcomes=tuple(_outcome(item, unit, seen, harness) for harness in told),
        conversations=tuple(_conversations(item, unit, seen)),
        heard=None if writes else _heard(item, unit, seen),
        pages=tuple(_pages(unit)),
        facts=unit.seed.facts,
        stored=tuple(seen.archive(unit).own) if writes else None,
    )


def _outcome(item: ItemId, unit: Unit, seen: Investigation, harness: str) -> Outcome:
    injected: tuple[str, ...] = ()
    standings: Mapping[str, Any] = {}
    if item.kind is Kind.DECISION:
        moments = seen.scene(unit).moments.values()
        slugs = [slug for moment in moments for slug in moment.stages[harness].injected]
        injected = tuple(dict.fromkeys(slugs))
    elif item.kind is not Kind.FACT:
        stage = seen.scene(unit).moments[item.turn_id].stages[harness]
        injected, standings = stage.injected, stage.standings
    return Outcome(
        harness=harness,
        passed=seen.passed(item, harness),
        injected=injected,
        standings=tuple((slug, how.value) for slug, how in standings.items()),
        diagnosis=seen.diagnose(item, harness),
    )


def _expect(item: ItemId, suite: str) -> Iterator[str]:
    if item.kind is Kind.DECISION:
        decisions = item.case.gold.decisions
        decision = next(one for one in decisions if one.decision_id == item.decision_id)
        if decision.expected_slugs:
            yield f"the reader is shown {_any_of(decision.expected_slugs)} in one of its turns"
        if decision.match_keywords:
            words = ", ".join(f"“{word}”" for word in decision.match_keywords)
            yield f"or one stored fact of the active source holds {words}"
        return
    gold = item.case.gold.turns[item.turn_id]
    if item.kind is Kind.FACT:
        fact = gold.gold_facts[item.place - 1]
        words = ", ".join(f"“{word}”" for word in fact.match_keywords)
        entity = f" for {code(fact.entity_slug)}" if fact.entity_slug else ""
        yield f"“{fact.fact}” is stored{entity}; it is known by {words}"
        return
    yield from _expect_pages(item, gold, suite)


def _expect_pages(item: ItemId, gold: GoldTurn, suite: str) -> Iterator[str]:
    if item.kind is Kind.STRAY:
        yield f"{code(item.slug)} does not come"
    if item.kind is Kind.PAGE:
        yield f"{code(item.slug)} comes"
    elif gold.should_retrieve:
        slugs = [code(slug) for slug in gold.gold_slugs]
        joined = join_names(slugs) if suite == "push" else " or ".join(slugs)
        yield f"{joined} {'come' if suite == 'push' and len(slugs) > 1 else 'comes'}"
    else:
        yield "nothing has to come"
    if gold.acceptable_slugs:
        yield f"{_any_of(gold.acceptable_slugs)} may come"


def _any_of(slugs: Sequence[str]) -> str:
    return " or ".join(code(slug) for slug in slugs)


def _conversations(
    item: ItemId, unit: Unit, seen: Investigation
) -> Iterator[tuple[str, tuple[Said, ...]]]:
    if item.kind in (Kind.FACT, Kind.DECISION):
        assert unit.writer is not None
        yield "The conversation written back", tuple(_written(item, unit, seen))
    if item.kind is Kind.DECISION:
        yield "The reader's conversation", tuple(_said(item.case.fixture, None))
    elif item.kind is not Kind.FACT:
        yield "The conversation", tuple(_said(item.case.fixture, item.turn_id))


def _said(fixture: Fixture, last: int | None) -> Iterator[Said]:
    for turn in fixture.turns:
        yield Said(
            turn_id=turn.turn_id,
            role=turn.role,
            text=turn.text,
            ts=turn.ts,
            marked=turn.turn_id == last,
        )
        if turn.turn_id == last:
            return


def _written(item: ItemId, unit: Unit, seen: Investigation) -> Iterator[Said]:
    archive = seen.archive(unit)
    traced = archive.trace() if archive.traces_messages else [None] * len(archive.fixture.turns)
    for turn, trace in zip(archive.fixture.turns, traced, strict=True):
        yield Said(
            turn_id=turn.turn_id,
            role=turn.role,
            text=turn.text,
            ts=turn.ts,
            marked=item.kind is Kind.FACT and turn.turn_id == item.turn_id,
            remark=_remark(trace) if trace else "",
        )


def _remark(trace: TracedMessage) -> str:
    if trace.placed is Placed.IN_SEGMENT:
        return f"in segment {trace.segment}"
    return str(trace.placed.value)


def _heard(item: ItemId, unit: Unit, seen: Investigation) -> tuple[Heard, ...] | None:
    trace = seen.scene(unit).moments[item.turn_id].recall.trace
    return None if trace is None else tuple(_hear(trace))


def _hear(trace: RecallTrace) -> Iterator[Heard]:
    place = 0
    for seen in trace.sightings:
        found: tuple[tuple[str, str, str], ...] = ()
        if seen.sifted is Sifted.KEPT:
            found = tuple(
                (traced.match.slug, traced.match.arm, traced.counted.value)
                for traced in trace.matches
                if traced.match.candidate == place
            )
            place += 1
        yield Heard(
            said=seen.candidate.display,
            looked_up=seen.candidate.query,
            sifted=seen.sifted.value,
            found=found,
        )


def _pages(unit: Unit) -> Iterator[Held]:
    for page in unit.seed.pages:
        names = name_page(page)
        yield Held(
            slug=names.slug, title=names.title, aliases=names.aliases, source_id=page.source_id
        )
