"""Commits, files and names of real repositories."""

from __future__ import annotations

import hashlib
import time
from typing import TYPE_CHECKING

import pytest
from tests.gate.gitrepo import Repo

from brainbench_gate.base import Blob, Change, Remote, Repository
from brainbench_gate.base.errors import (
    AmbiguousRefError,
    CorruptObjectError,
    FetchError,
    MissingFileError,
    MissingObjectError,
    MissingRefError,
    PathError,
    RefNameError,
    RefusedObjectError,
)
from brainbench_schema.errors import GitError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"


def opened(folder: Path) -> Repository:
    """The repository of a folder that is in one."""
    repository = Repository.open(folder)
    assert repository is not None
    return repository


# Opening


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


# Reading


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


# Refusals


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


# Commits


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


# Names


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


# Fetching


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


# The work tree


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


def test_a_ref_that_is_damaged_is_an_error(tmp_path: Path) -> None:
    """Not the same as no ref."""
    repo = Repo(tmp_path)
    repo.commit({"a": "1"})
    (tmp_path / ".git" / "refs" / "heads" / "broken").write_text("1" * 40 + "\n", encoding="utf-8")
    with opened(tmp_path) as repository, pytest.raises(GitError) as caught:
        repository.resolve("refs/heads/broken")
    assert "show-ref" in caught.value.what


def test_without_a_remote_nothing_is_asked(tmp_path: Path) -> None:
    """History that is missing stays missing, a remote's ref can't be known."""
    commit = Repo(tmp_path).commit({"a": "1"})
    with opened(tmp_path) as repository:
        with pytest.raises(FetchError, match="no remote to ask"):
            repository.ask("refs/heads/main")
        with pytest.raises(MissingObjectError):
            repository.walk(lambda read: read("1" * len(commit)), ["refs/heads/main"])
