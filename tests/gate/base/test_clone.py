"""The user's clone is found from any folder in it, and nothing of it is changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gate.gitrepo import Repo, opened

from brainbench_gate.base import Repository
from brainbench_gate.base.errors import PathError
from brainbench_schema.errors import GitError, UsageError

if TYPE_CHECKING:
    from pathlib import Path


def test_outside_a_work_tree_there_is_no_repository(tmp_path: Path) -> None:
    """A value, not an error."""
    assert Repository.open(tmp_path) is None


def test_the_inside_of_a_git_folder_is_no_work_tree(tmp_path: Path) -> None:
    """Nothing there is a file of the project."""
    Repo(tmp_path)
    assert Repository.open(tmp_path / ".git" / "refs") is None


def test_a_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    """Git would look around the current folder instead."""
    with pytest.raises(UsageError):
        Repository.open(tmp_path / "none")


def test_a_damaged_git_folder_is_refused(tmp_path: Path) -> None:
    """Not the same as no repository."""
    Repo(tmp_path)
    (tmp_path / ".git" / "HEAD").unlink()
    with pytest.raises(GitError):
        Repository.open(tmp_path)


def test_a_folder_inside_knows_its_way_from_the_top(tmp_path: Path) -> None:
    """Paths in a policy are relative to where the gate runs."""
    Repo(tmp_path).commit({"a/b/c.json": "{}"})
    with opened(tmp_path / "a" / "b") as repository:
        assert repository.top == tmp_path
        assert repository.prefix == "a/b"
        assert repository.tree_path("c.json") == "a/b/c.json"
        assert repository.tree_path("../../x") == "x"
        with pytest.raises(PathError):
            repository.tree_path("../../../x")
        with pytest.raises(PathError):
            repository.tree_path("/etc/passwd")


def test_a_linked_work_tree_is_read_like_the_main_one(tmp_path: Path) -> None:
    """Its HEAD is its own."""
    repo = Repo(tmp_path / "main")
    repo.commit({"a": "1"})
    repo.git("worktree", "add", "--quiet", "-b", "other", str(tmp_path / "other"))
    repo.commit({"a": "2"})
    with opened(tmp_path / "other") as repository:
        head = repository.head()
        assert head == repo.id("other")
        assert repository.require_file(head, "a").data == b"1"


def test_closing_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The gate's own repository is temporary."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    repo = Repo(tmp_path / "repo")
    commit = repo.commit({"a": "1"})
    before = {p: p.stat().st_mtime_ns for p in (repo.path / ".git").rglob("*")}
    with opened(repo.path) as repository:
        repository.require_file(commit, "a")
        assert list(scratch.iterdir())
    assert not list(scratch.iterdir())
    assert before == {p: p.stat().st_mtime_ns for p in (repo.path / ".git").rglob("*")}
