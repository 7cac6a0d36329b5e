"""State 5: a main whose files contradict each other is left by any pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gate.worlds import BASELINE, ITEMS, World, asks
from tests.states.rows import state
from tests.states.ways_out import land

if TYPE_CHECKING:
    from pathlib import Path


def merge_two_blessings(world: World) -> str:
    """Two pull requests that each add a case and bless are merged, one baseline is kept."""
    first = world.propose(asks("eve", "Eve Low"), bless=True, branch="first")
    second = world.propose(asks("fay", "Fay Orr"), bless=True, branch="second")
    world.merge(first)
    before = world.origin.id("main")
    world.origin.git("merge", "--quiet", "--no-ff", "-X", "theirs", "-m", "Merge second", second)
    return before


@state(5)
def test_a_push_run_fails_first_on_two_blessings(tmp_path: Path) -> None:
    """Before anybody's next pull request does."""
    world = World(tmp_path)
    found = world.judge_pushed(merge_two_blessings(world))
    assert 2 == found.code


@state(5)
def test_any_pull_request_leads_out_of_a_stale_main(tmp_path: Path) -> None:
    """With a baseline that equals its run, and a reason that names the state."""
    world = World(tmp_path)
    merge_two_blessings(world)
    culprit = world.origin.id("main")
    unblessed = world.judge(world.propose({"README.md": "a word"}), depth=None)
    assert (2, "stale-main") == (unblessed.code, unblessed.reason)
    assert f"since the merge {culprit[:12]}" in unblessed.lines
    bare = world.judge(world.propose({"README.md": "a word"}, bless=True))
    assert (1, "stale-main") == (bare.code, bare.reason)
    assert "effect of the code: not measured" in "".join(bare.verdict.notes)
    head = world.propose(
        {"README.md": "a word"}, bless="stale-main: two blessings were merged at once"
    )
    land(world, head)


@state(5)
def test_a_shallow_clone_names_the_merge_or_says_that_it_can_not(tmp_path: Path) -> None:
    """The history is fetched; where it can't be, the state is told all the same."""
    world = World(tmp_path)
    merge_two_blessings(world)
    culprit = world.origin.id("main")
    world.merge(world.propose({"README.md": "a word"}))
    head = world.propose({"README.md": "another"})
    found = world.judge(head, depth=2)
    assert (2, "stale-main") == (found.code, found.reason)
    assert f"since the merge {culprit[:12]}" in found.lines
    cut_off = world.judge(head, depth=2, environ={"GITHUB_SERVER_URL": "http://127.0.0.1:9"})
    assert (2, "stale-main") == (cut_off.code, cut_off.reason)
    assert "not in the history at hand" in cut_off.lines


@state(5)
@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (BASELINE, b'"gold_total": 8', b'"gold_total": 9'),
        (BASELINE, b'"gold_failed": 1', b'"gold_failed": 2'),
        (BASELINE, b'      "codex",\n', b""),
        (ITEMS, b"cyd#1", b"dan#1"),
        (ITEMS, b'"include_holdout": false', b'"include_holdout": true'),
    ],
)
def test_a_bypass_that_left_the_files_apart_is_seen(
    tmp_path: Path, path: str, old: bytes, new: bytes
) -> None:
    """Baseline, items file, corpus and policy of base have to agree."""
    world = World(tmp_path)
    text = f"{world.origin.git('show', f'main:{path}')}\n".encode()
    assert old in text
    world.merge(world.propose({path: text.replace(old, new, 1)}))
    found = world.judge(world.propose({"README.md": "a word"}, bless=True))
    assert (1, "stale-main") == (found.code, found.reason)
    head = world.propose({"README.md": "a word"}, bless="stale-main: a bypass left it apart")
    land(world, head)
