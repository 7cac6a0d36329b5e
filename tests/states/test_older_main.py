"""State 6: a baseline made for an older main is made again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gate.worlds import World, asks
from tests.states.rows import state

if TYPE_CHECKING:
    from pathlib import Path


@state(6)
def test_a_baseline_of_an_older_main_is_made_again(tmp_path: Path) -> None:
    """One line says so; after bless on the updated branch it passes."""
    world = World(tmp_path)
    late = world.propose(asks("fay", "Fay Orr"), bless=True, branch="late")
    world.merge(world.propose(asks("eve", "Eve Low"), bless=True))
    world.origin.branch("late", late)
    world.origin.git("merge", "--quiet", "--no-ff", "-X", "ours", "-m", "Update", "main")
    found = world.judge(world.origin.head)
    assert (2, "blessed-on-older-main") == (found.code, found.reason)
    assert "update the branch, run `brainbench bless` again, and queue again" in found.lines
    again = world.origin.commit(world.blessed(base="main"))
    world.origin.checkout("main")
    assert 0 == world.judge(again).code


@state(6)
def test_a_merge_group_with_two_blessings_is_told_alike(tmp_path: Path) -> None:
    """Both were made for the same main, and together they hold for neither."""
    world = World(tmp_path)
    first = world.propose(asks("eve", "Eve Low"), bless=True, branch="first")
    second = world.propose(asks("fay", "Fay Orr"), bless=True, branch="second")
    world.origin.branch("queue", first)
    world.origin.git("merge", "--quiet", "--no-ff", "-X", "ours", "-m", "Queue", second)
    group = world.origin.head
    world.origin.checkout("main")
    found = world.judge(group, event="merge_group")
    assert (2, "blessed-on-older-main") == (found.code, found.reason)
    assert 0 == world.judge(first, event="merge_group").code
