"""State 2: a file that is gone is named; the policy moves one with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gate.worlds import BASELINE, CORPUS, ITEMS, POLICY, World
from tests.states.rows import state
from tests.states.ways_out import WORSE, judge_files, land

from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from pathlib import Path


@state(2)
@pytest.mark.parametrize("gone", [POLICY_FILE, BASELINE, ITEMS])
def test_a_missing_file_is_named_and_can_be_restored(tmp_path: Path, gone: str) -> None:
    """Exit 2, by name; with the file back it passes."""
    world = World(tmp_path)
    head = world.propose({gone: None})
    found = world.judge(head)
    assert (2, "bad-input") == (found.code, found.reason)
    assert f"{gone}: the " in found.text
    text = world.origin.git("show", f"main:{gone}") + "\n"
    assert 0 == world.judge(world.propose({gone: text}, at=head)).code


@state(2)
def test_a_baseline_is_renamed_through_the_policy(tmp_path: Path) -> None:
    """The new one has to hold, and the reason names the policy."""
    world = World(tmp_path)
    files = {POLICY_FILE: f"{POLICY}baseline: gate/accepted.json\n", BASELINE: None, ITEMS: None}
    assert (1, "policy-changed") == judge_files(world, files, bless=True)
    head = world.propose(files, bless="policy: the baseline moves to the gate's folder")
    land(world, head)
    assert 1 == world.judge(world.propose(WORSE)).code


@state(2)
def test_a_corpus_is_moved_through_the_policy(tmp_path: Path) -> None:
    """Its cases are the same at another place."""
    world = World(tmp_path)
    moved = {path.replace("evals/brainbench", "corpus"): text for path, text in CORPUS.items()}
    places = "fixtures: corpus/fixtures\ngold: corpus/gold\n"
    files = {**moved, **dict.fromkeys(CORPUS), POLICY_FILE: POLICY + places}
    head = world.propose(files, bless="policy: the corpus moves to a folder of its own")
    land(world, head)
