"""Every item of the edge-case corpus has an explanation that agrees with how it came out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.explain.planting import look_into

from brainbench_gate.explaining import render_explanation
from brainbench_replay.corpus import read_corpus
from brainbench_replay.explain.causes import Cause
from brainbench_replay.explain.explanation import explain_item
from brainbench_replay.explain.item_ids import find_item
from brainbench_replay.survey import list_items
from brainbench_replay.systems.anchors import Everything, Silent
from brainbench_replay.systems.reflex.memory import Reflex
from brainbench_schema.fixture import SUITES

if TYPE_CHECKING:
    import psycopg

    from brainbench_replay.systems.protocol import MemorySystem

CORPUS = Path(__file__).parents[1] / "conformance" / "corpus"
GOOD = {Cause.CAME, Cause.SILENT}


def disagreements(system: MemorySystem) -> list[str]:
    """Explain and render every gold item and every wrong push; gives those that don't agree."""
    cases = read_corpus(CORPUS / "fixtures", CORPUS / "gold").cases
    seen = look_into(system, *cases)
    ids = {item for items in list_items(cases, SUITES).values() for item in items}
    ids |= {item for items in seen.failed.values() for item in items}
    found = []
    for item in sorted(ids):
        told = explain_item(find_item(item, cases), seen)
        assert render_explanation(told).startswith(f"# {item} ")
        found += [
            f"{item} on {outcome.harness}: {outcome.diagnosis}"
            for outcome in told.outcomes
            if outcome.passed != (outcome.diagnosis.cause in GOOD)
        ]
    return found


def test_the_built_in_memory(database: psycopg.Connection) -> None:
    """A passing item is never given a fault, a failing one never goes without."""
    assert [] == disagreements(Reflex(database, "PostgreSQL"))


def test_the_ends_of_the_scale() -> None:
    """Nor with a memory that injects nothing, or all it can."""
    assert [] == disagreements(Silent())
    assert [] == disagreements(Everything())
