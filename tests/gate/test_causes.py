"""The base branch's history: which change left it apart, which baselines it had."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gate.documents import baseline
from tests.gate.folders import read
from tests.gate.gitrepo import opened
from tests.gate.worlds import BASELINE, GOLD, World

from brainbench_gate import causes
from brainbench_gate.ground import Ground
from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from pathlib import Path


def test_a_cause_is_a_merge_or_a_commit(tmp_path: Path) -> None:
    """Whichever last changed what has to hold together."""
    world = World(tmp_path)
    with opened(world.origin.path) as repository:
        commit = world.origin.id("main")
        ground = read(world.origin.path)
        told = causes.find_cause(repository, commit, ground, ground, POLICY_FILE)
        assert f"since the commit {commit[:12]}" == told
        world.merge(world.propose({f"{GOLD}/x.txt": "x"}))
        merge = world.origin.id("main")
        told = causes.find_cause(repository, merge, Ground(), ground, POLICY_FILE)
        assert f"since the merge {merge[:12]}" == told
        assert causes.UNKNOWN == causes.find_cause(
            repository, merge, Ground(), Ground(), POLICY_FILE
        )


def test_a_history_with_unreadable_baselines_is_walked_to_its_end(tmp_path: Path) -> None:
    """Broken and missing files are no match, and a cut ends the search."""
    world = World(tmp_path)
    old = read(world.origin.path).baseline
    assert old is not None
    world.origin.commit({BASELINE: "{"})
    world.origin.commit({BASELINE: None})
    tip = world.origin.commit(
        {BASELINE: old.serialize().replace(b'"gold_failed": 1', b'"gold_failed": 2', 1)}
    )
    for depth, stood in ((None, True), (1, False)):
        job = world.origin.check_out_for_job(tmp_path / f"job-{depth}", "main", depth=depth)
        with opened(job.path) as repository:
            assert stood == causes.has_stood(repository, tip, BASELINE, Ground(), old)
            assert not causes.has_stood(repository, tip, BASELINE, Ground(), baseline())
