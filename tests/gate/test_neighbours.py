"""Other policies of the base commit: a second gate leaves them and their files alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gate.gitrepo import Repo, opened
from tests.gate.worlds import BASELINE, ITEMS, LOCAL, World
from tests.gate.worlds import POLICY as POLICY_TEXT

from brainbench_gate.base import BaseChoice
from brainbench_gate.neighbours import find_policies
from brainbench_gate.sides import open_sides, read_commits
from brainbench_schema.errors import BrainbenchError

if TYPE_CHECKING:
    from pathlib import Path


def test_a_second_gate_may_not_change_its_neighbour_in_the_work_tree(tmp_path: Path) -> None:
    """Locally the files are compared as they stand; a link is no file."""
    world = World(tmp_path)
    clone = world.origin.clone(tmp_path / "clone").path
    text = f"{POLICY_TEXT}name: second\nbaseline: baselines/second.json\n"
    (clone / "second.yml").write_text(text, encoding="utf-8")
    with open_sides(clone, environ=LOCAL, policy_file="second.yml") as sides:
        assert sides.base.policy is None
    (clone / BASELINE).unlink()
    (clone / BASELINE).symlink_to("main.items.json")
    with (
        pytest.raises(BrainbenchError, match="changes along"),
        open_sides(clone, environ=LOCAL, policy_file="second.yml"),
    ):
        pytest.fail("its neighbour changed")


def test_a_neighbour_is_read_from_the_head_commit(tmp_path: Path) -> None:
    """Also where nothing is checked out, and where it is gone."""
    world = World(tmp_path)
    base = world.origin.id("main")
    second = {"second.yml": f"{POLICY_TEXT}name: second\nbaseline: baselines/second.json\n"}
    choice = BaseChoice(ref="refs/heads/main", commit=base, why="so")
    good = world.propose(second)
    bad = world.propose({**second, ITEMS: None})
    with opened(world.origin.path) as repository:
        assert read_commits(repository, good, choice, "second.yml").base.policy is None
        with pytest.raises(BrainbenchError, match="changes along"):
            read_commits(repository, bad, choice, "second.yml")


def test_only_policies_are_found(tmp_path: Path) -> None:
    """Workflows, broken files and huge ones are none."""
    repo = Repo(tmp_path / "repo")
    commit = repo.commit(
        {
            "a/brainbench.yml": POLICY_TEXT,
            "b/brainbench.yml": "{",
            "ci.yml": "on: push",
            "odd.yaml": "schema_version: 1\nsystem: x\nodd: 1\n",
            "other.yaml": "schema_version: 1\nsystem: x\nname: other\n",
            "huge.yml": "# schema_version system\n" * 20_000,
        }
    )
    with opened(repo.path) as repository:
        found = [(path, policy.name) for path, policy in find_policies(repository, commit)]
    assert [("a/brainbench.yml", "main"), ("other.yaml", "other")] == found
