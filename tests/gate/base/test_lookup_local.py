"""The base of a local run is the remote's default branch, or what was named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gate.base.hosting import BASELINE, Hosted, baseline
from tests.gate.gitrepo import Repo, opened

from brainbench_gate.base import LOCAL, BaseChoice, find_base
from brainbench_gate.base.errors import FetchError, MissingRefError

if TYPE_CHECKING:
    from pathlib import Path


def test_local_default_is_origins_default_branch(hosted: Hosted) -> None:
    """As last fetched, whatever it is called and whatever is checked out."""
    hosted.origin.git("branch", "-m", "main", "trunk")
    clone = hosted.origin.clone(hosted.folder / "clone")
    hosted.origin.commit({BASELINE: "2"})
    clone.branch("work").commit({"code": "1"})
    with opened(clone.path) as repository:
        choice = find_base(repository)
    assert choice == BaseChoice(
        ref="refs/remotes/origin/trunk",
        commit=hosted.opened_on,
        why="it is the default branch of the remote origin",
    )


def test_local_default_is_upstreams_where_there_is_one(hosted: Hosted) -> None:
    """It was never fetched: the remote is asked, and its commit fetched beside the clone."""
    fork = hosted.origin.clone(hosted.folder / "fork")
    tip = hosted.move_on()
    fork.git("remote", "add", "upstream", hosted.origin.url)
    with opened(fork.path) as repository:
        choice = find_base(repository)
        assert (choice.ref, choice.commit) == ("refs/remotes/upstream/main", tip)
        assert baseline(repository, choice) == b"2"


@pytest.mark.parametrize("lost", ["refs/remotes/origin/HEAD", "refs/remotes/origin/main"])
def test_a_lost_default_branch_is_asked_for_again(hosted: Hosted, lost: str) -> None:
    """The stored name is gone, or what it stands for is: a branch renamed and pruned."""
    clone = hosted.origin.clone(hosted.folder / "clone")
    clone.git("symbolic-ref" if lost.endswith("HEAD") else "update-ref", "-d", lost)
    with opened(clone.path) as repository:
        choice = find_base(repository)
        assert choice.ref == "refs/remotes/origin/main"
        assert choice.commit == hosted.opened_on


def test_a_stored_default_branch_that_is_another_remotes_is_not_used(hosted: Hosted) -> None:
    """The remote is asked instead."""
    clone = hosted.origin.clone(hosted.folder / "clone")
    other = clone.commit({BASELINE: "mine"})
    clone.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/heads/main")
    with opened(clone.path) as repository:
        assert find_base(repository).commit == hosted.opened_on != other


def test_a_remote_that_does_not_answer_is_no_first_landing(hosted: Hosted) -> None:
    """The default branch is not known and can't be asked for."""
    clone = hosted.origin.clone(hosted.folder / "clone")
    clone.git("symbolic-ref", "-d", "refs/remotes/origin/HEAD")
    clone.git("remote", "set-url", "origin", str(hosted.folder / "none"))
    with opened(clone.path) as repository, pytest.raises(FetchError):
        find_base(repository)


def test_an_address_relative_to_the_clone_is_understood(hosted: Hosted) -> None:
    """As git itself does, from the top of the work tree."""
    clone = hosted.origin.clone(hosted.folder / "clone")
    clone.git("symbolic-ref", "-d", "refs/remotes/origin/HEAD")
    clone.git("remote", "set-url", "origin", "../octo/memory")
    with opened(clone.path) as repository:
        assert find_base(repository).commit == hosted.opened_on


@pytest.mark.parametrize("commits", [0, 1])
def test_a_repository_without_remotes_is_a_first_landing(tmp_path: Path, commits: int) -> None:
    """With commits and without."""
    repo = Repo(tmp_path)
    for _ in range(commits):
        repo.commit({"a": "1"})
    with opened(tmp_path) as repository:
        choice = find_base(repository)
    assert choice.commit is None
    assert choice.why.startswith("the repository has no")


def test_an_empty_remote_is_a_first_landing(tmp_path: Path) -> None:
    """Nothing was pushed yet."""
    origin = Repo(tmp_path / "origin")
    repo = Repo(tmp_path / "repo")
    repo.commit({"a": "1"})
    repo.git("remote", "add", "origin", origin.url)
    with opened(repo.path) as repository:
        choice = find_base(repository)
    assert choice.commit is None
    assert choice.why == "it is the default branch of the remote origin, which has no commits"


def test_a_remote_with_branches_and_no_default_is_refused(hosted: Hosted) -> None:
    """Something could be compared with; which one has to be said."""
    clone = hosted.origin.clone(hosted.folder / "clone")
    clone.git("symbolic-ref", "-d", "refs/remotes/origin/HEAD")
    hosted.origin.checkout("topic").git("symbolic-ref", "HEAD", "refs/heads/none")
    with opened(clone.path) as repository, pytest.raises(MissingRefError, match="no default"):
        find_base(repository)


def test_remotes_of_other_names_are_not_guessed(hosted: Hosted) -> None:
    """The base has to be named."""
    clone = hosted.origin.clone(hosted.folder / "clone")
    clone.git("remote", "rename", "origin", "github")
    with opened(clone.path) as repository:
        with pytest.raises(MissingRefError, match="--base REMOTE/BRANCH"):
            find_base(repository)
        assert find_base(repository, LOCAL, name="github/main").commit == hosted.opened_on


def test_a_named_base_is_used(hosted: Hosted) -> None:
    """Each form; a full id that the clone lacks is fetched from its remote."""
    clone = hosted.origin.clone(hosted.folder / "clone", depth=1)
    mine = clone.commit({"a": "1"})
    with opened(clone.path) as repository:
        for name, commit in {
            "refs/heads/main": mine,
            "origin/main": hosted.opened_on,
            mine[:9]: mine,
            hosted.root: hosted.root,
        }.items():
            choice = find_base(repository, name=name)
            assert (choice.commit, choice.why) == (commit, f"{name} was asked for")
        assert baseline(repository, choice) == b"0"


def test_a_named_base_that_is_missing_is_refused(hosted: Hosted) -> None:
    """Also where there would be a default."""
    clone = hosted.origin.clone(hosted.folder / "clone")
    with opened(clone.path) as repository, pytest.raises(MissingRefError):
        find_base(repository, name="origin/none")
