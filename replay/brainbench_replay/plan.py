"""What a run does, laid out before it starts: one brain a unit, and what is done with it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from brainbench_replay.systems.protocol import BrainSeed
from brainbench_schema.fixture import RETRIEVAL_SUITES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from brainbench_replay.corpus import Case
    from brainbench_schema.fixture import Fixture


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One brain and what is done with it: turns replayed, a conversation written back, or both.

    Attributes:
        suites: Suites that the replayed turns give rows for.
        reader: Case whose turns are replayed, if any.
        writer: Case whose conversation is written back first, if any.
        scores_writing: Whether the facts written back are graded here.
    """

    seed: BrainSeed
    suites: tuple[str, ...] = ()
    reader: Case | None = None
    writer: Case | None = None
    scores_writing: bool = False

    @property
    def fixture_id(self) -> str:
        """The fixture that failures of the unit are told of."""
        case = self.reader or self.writer
        assert case is not None
        return case.fixture.fixture_id


def plan(cases: Sequence[Case], suites: Sequence[str]) -> list[Unit]:
    """Lay out the units of a run; retrieval, write-back and pairs have brains of their own.

    A continuity writer's facts are graded in its pair when that runs, else on its own.
    """
    units = []
    pairs = _running_pairs(cases) if "continuity" in suites else {}
    for case in cases:
        fixture = case.fixture
        asked = tuple(
            suite for suite in RETRIEVAL_SUITES if suite in suites and suite in fixture.suites
        )
        if asked:
            seed = _seed(f"retrieval:{fixture.fixture_id}", fixture)
            units.append(Unit(seed=seed, suites=asked, reader=case))
        if "write-back" in suites and _is_written(fixture) and case not in pairs.values():
            seed = _seed(f"write-back:{fixture.fixture_id}", fixture)
            units.append(Unit(seed=seed, writer=case, scores_writing=True))
    for reader_id, writer in pairs.items():
        reader = next(case for case in cases if case.fixture.fixture_id == reader_id)
        units.append(
            Unit(
                seed=_seed(f"continuity:{reader_id}", writer.fixture, reader.fixture),
                suites=("continuity",),
                reader=reader,
                writer=writer,
                scores_writing="write-back" in suites,
            )
        )
    return units


def _running_pairs(cases: Sequence[Case]) -> dict[str, Case]:
    members: dict[str, dict[str, Case]] = defaultdict(dict)
    for case in cases:
        if role := case.fixture.pair_role:
            assert case.fixture.continuity is not None
            members[case.fixture.continuity.pair_id][role] = case
    return {
        pair["reader"].fixture.fixture_id: pair["writer"]
        for pair in members.values()
        if len(pair) == 2
    }


def _is_written(fixture: Fixture) -> bool:
    return "write-back" in fixture.suites or fixture.pair_role == "writer"


def _seed(key: str, *fixtures: Fixture) -> BrainSeed:
    return BrainSeed(
        key=key,
        sources=tuple(dict.fromkeys(source for one in fixtures for source in _sources(one))),
        pages=tuple(page for one in fixtures for page in one.pages),
        facts=tuple(fact for one in fixtures for fact in one.facts),
    )


def _sources(fixture: Fixture) -> Iterable[str]:
    yield "default"
    yield from fixture.sources
    yield fixture.active_source
    yield from (page.source_id for page in fixture.pages)
    yield from (fact.source_id for fact in fixture.facts)


def find_sources(fixture: Fixture) -> frozenset[str]:
    """List the sources that a fixture uses or declares."""
    return frozenset(_sources(fixture))


def foreign_slugs(seed: BrainSeed, active_source: str) -> set[str]:
    """List the slugs that a brain was seeded with only in sources other than the active one."""
    own = {page.slug for page in seed.pages if page.source_id == active_source}
    return {page.slug for page in seed.pages} - own
