"""Files of the work tree that differ from a commit's are named, line ends aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gate.gitrepo import Repo, opened

from brainbench_gate.base.errors import RefusedObjectError

if TYPE_CHECKING:
    from pathlib import Path


def test_a_clean_work_tree_does_not_differ(tmp_path: Path) -> None:
    """Files, folders, folders in folders, and paths that are nowhere."""
    commit = Repo(tmp_path).commit({"a": "1", "d/b": "2", "d/e/c": "3"})
    with opened(tmp_path) as repository:
        assert repository.head_differences(commit, ["a", "d", "none", "none/x"]) == []


def test_line_ends_are_left_aside(tmp_path: Path) -> None:
    """A checkout may write CRLF, a commit may hold it."""
    repo = Repo(tmp_path)
    commit = repo.commit({"a": "1\n2\n", "b": "1\r\n2\r\n"})
    repo.write({"a": "1\r\n2\r\n", "b": "1\n2\n"})
    with opened(tmp_path) as repository:
        assert repository.head_differences(commit, ["a", "b"]) == []


def test_what_differs_is_named(tmp_path: Path) -> None:
    """Changed, added, removed, and replaced by something else; the index has no say."""
    repo = Repo(tmp_path)
    files = ["changed", "removed", "linked", "folder", "same", "bits/x"]
    commit = repo.commit({f"d/{name}": name for name in files} | {"outside": "1"})
    repo.write({"d/changed": "x", "d/removed": None, "d/added": "", "d/linked": None})
    repo.write({"d/folder": None, "outside": "2"})
    (tmp_path / "d" / "linked").symlink_to("same")
    repo.write({"d/folder/x": "1"})
    repo.git("update-index", "--assume-unchanged", "d/changed")
    with opened(tmp_path) as repository:
        assert repository.head_differences(commit, ["d", "d/changed"]) == [
            "d/added",
            "d/changed",
            "d/folder",
            "d/folder/x",
            "d/linked",
            "d/removed",
        ]


def test_a_link_on_the_way_differs(tmp_path: Path) -> None:
    """Even where it leads to the same content."""
    repo = Repo(tmp_path)
    commit = repo.commit({"d/a": "1", "copy/a": "1"})
    repo.write({"d/a": None})
    (tmp_path / "d").rmdir()
    (tmp_path / "d").symlink_to("copy")
    with opened(tmp_path) as repository:
        assert repository.head_differences(commit, ["d/a"]) == ["d", "d/a"]
        assert repository.head_differences(commit, ["d"]) == ["d", "d/a"]


def test_a_file_that_appears_where_the_commit_has_none_differs(tmp_path: Path) -> None:
    """An untracked policy or baseline would be read by nobody but counts."""
    repo = Repo(tmp_path)
    commit = repo.commit({".gitignore": "new\n"})
    repo.write({"new": "1"})
    with opened(tmp_path) as repository:
        assert repository.head_differences(commit, ["new"]) == ["new"]


def test_a_refused_object_in_the_commit_is_refused_here_too(tmp_path: Path) -> None:
    """A link is not compared."""
    repo = Repo(tmp_path)
    (tmp_path / "link").symlink_to("a")
    commit = repo.commit({"a": "1"})
    with opened(tmp_path) as repository, pytest.raises(RefusedObjectError, match="symbolic link"):
        repository.head_differences(commit, ["link"])


def test_a_git_folder_inside_is_not_looked_into(tmp_path: Path) -> None:
    """Git itself does not see one either."""
    repo = Repo(tmp_path)
    commit = repo.commit({"d/a": "1"})
    repo.write({"d/.git/x": "1"})
    with opened(tmp_path) as repository:
        assert repository.head_differences(commit, ["d"]) == []


def test_a_file_that_can_not_be_read_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can't be shown to be the same."""
    commit = Repo(tmp_path).commit({"a": "1"})

    def fail(self: Path) -> bytes:
        raise PermissionError(self)

    with opened(tmp_path) as repository:
        monkeypatch.setattr("pathlib.Path.read_bytes", fail)
        assert repository.head_differences(commit, ["a"]) == ["a"]
