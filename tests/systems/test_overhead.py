"""What the way to another process costs."""

from __future__ import annotations

import sys
from time import perf_counter

from tests.systems.kinds import PROGRAMS

from brainbench_replay.systems.anchors import PlainBrain
from brainbench_replay.systems.opening import open_external
from brainbench_replay.systems.protocol import BrainSeed
from brainbench_schema.fixture import Page
from brainbench_schema.policy import SystemEntry

TURNS = 1_000
MOST_SECONDS = 0.5


def test_a_thousand_turns_cost_little_more_than_in_process() -> None:
    """A command that answers at once costs at most half a second more."""
    page = Page(slug="people/ana", content="---\ntitle: Ana\n---\nA.\n", source_id="default")
    seed = BrainSeed(key="timed", sources=("default",), pages=(page,), facts=())
    entry = SystemEntry(kind="command", command=(sys.executable, "command_memory.py"))
    with open_external("timed", entry, folder=PROGRAMS) as system:
        outside = min(_time(system.open(seed)) for _ in range(3))
    assert outside - _time(PlainBrain(seed)) < MOST_SECONDS


def _time(brain: object) -> float:
    started = perf_counter()
    for number in range(TURNS):
        found = brain.recall(f"Turn {number}: where is Ana?", source="default")  # type: ignore[attr-defined]
        assert [pointer.slug for pointer in found] == ["people/ana"]
    return perf_counter() - started
