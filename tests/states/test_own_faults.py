"""State 3: what the tree's own files have wrong does not get to main."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gate.worlds import BASELINE, GOLD, ITEMS, POLICY, TREE, World
from tests.states.rows import state

from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from pathlib import Path


@state(3)
@pytest.mark.parametrize("path", [POLICY_FILE, BASELINE, ITEMS, f"{GOLD}/bob.gold.json"])
def test_conflict_markers_do_not_get_to_main(tmp_path: Path, path: str) -> None:
    """Exit 2, naming the file."""
    world = World(tmp_path)
    text = world.origin.git("show", f"main:{path}")
    marked = f"<<<<<<< ours\n{text}\n=======\n{text}\n>>>>>>> theirs\n"
    found = world.judge(world.propose({path: marked}))
    assert (2, "bad-input") == (found.code, found.reason)
    assert path.rpartition("/")[2] in found.text


@state(3)
def test_a_first_baseline_that_can_not_be_read_does_not_get_to_main(tmp_path: Path) -> None:
    """It is not the same as none."""
    world = World(tmp_path, {"README.md": "a word"})
    found = world.judge(world.propose({**TREE, BASELINE: "<<<<<<< ours\n"}))
    assert (2, "bad-input") == (found.code, found.reason)


@state(3)
def test_a_floor_above_the_own_baseline_does_not_get_to_main(tmp_path: Path) -> None:
    """Every later pull request would fail on it."""
    world = World(tmp_path)
    found = world.judge(world.propose({POLICY_FILE: f"{POLICY}floors: {{push_recall: 0.9}}\n"}))
    assert (2, "bad-input") == (found.code, found.reason)
    assert f"{BASELINE}#/cells/claude-code~1push/push_recall" in found.text
    lower = {POLICY_FILE: f"{POLICY}floors: {{push_recall: 0.75}}\n"}
    assert 0 == world.judge(world.propose(lower)).code


@state(3)
@pytest.mark.parametrize(
    "floors",
    ["push_recal: 0.1", "codex/pusch: {push_recall: 0.1}", "codex/push: {continuity_rate: 0}"],
)
def test_a_floor_that_bounds_nothing_does_not_get_to_main(tmp_path: Path, floors: str) -> None:
    """It would protect nothing."""
    world = World(tmp_path)
    found = world.judge(world.propose({POLICY_FILE: f"{POLICY}floors:\n  {floors}\n"}))
    assert (2, "bad-input") == (found.code, found.reason)
    assert "no cell" in found.text
