"""The replay itself: every case through every seam, and every conversation written back."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import TYPE_CHECKING

from brainbench_replay.metrics import continuity, write_back
from brainbench_replay.plan import Unit, foreign_slugs, plan
from brainbench_replay.seams import Session
from brainbench_replay.systems.protocol import (
    Conversation,
    ExtractedFact,
    Message,
    SpeakingBrain,
)
from brainbench_schema.errors import MemorySystemError, SeedError
from brainbench_schema.result import ItemRow, SeedFailure, TurnRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from brainbench_replay.corpus import Case
    from brainbench_replay.seams import Seam
    from brainbench_replay.systems.protocol import Brain, MemorySystem, Speaker
    from brainbench_schema.fixture import Fixture
    from brainbench_schema.gold import Gold

SPEAKERS = {"user": "You", "assistant": "Assistant"}


@dataclass(slots=True, kw_only=True)
class Replay:
    """What a replay saw: rows in the order of the corpus, and the fixtures that failed to seed."""

    turn_rows: list[TurnRow] = field(default_factory=list)
    item_rows: list[ItemRow] = field(default_factory=list)
    seed_failures: list[SeedFailure] = field(default_factory=list)


def replay(
    cases: Sequence[Case],
    system: MemorySystem,
    *,
    seams: Sequence[Seam],
    suites: Sequence[str],
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Replay:
    """Replay cases against a memory system.

    Args:
        seams: The harnesses to replay through.
        suites: The suites to measure.
        progress: Called with units done and units in all.

    Returns:
        Rows in a fixed order: the same corpus and system give the same rows, latencies aside.

    Raises:
        MemorySystemError: The system failed as a program; names fixture and turn.
    """
    units = plan(cases, suites)
    seen = Replay()
    system.prepare([unit.seed for unit in units])
    for done, unit in enumerate(units):
        progress(done, len(units))
        try:
            with placing(f"fixture {unit.fixture_id}"):
                brain = system.open(unit.seed)
        except SeedError as error:
            seen.seed_failures.append(SeedFailure(fixture_id=unit.fixture_id, error=str(error)))
            continue
        _run_unit(seen, unit, brain, system.provenance, seams)
    progress(len(units), len(units))
    return seen


@contextmanager
def placing(place: str) -> Iterator[None]:
    """Name the fixture and turn at which a system fails as a program."""
    try:
        yield
    except MemorySystemError as error:
        where = f"{error.where}, {place}" if error.where else place
        raise MemorySystemError(error.what, where=where, advice=error.advice) from error


def _run_unit(
    seen: Replay, unit: Unit, brain: Brain, provenance: str, seams: Sequence[Seam]
) -> None:
    if unit.writer:
        graded = _write(unit.writer, brain, provenance)
        if unit.scores_writing:
            seen.item_rows.extend(_writing_rows(unit.writer, graded, seams))
    if unit.reader:
        rows = list(_replay_turns(unit, unit.reader, brain, seams))
        seen.turn_rows.extend(rows)
        if "continuity" in unit.suites:
            seen.item_rows.extend(_probe_rows(unit.reader, brain, rows, seams))


def _write(case: Case, brain: Brain, provenance: str) -> list[tuple[str, bool, dict[str, object]]]:
    fixture = case.fixture
    slug = f"conversations/bench-{fixture.fixture_id}"
    conversation = Conversation(
        slug=slug,
        title=f"Conversation bench-{fixture.fixture_id}",
        messages=tuple(
            Message(speaker=SPEAKERS[turn.role], timestamp=turn.ts or "", text=turn.text)
            for turn in fixture.turns
        ),
    )
    extract = gold_extractor(fixture, case.gold)
    with placing(f"fixture {fixture.fixture_id}, conversation written back"):
        brain.write_back(conversation, source=fixture.active_source, extract=extract)
        stored = brain.facts()
    gold_facts = [
        (f"{fixture.fixture_id}#{turn.turn_id}/{place}", fact)
        for turn in fixture.turns
        if turn.turn_id in case.gold.turns
        for place, fact in enumerate(case.gold.turns[turn.turn_id].gold_facts, 1)
    ]
    return write_back.grade(gold_facts, stored, page=slug, provenance=provenance)


def gold_extractor(fixture: Fixture, gold: Gold) -> Callable[[str], list[ExtractedFact]]:
    """Make the extractor of deterministic runs.

    Returns:
        A function that gives exactly the gold facts whose turn stands verbatim in a segment.
    """
    stated = [
        (turn.text, fact)
        for turn in fixture.turns
        if turn.turn_id in gold.turns
        for fact in gold.turns[turn.turn_id].gold_facts
    ]

    def extract(segment: str) -> list[ExtractedFact]:
        return [
            ExtractedFact(fact=fact.fact, entity_slug=fact.entity_slug, kind=fact.kind)
            for text, fact in stated
            if text in segment
        ]

    return extract


def _writing_rows(
    case: Case, graded: Sequence[tuple[str, bool, dict[str, object]]], seams: Sequence[Seam]
) -> Iterable[ItemRow]:
    for seam in seams:
        for item, passed, evidence in graded:
            yield ItemRow(
                fixture_id=case.fixture.fixture_id,
                harness=seam.harness,
                suite="write-back",
                item=item,
                passed=passed,
                evidence=evidence,
            )


def _replay_turns(unit: Unit, case: Case, brain: Brain, seams: Sequence[Seam]) -> Iterable[TurnRow]:
    fixture = case.fixture
    foreign = foreign_slugs(unit.seed, fixture.active_source)
    sessions = [_open_session(seam, fixture, brain) for seam in seams]
    for turn in fixture.turns:
        if turn.role != "user":
            for session in sessions:
                session.hear(turn.text)
            continue
        place = f"fixture {fixture.fixture_id}, turn {turn.turn_id}"
        started = perf_counter_ns()
        with placing(place):
            pointers = brain.recall(turn.text, source=fixture.active_source)
        resolved = perf_counter_ns() - started
        gold = case.gold.turns.get(turn.turn_id)
        for seam, session in zip(seams, sessions, strict=True):
            started = perf_counter_ns()
            with placing(place):
                injection = session.inject(turn.text, pointers)
            latency_ms = (resolved + perf_counter_ns() - started) / 1e6
            for suite in unit.suites:
                yield TurnRow(
                    fixture_id=fixture.fixture_id,
                    turn_id=turn.turn_id,
                    harness=seam.harness,
                    suite=suite,
                    injected_slugs=injection.slugs,
                    injected_tokens=injection.tokens,
                    gold=gold.retrieval if gold else None,
                    cross_source_slugs=tuple(slug for slug in injection.slugs if slug in foreign),
                    latency_ms=round(latency_ms, 4),
                )


def _open_session(seam: Seam, fixture: Fixture, brain: Brain) -> Speaker:
    if isinstance(brain, SpeakingBrain):
        return brain.converse(seam.harness)
    pages = seam.preamble_pages
    index = brain.index(source=fixture.active_source, limit=pages) if pages else ()
    return Session(seam=seam, session_id=fixture.fixture_id, index=index)


def _probe_rows(
    case: Case, brain: Brain, rows: Sequence[TurnRow], seams: Sequence[Seam]
) -> Iterable[ItemRow]:
    fixture = case.fixture
    with placing(f"fixture {fixture.fixture_id}, facts read"):
        facts = brain.facts()
    assert fixture.continuity is not None
    for seam in seams:
        injected = {
            slug for row in rows if row.harness == seam.harness for slug in row.injected_slugs
        }
        for decision in case.gold.decisions:
            recalled, evidence = continuity.probe(
                decision, injected, facts, source=fixture.active_source
            )
            yield ItemRow(
                fixture_id=fixture.fixture_id,
                harness=seam.harness,
                suite="continuity",
                item=f"{fixture.continuity.pair_id}/{decision.decision_id}",
                passed=recalled,
                evidence=evidence,
            )
