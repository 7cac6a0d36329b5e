"""State 10: a memory may lack sources; withdrawing them needs a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gate.worlds import TREE, World, memory
from tests.states.rows import state
from tests.states.ways_out import land, next_passes

if TYPE_CHECKING:
    from pathlib import Path


@state(10)
def test_isolation_is_not_measured_without_sources(tmp_path: Path) -> None:
    """Those fixtures are skipped by name, and no cell says 0."""
    world = World(tmp_path, {"README.md": "a word"})
    bare = {**TREE, **memory(lacks=["sources"])}
    head = world.propose(bare, bless=True)
    found = world.judge(head)
    assert (0, "bootstrap") == (found.code, found.reason)
    assert "isolation: not measured" in found.lines
    assert "left out: apart" in found.lines
    assert found.judged is not None
    metrics = {name for cell in found.judged.run.result.cells for name in cell.metrics}
    assert "source_isolation_violations" not in metrics
    world.merge(head)
    assert next_passes(world)


@state(10)
def test_sources_can_be_added(tmp_path: Path) -> None:
    """More items are counted on the same corpus, which a reason explains."""
    world = World(tmp_path, {**TREE, **memory(lacks=["sources"])})
    world.origin.commit(world.blessed())
    bare = world.judge(world.propose(memory(), bless=True))
    assert {"gold_total"} == {breach.metric for breach in bare.verdict.breaches}
    head = world.propose(memory(), bless="gold_total: the memory knows sources from now on")
    land(world, head)


@state(10)
def test_withdrawing_a_capability_is_a_breach(tmp_path: Path) -> None:
    """Whatever else goes with it."""
    world = World(tmp_path)
    withdrawn = memory(deaf=["Cyd Moon"], lacks=["sources"])
    found = world.judge(world.propose(withdrawn, bless=True))
    assert 1 == found.code
    assert ("capabilities", "sources") in {
        (breach.cell, breach.metric) for breach in found.verdict.breaches
    }
    reason = "sources: the new store has none, gold_total shrinks with it"
    assert 0 == world.judge(world.propose(withdrawn, bless=reason)).code
