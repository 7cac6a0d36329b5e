"""State 7: a system can move, and only one that can't start is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gate.worlds import MEMORY, POLICY, TREE, World, asks
from tests.states.rows import state
from tests.states.ways_out import WORSE, next_passes

from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from pathlib import Path

MOVED = POLICY.replace("[memory.json]", "[src/memory.json]")


@state(7)
def test_a_system_can_move(tmp_path: Path) -> None:
    """Base's entry starts no more; the tree's own is measured against main's baseline."""
    world = World(tmp_path)
    moved = {POLICY_FILE: MOVED, MEMORY: None, "src/memory.json": TREE[MEMORY]}
    unnamed = world.judge(world.propose(moved, bless="policy: the memory moves to src"))
    assert (1, "entry-gone") == (unnamed.code, unnamed.reason)
    head = world.propose(moved, bless="policy, system: the memory moves to src")
    assert 0 == world.judge(head).code
    worse = {**moved, "src/memory.json": WORSE[MEMORY]}
    found = world.judge(world.propose(worse, bless="policy, system: the memory moves to src"))
    assert "newly failed: bob#1 (codex/know-to-ask)" in found.lines
    world.merge(head)
    assert next_passes(world)


@state(7)
def test_a_corpus_may_change_along_with_a_system_that_moves(tmp_path: Path) -> None:
    """The tree's entry is measured on base's corpus all the same."""
    world = World(tmp_path)
    files = {
        POLICY_FILE: MOVED,
        MEMORY: None,
        "src/memory.json": WORSE[MEMORY],
        **asks("eve", "Eve Low"),
    }
    found = world.judge(world.propose(files, bless="policy, system: the memory moves to src"))
    assert 0 == found.code
    assert "newly failed: bob#1 (codex/know-to-ask)" in found.lines


@state(7)
def test_a_system_that_fails_on_both_grounds_is_not_gone(tmp_path: Path) -> None:
    """The entry is the same: it is the code that fails."""
    world = World(tmp_path)
    found = world.judge(world.propose({MEMORY: None, **asks("eve", "Eve Low")}))
    assert (2, "system") == (found.code, found.reason)
