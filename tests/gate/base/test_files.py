"""Files and folders of a commit are read by plain paths; what is no file is refused by name."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from tests.gate.gitrepo import Repo, opened

from brainbench_gate.base import Blob, Change
from brainbench_gate.base.errors import MissingFileError, PathError, RefusedObjectError

if TYPE_CHECKING:
    from pathlib import Path

LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_a_file_is_read_with_its_id(tmp_path: Path, algorithm: str) -> None:
    """In repositories of both kinds."""
    repo = Repo(tmp_path, algorithm=algorithm)
    commit = repo.commit({"dir/sub/file.json": "{}\r\n"})
    blob_id = repo.id("HEAD:dir/sub/file.json")
    with opened(tmp_path) as repository:
        expected = Blob(id=blob_id, path="dir/sub/file.json", data=b"{}\r\n")
        assert repository.read_file(commit, "dir/sub/file.json") == expected
        assert repository.blob_id(b"{}\r\n") == blob_id


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_a_folder_is_read_by_name(tmp_path: Path, algorithm: str) -> None:
    """Also across the size of one batch, also from packs."""
    repo = Repo(tmp_path, algorithm=algorithm)
    files = {f"d/{n:04}.json": f'{{"n": {n}}}' for n in range(1100)}
    commit = repo.commit(files | {"other": ""})
    repo.git("gc", "--quiet")
    with opened(tmp_path) as repository:
        read = repository.read_tree(commit, "d")
    assert read is not None
    assert {f"d/{name}": blob.data.decode() for name, blob in read.items()} == files
    assert read["0007.json"].path == "d/0007.json"


def test_the_top_folder_is_a_dot(tmp_path: Path) -> None:
    """A corpus may lie there."""
    commit = Repo(tmp_path).commit({"a": "1"})
    with opened(tmp_path) as repository:
        read = repository.read_tree(commit, ".")
    assert read is not None
    assert [blob.path for blob in read.values()] == ["a"]


def test_what_does_not_stand_there_is_missing(tmp_path: Path) -> None:
    """A missing file, a missing folder, a missing folder on the way."""
    commit = Repo(tmp_path).commit({"dir/file": "1"})
    with opened(tmp_path) as repository:
        assert repository.read_file(commit, "none") is None
        assert repository.read_file(commit, "dir/none") is None
        assert repository.read_file(commit, "none/file") is None
        assert repository.read_tree(commit, "none") is None
        with pytest.raises(MissingFileError, match="dir/none") as caught:
            repository.require_file(commit, "dir/none")
    assert caught.value.reason == "missing-file"


@pytest.mark.parametrize(
    "path", ["", "/dir", "dir/", "dir//file", "./dir", "dir/../dir", "..", "a\0b"]
)
def test_paths_are_plain(tmp_path: Path, path: str) -> None:
    """One file has one path."""
    commit = Repo(tmp_path).commit({"dir/file": "1"})
    with opened(tmp_path) as repository, pytest.raises(PathError):
        repository.read_file(commit, path)


def test_paths_that_look_like_options_or_patterns_are_paths(tmp_path: Path) -> None:
    """No command line sees them."""
    names = ["-x", ":(top)a", "*", "[a]", "--all"]
    commit = Repo(tmp_path).commit(dict.fromkeys(names, "1"))
    with opened(tmp_path) as repository:
        for name in names:
            assert repository.require_file(commit, name).path == name
            assert repository.last_change(commit, name) == Change(commit=commit, age_commits=0)


def test_objects_are_read_quickly(tmp_path: Path) -> None:
    """A corpus of 300 fixtures is no reason to wait; the bound is wide for a busy machine."""
    commit = Repo(tmp_path).commit({f"d/{n:03}.json": f'{{"n": {n}}}' * 100 for n in range(300)})
    with opened(tmp_path) as repository:
        repository.need(commit)
        start = time.perf_counter()
        repository.read_tree(commit, "d")
        assert time.perf_counter() - start < 0.5


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
def test_links_submodules_and_pointers_are_refused_by_name(tmp_path: Path, algorithm: str) -> None:
    """Never missing: what stands there is told."""
    repo = Repo(tmp_path, algorithm=algorithm)
    repo.commit({"real/file": "1", "pointer": LFS, "lfs/a": LFS})
    (tmp_path / "link").symlink_to("real/file")
    (tmp_path / "linked").symlink_to("real")
    (tmp_path / "with").mkdir()
    (tmp_path / "with" / "link").symlink_to("/etc/passwd")
    repo.git("add", "link", "linked", "with")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{repo.head},module")
    repo.git("commit", "--quiet", "-m", "links")
    cases = [
        ("link", "a symbolic link"),
        ("linked/file", "a symbolic link"),
        ("module", "a submodule"),
        ("module/file", "a submodule"),
        ("real", "a folder"),
        ("real/file/x", "a file"),
        ("pointer", "a Git LFS pointer"),
    ]
    folders = [
        ("linked", "a symbolic link"),
        ("module", "a submodule"),
        ("pointer", "a file"),
        ("with", "a symbolic link"),
        ("lfs", "a Git LFS pointer"),
    ]
    with opened(tmp_path) as repository:
        for path, what in cases:
            with pytest.raises(RefusedObjectError, match=f"is {what}") as caught:
                repository.read_file(repo.head, path)
            assert path.startswith(caught.value.where)
            assert caught.value.reason == "refused-object"
        for path, what in folders:
            with pytest.raises(RefusedObjectError, match=f"is {what}"):
                repository.read_tree(repo.head, path)


def test_a_folder_in_a_folder_of_files_is_refused(tmp_path: Path) -> None:
    """A corpus is flat."""
    commit = Repo(tmp_path).commit({"d/a": "1", "d/e/b": "2"})
    with (
        opened(tmp_path) as repository,
        pytest.raises(RefusedObjectError, match="d/e: is a folder"),
    ):
        repository.read_tree(commit, "d")


@pytest.mark.parametrize(("one", "other"), [("a.json", "A.json"), ("\u00e9", "e\u0301")])
def test_names_that_a_checkout_confuses_are_refused(tmp_path: Path, one: str, other: str) -> None:
    """They differ only in case or Unicode form."""
    commit = Repo(tmp_path).commit({f"d/{one}": "1", f"d/{other}": "2"})
    with opened(tmp_path) as repository, pytest.raises(RefusedObjectError, match="differ only"):
        repository.read_tree(commit, "d")


def test_names_that_are_not_utf8_are_refused(tmp_path: Path) -> None:
    """They can't be told in a report."""
    repo = Repo(tmp_path)
    blob = repo.git("hash-object", "-w", "--stdin", data=b"1")
    tree = repo.git("mktree", "-z", data=f"100644 blob {blob}\t".encode() + b"\xff\0")
    commit = repo.git("commit-tree", "-m", "x", tree)
    with opened(tmp_path) as repository, pytest.raises(RefusedObjectError, match="not UTF-8"):
        repository.read_tree(commit, ".")


def test_a_text_about_lfs_is_no_pointer(tmp_path: Path) -> None:
    """A pointer is small and starts with the signature."""
    commit = Repo(tmp_path).commit({"a": f"see {LFS}", "b": LFS + "x" * 1024})
    with opened(tmp_path) as repository:
        assert repository.require_file(commit, "a").data.startswith(b"see")
        assert repository.require_file(commit, "b").data.endswith(b"x")
