"""State 1: before main has a baseline the gate reports, and the first one is held to the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gate.worlds import BASELINE, ITEMS, POLICY, TREE, World, memory
from tests.states.rows import state
from tests.states.ways_out import WORSE, next_passes

from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from pathlib import Path


@state(1)
def test_the_first_policy_is_not_gating_yet(tmp_path: Path) -> None:
    """It passes as a report, with a note that nothing is compared."""
    world = World(tmp_path, {"README.md": "a word"})
    found = world.judge(world.propose(TREE))
    assert (0, "bootstrap") == (found.code, found.reason)
    assert "Not gating yet: main has no baseline" in found.text


@state(1)
def test_a_policy_can_ask_for_a_baseline_at_once(tmp_path: Path) -> None:
    """`first_landing: fail` is exit 2 until one is committed."""
    world = World(tmp_path, {"README.md": "a word"})
    strict = {**TREE, POLICY_FILE: f"{POLICY}first_landing: fail\n"}
    found = world.judge(world.propose(strict))
    assert (2, "bootstrap") == (found.code, found.reason)
    assert 0 == world.judge(world.propose(strict, bless=True)).code


@state(1)
def test_the_way_out_is_to_commit_a_baseline(tmp_path: Path) -> None:
    """From then on main is compared with."""
    world = World(tmp_path, {"README.md": "a word"})
    world.merge(world.propose(TREE))
    first = world.propose({"docs.md": "a word"}, bless=True)
    found = world.judge(first)
    assert (0, "bootstrap") == (found.code, found.reason)
    assert "equal this run" in found.lines
    world.merge(first)
    assert next_passes(world)
    assert 1 == world.judge(world.propose(WORSE)).code


@state(1)
@pytest.mark.parametrize("path", [BASELINE, ITEMS])
def test_a_first_baseline_is_held_to_the_run(tmp_path: Path, path: str) -> None:
    """Neither file is taken on trust, and one of them alone is not enough."""
    world = World(tmp_path, {"README.md": "a word"})
    world.origin.branch("topic")
    world.origin.commit(TREE)
    files = world.blessed()
    doctored = (
        files[path].replace(b'"gold_failed": 1', b'"gold_failed": 2').replace(b"cyd#1", b"b#1")
    )
    found = world.judge(world.origin.commit({**files, path: doctored}))
    assert (2, "baseline-not-backed") == (found.code, found.reason)
    assert 2 == world.judge(world.origin.commit({**files, path: None})).code


@state(1)
def test_a_leak_is_exit_1_from_the_first_day(tmp_path: Path) -> None:
    """With the turns that leaked."""
    world = World(tmp_path, {"README.md": "a word"})
    found = world.judge(world.propose({**TREE, **memory(leaky=True)}))
    assert (1, "isolation") == (found.code, found.reason)
    assert "apart#2 on codex: people/carol-poe" in found.lines


@state(1)
def test_a_first_landing_can_be_verified(tmp_path: Path) -> None:
    """Two replays have to be equal there, too."""
    world = World(tmp_path, {"README.md": "a word"})
    found = world.judge(world.propose({**TREE, **memory(moody=["Bob Ray"])}), verify=True)
    assert (2, "not-reproducible") == (found.code, found.reason)
