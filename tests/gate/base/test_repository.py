"""Commits are those of the raw objects, and each form of a name means one of them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest
from tests.gate.gitrepo import Repo, opened

from brainbench_gate.base import Change
from brainbench_gate.base.errors import (
    AmbiguousRefError,
    CorruptObjectError,
    MissingRefError,
    RefNameError,
)
from brainbench_schema.errors import GitError

if TYPE_CHECKING:
    from pathlib import Path


def test_a_commit_that_is_nowhere_is_missing(tmp_path: Path) -> None:
    """Without a remote there is nothing to fetch from."""
    Repo(tmp_path).commit({"a": "1"})
    with opened(tmp_path) as repository:
        with pytest.raises(MissingRefError, match="not in this clone") as caught:
            repository.read_file("1" * 40, "a")
        with pytest.raises(MissingRefError, match="not a full object id"):
            repository.read_file("main", "a")
    assert caught.value.reason == "missing-ref"


def test_a_folder_is_no_commit(tmp_path: Path) -> None:
    """An id of another kind of object is refused."""
    repo = Repo(tmp_path)
    repo.commit({"a": "1"})
    with opened(tmp_path) as repository, pytest.raises(CorruptObjectError, match="is a tree"):
        repository.read_file(repo.id("HEAD^{tree}"), "a")


def test_head_is_none_before_the_first_commit(tmp_path: Path) -> None:
    """An empty repository is no error."""
    repo = Repo(tmp_path)
    with opened(tmp_path) as repository:
        assert repository.head() is None
        commit = repo.commit({})
        assert repository.head() == commit


def test_parents_are_the_raw_commits(tmp_path: Path) -> None:
    """A shallow clone hides them from git log."""
    origin = Repo(tmp_path / "origin")
    first = origin.commit({"a": "1"})
    second = origin.commit({"a": "2"})
    clone = origin.clone(tmp_path / "clone", depth=1)
    assert clone.git("rev-list", "--count", "HEAD") == "1"
    with opened(clone.path) as repository:
        assert repository.commit(second).parents == (first,)


def test_the_last_change_is_counted_along_first_parents(tmp_path: Path) -> None:
    """A merged branch counts as one commit, named by its merge."""
    repo = Repo(tmp_path)
    first = repo.commit({"kept": "1", "merged": "1"})
    repo.branch("topic").commit({"merged": "2"})
    repo.commit({"merged": "3"})
    repo.checkout("main").commit({"other": "1"})
    merge = repo.merge("topic")
    last = repo.commit({"other": "2"})
    with opened(tmp_path) as repository:
        assert repository.last_change(last, "merged") == Change(commit=merge, age_commits=1)
        assert repository.last_change(last, "kept") == Change(commit=first, age_commits=3)
        assert repository.last_change(last, "other") == Change(commit=last, age_commits=0)
        assert repository.last_change(last, "never") is None


def test_the_last_change_is_unknown_where_history_is_cut(tmp_path: Path) -> None:
    """The clone's first commit only looks like the one that wrote everything."""
    origin = Repo(tmp_path / "origin")
    origin.commit({"old": "1"})
    origin.commit({"new": "1"})
    origin.commit({"new": "2"})
    clone = origin.clone(tmp_path / "clone", depth=2)
    with opened(clone.path) as repository:
        assert repository.last_change(clone.head, "old") is None
        assert repository.last_change(clone.head, "new") == Change(commit=clone.head, age_commits=0)


def test_names_are_resolved(tmp_path: Path) -> None:
    """Each form, and annotated tags to their commit."""
    origin = Repo(tmp_path / "origin")
    first = origin.commit({"a": "1"})
    origin.git("tag", "-a", "-m", "x", "v1")
    clone = origin.clone(tmp_path / "clone")
    second = clone.commit({"a": "2"})
    with opened(clone.path) as repository:
        names = {
            "origin/main": first,
            "refs/remotes/origin/main": first,
            "refs/remotes/origin/HEAD": first,
            "refs/heads/main": second,
            "refs/tags/v1": first,
            first: first,
            second[:7]: second,
            second[:12].upper(): second,
            origin.id("refs/tags/v1"): first,
        }
        assert {name: repository.resolve(name).commit for name in names} == names
        assert repository.resolve("origin/main").ref == "refs/remotes/origin/main"


def test_names_of_nothing_are_missing(tmp_path: Path) -> None:
    """Each form."""
    repo = Repo(tmp_path)
    repo.commit({"a": "1"})
    with opened(tmp_path) as repository:
        for name in ("refs/heads/none", "origin/main", "0" * 40, "0" * 7, repo.id("HEAD:a")):
            with pytest.raises(MissingRefError) as caught:
                repository.resolve(name)
            assert caught.value.reason == "missing-ref"
            assert name in caught.value.where


def test_a_shortened_id_that_fits_two_commits_is_refused(tmp_path: Path) -> None:
    """Blobs and folders of the same digits don't count."""
    repo = Repo(tmp_path)
    tree = repo.git("mktree", data=b"")
    bodies = {}
    prefix = ""
    for number in range(200_000):
        body = f"tree {tree}\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\n{number}\n".encode()
        digits = hashlib.sha1(b"commit %d\0" % len(body) + body).hexdigest()[:7]
        if digits in bodies:
            prefix = digits
            break
        bodies[digits] = body
    one = repo.git("hash-object", "-t", "commit", "-w", "--stdin", data=bodies[prefix])
    with opened(tmp_path) as repository:
        assert repository.resolve(prefix).commit == one
    repo.git("hash-object", "-t", "commit", "-w", "--stdin", data=body)
    with opened(tmp_path) as repository, pytest.raises(AmbiguousRefError) as caught:
        repository.resolve(prefix)
    assert caught.value.reason == "ambiguous-ref"


def test_a_name_of_no_form_is_refused(tmp_path: Path) -> None:
    """Whatever the repository holds."""
    Repo(tmp_path).commit({"a": "1"})
    with opened(tmp_path) as repository, pytest.raises(RefNameError):
        repository.resolve("main")


def test_a_ref_that_is_damaged_is_an_error(tmp_path: Path) -> None:
    """Not the same as no ref."""
    repo = Repo(tmp_path)
    repo.commit({"a": "1"})
    (tmp_path / ".git" / "refs" / "heads" / "broken").write_text("1" * 40 + "\n", encoding="utf-8")
    with opened(tmp_path) as repository, pytest.raises(GitError) as caught:
        repository.resolve("refs/heads/broken")
    assert "show-ref" in caught.value.what
