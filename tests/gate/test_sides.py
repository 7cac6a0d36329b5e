"""Both sides of a comparison, found outside git, in a repository and in commits alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.gate.documents import REASON
from tests.gate.folders import folder_of
from tests.gate.gitrepo import Repo, opened
from tests.gate.memories import DescribedBench
from tests.gate.worlds import BASELINE, LOCAL, TREE, World, memory

from brainbench_gate import causes
from brainbench_gate.base import BaseChoice
from brainbench_gate.ground import Ground
from brainbench_gate.judging import judge_folder, judge_sides
from brainbench_gate.sides import open_sides, read_commits
from brainbench_schema.errors import GitError, UsageError

if TYPE_CHECKING:
    from pathlib import Path


def test_a_folder_outside_git_is_a_first_landing(tmp_path: Path) -> None:
    """Nothing is compared, and nothing can be named as base."""
    folder = folder_of(tmp_path)
    with open_sides(folder, environ=LOCAL) as sides:
        assert (Ground(), folder, "") == (sides.base, sides.folder, sides.provenance.base_commit)
        assert sides.tree.policy is not None
        found = judge_sides(sides, DescribedBench(folder=folder))
    assert "bootstrap" == found.document.worst.reason
    with (
        pytest.raises(UsageError, match="no git repository"),
        open_sides(folder, base_name="origin/main", environ=LOCAL),
    ):
        pytest.fail("there is no base outside git")


def test_a_workflow_needs_a_checkout(tmp_path: Path) -> None:
    """A folder without git is no first landing there."""
    folder = folder_of(tmp_path)
    with (
        pytest.raises(GitError, match="no git repository"),
        open_sides(folder, environ={**LOCAL, "GITHUB_ACTIONS": "true"}),
    ):
        pytest.fail("there is nothing to compare with")


@pytest.mark.parametrize("payload", [None, "{", "missing"])
def test_an_event_that_can_not_be_read_is_refused(tmp_path: Path, payload: str | None) -> None:
    """No variable, no file, no JSON."""
    Repo(tmp_path / "repo").commit({"a": "1"})
    environ = {**LOCAL, "GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "push"}
    if payload:
        environ["GITHUB_EVENT_PATH"] = str(tmp_path / "event.json")
    if payload == "{":
        (tmp_path / "event.json").write_text(payload, encoding="utf-8")
    with (
        pytest.raises(UsageError, match="event can't be read"),
        open_sides(tmp_path / "repo", environ=environ),
    ):
        pytest.fail("there is no event")


def test_a_repository_without_commits_is_a_first_landing(tmp_path: Path) -> None:
    """Its files are read as they stand."""
    repo = Repo(tmp_path / "repo")
    repo.write(TREE)
    found = judge_folder(
        repo.path, lambda sides: DescribedBench(folder=sides.folder), environ=LOCAL
    )
    assert ("bootstrap", "") == (found.document.worst.reason, found.document.provenance.head_commit)


def test_provenance_names_all_that_a_report_begins_with(tmp_path: Path) -> None:
    """Ref, commit, why, blob, its age, head and corpus."""
    world = World(tmp_path)
    world.origin.commit({"docs.md": "a word"})
    found = world.judge(world.propose({"README.md": "a word"}), depth=None)
    assert found.judged is not None
    told = found.judged.document.provenance
    assert ("refs/heads/main", world.origin.id("main")) == (told.base_ref, told.base_commit)
    assert world.origin.id(f"main:{BASELINE}") == told.baseline_blob
    assert (1, 64, 40) == (
        told.baseline_age_commits,
        len(told.fixtures_hash),
        len(told.head_commit),
    )


def test_both_sides_are_read_from_commits_alone(tmp_path: Path) -> None:
    """As a judge without a checkout does; terms know the history."""
    world = World(tmp_path)
    base = world.origin.id("main")
    head = world.propose(memory(deaf=["Cyd Moon", "Bob Ray"]), bless=REASON)
    choice = BaseChoice(ref="refs/heads/main", commit=base, why="so")
    with opened(world.origin.path) as repository:
        sides = read_commits(repository, head, choice)
        assert (head, base) == (sides.provenance.head_commit, sides.provenance.base_commit)
        assert sides.tree.baseline is not None
        assert not sides.terms.has_stood(sides.tree.baseline)
        assert base[:12] in sides.terms.find_cause()
        nothing = read_commits(repository, head, replace(choice, commit=None))
        assert (Ground(), None) == (nothing.base, nothing.provenance.baseline_blob)
        assert not nothing.terms.has_stood(sides.tree.baseline)
        assert causes.UNKNOWN == nothing.terms.find_cause()
