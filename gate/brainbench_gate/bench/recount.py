"""A result held against its own rows and against the corpus it names: nothing is taken on trust.

What follows from rows and gold is recomputed: gold itself, leaks, passed items, every cell. What
a program alone can know, such as which pages came, stays the word of whoever measured.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from brainbench_gate.rules import ISOLATION
from brainbench_replay.metrics.cells import build_cells
from brainbench_replay.metrics.write_back import contains_all
from brainbench_replay.plan import foreign_slugs, plan
from brainbench_schema.errors import Fault
from brainbench_schema.fixture import DEFAULT_SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from brainbench_replay.corpus import Case
    from brainbench_replay.plan import Unit
    from brainbench_schema.fixture import Fixture
    from brainbench_schema.gold import Decision, GoldFact
    from brainbench_schema.result import Cell, ItemRow, Result, TurnRow

SOURCES = "sources"
UNSUPPORTED = "does not support it"
Covered = Collection[tuple[str, str]]
TurnKey = tuple[str, int, str, str]
ItemKey = tuple[str, str, str]


def has_sources(result: Result) -> bool:
    """Tell whether the measured system knows sources: only then do cells count leaks."""
    return any(ISOLATION in cell.metrics for cell in result.cells)


def choose_cases(result: Result, cases: Sequence[Case]) -> tuple[Case, ...]:
    """Give the cases that a result covers: those of several sources only where it knows them."""
    if has_sources(result):
        return tuple(cases)
    return tuple(case for case in cases if not _uses_sources(case.fixture))


def read_capabilities(result: Result) -> frozenset[str]:
    """Tell from its cells what the measured system supports."""
    unable = {entry.suite for entry in result.skipped if entry.reason.endswith(UNSUPPORTED)}
    able = set(result.suites) - unable
    return frozenset({*able, SOURCES} if has_sources(result) else able)


def find_contradictions(
    result: Result, cases: Sequence[Case], seams: Mapping[str, str], file: str
) -> Iterator[Fault]:
    """List everything in which a result differs from what its rows and its corpus say.

    A cell that the result leaves out is no contradiction: the rules miss it in main's baseline.

    Args:
        cases: The corpus of the result, held-out cases left out.
        seams: The kind of seam of each harness, in the order of the cells.
        file: The result's name, for the faults.
    """
    suites = tuple(dict.fromkeys(cell.suite for cell in result.cells))
    units = plan(choose_cases(result, cases), suites)
    covered = {(cell.harness, cell.suite) for cell in result.cells}
    yield from _check_turns(result, units, covered, file)
    yield from _check_items(result, units, covered, file)
    yield from _check_cells(result, seams, file)


def _uses_sources(fixture: Fixture) -> bool:
    paged = {page.source_id for page in fixture.pages}
    stated = {fact.source_id for fact in fixture.facts}
    return bool({*fixture.sources, fixture.active_source, *paged, *stated} - {DEFAULT_SOURCE})


def _check_turns(
    result: Result, units: Sequence[Unit], covered: Covered, file: str
) -> Iterator[Fault]:
    wanted = dict(_expect_turns(units, covered))
    seen: set[TurnKey] = set()
    for index, row in enumerate(result.turn_rows):
        key = (row.fixture_id, row.turn_id, row.harness, row.suite)
        place = f"/turn_rows/{index}"
        if key not in wanted or key in seen:
            yield Fault(file=file, pointer=place, message="the corpus asks for no such row")
        else:
            yield from _check_turn(row, *wanted[key], file=file, pointer=place)
        seen.add(key)
    for key in sorted(wanted.keys() - seen):
        message = f"no row for turn {key[1]} of {key[0]!r} on {key[2]}/{key[3]}"
        yield Fault(file=file, pointer="/turn_rows", message=message)


def _expect_turns(
    units: Iterable[Unit], covered: Covered
) -> Iterator[tuple[TurnKey, tuple[dict[str, object] | None, set[str]]]]:
    for unit in units:
        if unit.reader is None:
            continue
        fixture = unit.reader.fixture
        foreign = foreign_slugs(unit.seed, fixture.active_source)
        for turn in fixture.turns:
            if turn.role != "user":
                continue
            gold = unit.reader.gold.turns.get(turn.turn_id)
            expected = (gold.retrieval if gold else None, foreign)
            for harness, suite in covered:
                if suite in unit.suites:
                    yield (fixture.fixture_id, turn.turn_id, harness, suite), expected


def _check_turn(
    row: TurnRow, gold: dict[str, object] | None, foreign: set[str], *, file: str, pointer: str
) -> Iterator[Fault]:
    if row.gold != gold:
        yield Fault(file=file, pointer=f"{pointer}/gold", message="is not the corpus's gold")
    leaked = tuple(slug for slug in row.injected_slugs if slug in foreign)
    if row.cross_source_slugs != leaked:
        message = f"should be {list(leaked)}: the injected pages of sources that were not active"
        yield Fault(file=file, pointer=f"{pointer}/cross_source_slugs", message=message)
    if len(set(row.injected_slugs)) != len(row.injected_slugs):
        yield Fault(file=file, pointer=f"{pointer}/injected_slugs", message="a slug stands twice")


def _check_items(
    result: Result, units: Sequence[Unit], covered: Covered, file: str
) -> Iterator[Fault]:
    facts, decisions = dict(_expect_facts(units)), dict(_expect_decisions(units))
    asked: dict[str, Collection[str]] = {"write-back": facts, "continuity": decisions}
    wanted: set[ItemKey] = {
        (harness, suite, item) for harness, suite in covered for item in asked.get(suite, ())
    }
    injected = _gather_injected(result)
    seen: set[ItemKey] = set()
    for index, row in enumerate(result.item_rows):
        key = (row.harness, row.suite, row.item)
        if key not in wanted or key in seen:
            message = "the corpus asks for no such row"
            yield Fault(file=file, pointer=f"/item_rows/{index}", message=message)
        elif not _is_backed(row, facts, decisions, injected):
            message = f"{row.item}: `passed` does not follow from the evidence"
            yield Fault(file=file, pointer=f"/item_rows/{index}/passed", message=message)
        seen.add(key)
    for harness, suite, item in sorted(wanted - seen):
        message = f"no row for {item} on {harness}/{suite}"
        yield Fault(file=file, pointer="/item_rows", message=message)


def _expect_facts(units: Iterable[Unit]) -> Iterator[tuple[str, GoldFact]]:
    for unit in units:
        if unit.writer and unit.scores_writing:
            name = unit.writer.fixture.fixture_id
            for turn_id, gold in unit.writer.gold.turns.items():
                for place, fact in enumerate(gold.gold_facts, 1):
                    yield f"{name}#{turn_id}/{place}", fact


def _expect_decisions(units: Iterable[Unit]) -> Iterator[tuple[str, tuple[str, Decision]]]:
    for unit in units:
        if unit.reader and "continuity" in unit.suites:
            gold = unit.reader.gold
            for decision in gold.decisions:
                place = (unit.reader.fixture.fixture_id, decision)
                yield f"{gold.pair_id}/{decision.decision_id}", place


def _gather_injected(result: Result) -> dict[tuple[str, str], set[str]]:
    found: dict[tuple[str, str], set[str]] = {}
    for row in result.turn_rows:
        if row.suite == "continuity":
            found.setdefault((row.fixture_id, row.harness), set()).update(row.injected_slugs)
    return found


def _is_backed(
    row: ItemRow,
    facts: Mapping[str, GoldFact],
    decisions: Mapping[str, tuple[str, Decision]],
    injected: Mapping[tuple[str, str], set[str]],
) -> bool:
    evidence = row.evidence
    if row.suite == "write-back":
        stored = evidence.get("stored")
        found = isinstance(stored, str) and contains_all(stored, facts[row.item].match_keywords)
        right = found and evidence.get("provenance") is True
        return evidence.get("found") is found and row.passed is right
    fixture_id, decision = decisions[row.item]
    came = injected.get((fixture_id, row.harness), set()) & set(decision.expected_slugs)
    fact = evidence.get("fact")
    told = isinstance(fact, str) and contains_all(fact, decision.match_keywords)
    return evidence.get("slugs") == sorted(came) and row.passed is (bool(came) or told)


def _check_cells(result: Result, seams: Mapping[str, str], file: str) -> Iterator[Fault]:
    counted = build_cells(result.turn_rows, result.item_rows, seams)
    recounted = {cell.key: cell for cell in counted}
    if not has_sources(result):
        recounted = {cell.key: _without_leaks(cell) for cell in counted}
    for index, cell in enumerate(result.cells):
        if cell.key not in recounted:
            message = f"{cell.key} has no rows to recompute it from"
            yield Fault(file=file, pointer=f"/cells/{index}", message=message)
        elif difference := _differ(cell, recounted[cell.key]):
            message = f"{cell.key} contradicts its rows: {difference}"
            yield Fault(file=file, pointer=f"/cells/{index}", message=message)
    for key in sorted(recounted.keys() - {cell.key for cell in result.cells}):
        yield Fault(file=file, pointer="/cells", message=f"lacks {key}, which has rows")


def _without_leaks(cell: Cell) -> Cell:
    metrics = {name: value for name, value in cell.metrics.items() if name != ISOLATION}
    return replace(cell, metrics=metrics)


def _differ(cell: Cell, recounted: Cell) -> str:
    for name in ("gold_total", "gold_failed", "seam", "metrics", "fixtures"):
        said, counted = getattr(cell, name), getattr(recounted, name)
        if said != counted:
            return f"{name} {said}, recomputed {counted}"
    return ""
