"""State 4: what of base is broken is mended by anybody, and hides no regression."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gate.worlds import BASELINE, CORPUS, FIXTURES, GOLD, ITEMS, POLICY, World
from tests.states.rows import state
from tests.states.ways_out import WORSE, judge_files, land

from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from pathlib import Path


@state(4)
@pytest.mark.parametrize("path", [POLICY_FILE, BASELINE, ITEMS, f"{GOLD}/bob.gold.json"])
def test_what_of_base_is_broken_is_mended_by_anybody(tmp_path: Path, path: str) -> None:
    """The tree's version of that part is used; the reason names the state."""
    world = World(tmp_path)
    good = world.origin.git("show", f"main:{path}") + "\n"
    world.merge(world.propose({path: "<<<<<<< ours\n"}))
    bare = world.judge(world.propose({path: good}, bless=True))
    assert (1, "broken-base") == (bare.code, bare.reason)
    assert path.rpartition("/")[2] in bare.lines
    unblessed = world.judge(world.propose({path: good, "x.md": "", **WORSE}))
    assert 2 == unblessed.code
    head = world.propose({path: good}, bless="broken-base: a merge left conflict markers")
    land(world, head)


@state(4)
@pytest.mark.parametrize("path", [POLICY_FILE, BASELINE, ITEMS])
def test_a_broken_part_hides_no_regression_that_the_others_show(tmp_path: Path, path: str) -> None:
    """What can still be compared is."""
    world = World(tmp_path)
    good = world.origin.git("show", f"main:{path}") + "\n"
    world.merge(world.propose({path: "{"}))
    found = world.judge(world.propose({path: good, **WORSE}, bless=True))
    assert 1 == found.code
    metrics = {breach.metric for breach in found.verdict.breaches}
    assert metrics & {"items", "gold_failed"}


@state(4)
@pytest.mark.parametrize(
    "gone",
    [
        [POLICY_FILE],
        [f"{FIXTURES}/bob.fixture.json"],
        [path for path in CORPUS if path.startswith(FIXTURES)],
    ],
    ids=["policy", "fixture", "corpus"],
)
def test_a_base_that_lost_a_file_is_broken_or_stale(tmp_path: Path, gone: list[str]) -> None:
    """A baseline without a policy is no first landing."""
    world = World(tmp_path)
    good = {path: world.origin.git("show", f"main:{path}") + "\n" for path in gone}
    world.merge(world.propose(dict.fromkeys(gone)))
    found = world.judge(world.propose(good, bless=True))
    assert (1, "broken-base") == (found.code, found.reason)
    head = world.propose(good, bless="broken-base: somebody removed the file by mistake")
    land(world, head)


@state(4)
def test_a_base_whose_floor_bounds_nothing_is_broken(tmp_path: Path) -> None:
    """The tree's floors apply, so that the mistake can be mended."""
    world = World(tmp_path)
    world.merge(world.propose({POLICY_FILE: f"{POLICY}floors: {{push_recal: 0.1}}\n"}))
    mended = {POLICY_FILE: f"{POLICY}floors: {{push_recall: 0.1}}\n"}
    assert (1, "broken-base") == judge_files(world, mended, bless=True)
    head = world.propose(mended, bless="broken-base: the floor's name was misspelt")
    land(world, head)


@state(4)
def test_a_base_beyond_its_own_floor_leaves_a_way(tmp_path: Path) -> None:
    """As far as main is beyond it already it is a note; further is a regression."""
    world = World(tmp_path)
    world.merge(world.propose({POLICY_FILE: f"{POLICY}floors: {{push_recall: 0.9}}\n"}))
    found = world.judge(world.propose({"README.md": "a word"}))
    assert (0, "held") == (found.code, found.reason)
    assert "beyond a floor, as main is already" in found.lines
    worse = world.judge(world.propose(WORSE))
    assert (1, "floor") == (worse.code, worse.reason)
