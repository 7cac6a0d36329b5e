"""A corpus of edge cases, against what an independent implementation makes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from brainbench_replay.corpus import Corpus, read_corpus
from brainbench_replay.harness import Replay, replay
from brainbench_replay.metrics.cells import build_cells
from brainbench_replay.seams import choose_seams
from brainbench_replay.systems.protocol import BrainSeed
from brainbench_replay.systems.reflex.memory import Reflex
from brainbench_schema.fixture import SUITES, Fixture
from brainbench_schema.policy import HARNESSES

if TYPE_CHECKING:
    import psycopg

HERE = Path(__file__).parent
SEAMS = choose_seams(HARNESSES)


@pytest.fixture(scope="module")
def expected() -> Any:
    return json.loads((HERE / "expected.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read_corpus(HERE / "corpus" / "fixtures", HERE / "corpus" / "gold")


def run(corpus: Corpus, database: psycopg.Connection, *, include_holdout: bool) -> Replay:
    cases = corpus.select(include_holdout=include_holdout)
    return replay(cases, Reflex(database, "PostgreSQL"), seams=SEAMS, suites=SUITES)


def score(seen: Replay) -> dict[str, Any]:
    cells = build_cells(seen.turn_rows, seen.item_rows, {s.harness: s.kind for s in SEAMS})
    return {
        cell.key: {
            "gold_total": cell.gold_total,
            "gold_failed": cell.gold_failed,
            "metrics": {
                name: value for name, value in cell.metrics.items() if name != "avg_injected_tokens"
            },
        }
        for cell in cells
    }


def test_hash(corpus: Corpus, expected: Any) -> None:
    """The corpus has the hash that the contract gives as its check value."""
    assert expected["fixtures_hash"] == corpus.fixtures_hash


def test_rows_and_cells(corpus: Corpus, expected: Any, database: psycopg.Connection) -> None:
    """Every injected slug and every number, held-out fixtures left out."""
    seen = run(corpus, database, include_holdout=False)
    rows = {
        (row.fixture_id, row.turn_id, row.harness, row.suite): sorted(row.injected_slugs)
        for row in seen.turn_rows
    }

    assert {
        (row["fixture_id"], row["turn_id"], row["harness"], row["suite"]): row["injected_slugs"]
        for row in expected["rows"]
    } == rows
    assert expected["cells"] == score(seen)


def test_cells_with_holdout(corpus: Corpus, expected: Any, database: psycopg.Connection) -> None:
    """Every number, held-out fixtures included."""
    assert expected["cells_with_holdout"] == score(run(corpus, database, include_holdout=True))


def test_resolved_pointers(corpus: Corpus, expected: Any, database: psycopg.Connection) -> None:
    """Every page that a turn resolves to before budget and suppression, with its arm."""
    system = Reflex(database, "PostgreSQL")
    fixtures = [case.fixture for case in corpus.cases]
    seeds = {fixture.fixture_id: _seed(fixture, fixtures) for fixture in fixtures}
    system.prepare(list(seeds.values()))

    assert {
        fixture_id: {turn: sorted(pointers) for turn, pointers in turns.items()}
        for fixture_id, turns in expected["resolved"].items()
    } == {
        fixture.fixture_id: {
            str(turn.turn_id): sorted(
                [pointer.slug, pointer.arm]
                for pointer in system.open(seeds[fixture.fixture_id]).recall(
                    turn.text, source=fixture.active_source
                )
            )
            for turn in fixture.turns
            if turn.role == "user"
        }
        for fixture in fixtures
    }


def _seed(fixture: Fixture, fixtures: list[Fixture]) -> BrainSeed:
    """A fixture's own pages; a reader's brain holds its writer's too."""
    pair_id = fixture.continuity.pair_id if fixture.pair_role == "reader" else None  # type: ignore[union-attr]
    holders = [
        one
        for one in fixtures
        if one is fixture or (pair_id and one.continuity and one.continuity.pair_id == pair_id)
    ]
    return BrainSeed(
        key=fixture.fixture_id,
        sources=("default",),
        pages=tuple(page for one in holders for page in one.pages),
        facts=(),
    )
