"""What the clone lacks is fetched beside it, and a remote that does not answer is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gate.gitrepo import Repo, opened

from brainbench_gate.base import Remote, Repository
from brainbench_gate.base.errors import FetchError, MissingObjectError, MissingRefError
from brainbench_schema.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def test_missing_commits_are_fetched_beside_the_clone(tmp_path: Path) -> None:
    """The clone keeps its depth, its objects and its refs."""
    origin = Repo(tmp_path / "origin")
    first = origin.commit({"a": "1"})
    origin.commit({"a": "2"})
    clone = origin.clone(tmp_path / "clone", depth=1)
    before = sorted(str(p) for p in (clone.path / ".git").rglob("*"))
    with opened(clone.path) as repository:
        repository.remote = Remote(url=origin.url)
        assert repository.require_file(first, "a").data == b"1"
    assert before == sorted(str(p) for p in (clone.path / ".git").rglob("*"))
    assert clone.git("rev-list", "--count", "HEAD") == "1"


@pytest.mark.parametrize("allow", ["true", "false"])
def test_files_that_a_partial_clone_lacks_are_fetched(tmp_path: Path, allow: str) -> None:
    """Into the gate's own repository; without a remote they are missing."""
    origin = Repo(tmp_path / "origin")
    origin.git("config", "uploadpack.allowFilter", allow)
    first = origin.commit({"a": "1"})
    origin.commit({"a": "2"})
    path = tmp_path / "clone"
    origin.git("clone", "--quiet", "--filter=blob:none", origin.url, str(path))
    with opened(path) as repository:
        if allow == "true":
            with pytest.raises(MissingObjectError) as caught:
                repository.read_file(first, "a")
            assert caught.value.reason == "missing-object"
        repository.remote = Remote(url=origin.url)
        assert repository.require_file(first, "a").data == b"1"


def test_a_commit_that_the_remote_lacks_is_missing(tmp_path: Path) -> None:
    """The remote answered."""
    origin = Repo(tmp_path / "origin")
    origin.commit({"a": "1"})
    with opened(origin.path) as repository:
        repository.remote = Remote(url=origin.url)
        with pytest.raises(MissingRefError) as caught:
            repository.read_file("1" * 40, "a")
    assert caught.value.reason == "missing-ref"
    assert "update the branch" in caught.value.advice


def test_a_remote_that_does_not_answer_is_a_failed_fetch(tmp_path: Path) -> None:
    """Another error than a missing ref or file."""
    repo = Repo(tmp_path / "repo")
    repo.commit({"a": "1"})
    with opened(repo.path) as repository:
        repository.remote = Remote(url=(tmp_path / "none").as_uri())
        with pytest.raises(FetchError) as caught:
            repository.read_file("1" * 40, "a")
        with pytest.raises(FetchError):
            repository.ask("refs/heads/main")
    assert caught.value.reason == "fetch-failed"


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_a_repository_is_read_without_a_clone(tmp_path: Path, algorithm: str) -> None:
    """A judge that checks nothing out fetches each commit that it reads."""
    origin = Repo(tmp_path / "origin", algorithm=algorithm)
    first = origin.commit({"a": "1"})
    second = origin.commit({"a": "2"})
    remote = Remote(url=origin.url)
    with Repository.open_remote(remote, tmp_path, algorithm=algorithm) as repository:
        assert repository.require_file(first, "a").data == b"1"
        assert repository.require_file(second, "a").data == b"2"
        assert repository.head() is None
        assert repository.remotes() == {}
        with pytest.raises(UsageError):
            repository.head_differences(second, ["a"])


def test_without_a_remote_nothing_is_asked(tmp_path: Path) -> None:
    """History that is missing stays missing, a remote's ref can't be known."""
    commit = Repo(tmp_path).commit({"a": "1"})
    with opened(tmp_path) as repository:
        with pytest.raises(FetchError, match="no remote to ask"):
            repository.ask("refs/heads/main")
        with pytest.raises(MissingObjectError):
            repository.walk(lambda read: read("1" * len(commit)), ["refs/heads/main"])
