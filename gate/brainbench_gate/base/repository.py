"""A user's repository as the gate sees it: commits, their files, and names of commits."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self, TypeVar

from brainbench_gate.base import files, objects, worktree
from brainbench_gate.base.choice import Found
from brainbench_gate.base.clone import Clone, work_tree
from brainbench_gate.base.errors import (
    FetchError,
    MissingFileError,
    MissingObjectError,
    MissingRefError,
)
from brainbench_gate.base.program import Program
from brainbench_gate.base.refs import FULL_OBJECT_ID, Form, parse_name
from brainbench_gate.base.store import ObjectStore
from brainbench_schema.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path
    from types import TracebackType

    from brainbench_gate.base.objects import Blob, Commit, Signature
    from brainbench_gate.base.remote import Remote

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The commit that last changed a path.

    Attributes:
        commit: Its full object id.
        age_commits: First parents walked from the commit asked about; 0 for that one itself.
    """

    commit: str
    age_commits: int


class Repository:
    """A repository, opened by `open` or `open_remote` and closed by `close` or `with`.

    Opening one drops inherited GIT_ variables from this process.

    Attributes:
        prefix: Path from the top of the work tree to the folder that was opened; `.` for the
            top itself.
        remote: Where missing commits are fetched from; None for nowhere.
    """

    def __init__(
        self,
        store: ObjectStore,
        *,
        clone: Clone | None = None,
        prefix: str = ".",
        remote: Remote | None = None,
    ) -> None:
        self.prefix = prefix
        self.remote = remote
        self._clone = clone
        self._store = store

    @classmethod
    def open(cls, folder: Path) -> Self | None:
        """Open the repository whose work tree holds a folder; None outside any work tree.

        Raises:
            UsageError: There is no such folder.
            ProgramError: There is no usable git.
            GitError: What looks like a repository can't be read as one.
        """
        if not folder.is_dir():
            raise UsageError("there is no such folder", where=str(folder))
        folder = folder.resolve()
        top = work_tree(folder)
        if top is None:
            return None
        program = Program.find(top)
        clone = Clone(program, top)
        store = ObjectStore(program, clone.algorithm, clone.objects)
        return cls(store, clone=clone, prefix=folder.relative_to(top).as_posix())

    @classmethod
    def open_remote(cls, remote: Remote, folder: Path, *, algorithm: str = "sha1") -> Self:
        """Open a repository without any clone: each commit asked for is fetched.

        Args:
            remote: Where it is.
            folder: A folder that git must not be taken from, such as the current one.
            algorithm: `sha1` or `sha256`.

        Raises:
            ProgramError: There is no usable git.
        """
        return cls(ObjectStore(Program.find(folder), algorithm), remote=remote)

    def close(self) -> None:
        """End git and remove the gate's own repository."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def top(self) -> Path:
        """Top folder of the work tree.

        Raises:
            UsageError: There is no clone, so there is none.
        """
        if self._clone is None:
            raise UsageError("there is no work tree", advice="run inside a clone")
        return self._clone.top

    def tree_path(self, path: str) -> str:
        """A path as written relative to the opened folder, made one from the top.

        Raises:
            PathError: It leaves the repository.
        """
        joined = posixpath.normpath(posixpath.join(self.prefix, path))
        objects.split_path(joined)
        return joined

    # Files of a commit

    def blob_id(self, data: bytes) -> str:
        """The id that this repository gives to a file's content."""
        return objects.object_id("blob", data, self._store.algorithm)

    def read_file(self, commit: str, path: str) -> Blob | None:
        """A file of a commit; None where nothing stands at the path.

        Args:
            commit: Full object id.
            path: From the top of the repository, with forward slashes.

        Raises:
            RefusedObjectError: Something other than a plain file stands there.
            GitError: The commit or an object on the way can't be had or is damaged.
        """
        return self._with_files(commit, files.read_file, path)

    def require_file(self, commit: str, path: str) -> Blob:
        """A file of a commit, which has to be there.

        Raises:
            MissingFileError: Nothing stands at the path.
            GitError: As of `read_file`.
        """
        blob = self.read_file(commit, path)
        if blob is None:
            raise MissingFileError(
                f"the file is not in commit {commit}", where=path, advice="check path and commit"
            )
        return blob

    def read_tree(self, commit: str, path: str) -> dict[str, Blob] | None:
        """The files of a flat folder by name; None where nothing stands at the path.

        Raises:
            RefusedObjectError: No folder stands there, or it holds something other than
                plain files, or names that differ only in case or Unicode form.
            GitError: The commit or an object on the way can't be had or is damaged.
        """
        return self._with_files(commit, files.read_folder, path)

    def read_below(self, commit: str, path: str) -> dict[str, bytes]:
        """Every file at or below a path, by its path from the top of the repository.

        Raises:
            RefusedObjectError: Something other than plain files and folders stands there.
            GitError: The commit or an object on the way can't be had or is damaged.
        """
        return self._with_files(commit, files.read_all, path)

    def find_files(self, commit: str, suffixes: tuple[str, ...]) -> list[str]:
        """Paths from the top of all plain files of a commit whose names end in a suffix.

        Raises:
            GitError: The commit or an object on the way can't be had or is damaged.
        """
        return self._with_files(
            commit, lambda store, id_, _: files.find_files(store, id_, suffixes), "."
        )

    def head_differences(self, commit: str, paths: Iterable[str]) -> list[str]:
        """Files of the work tree that differ from a commit's, line ends aside, sorted.

        Args:
            commit: Full object id, usually of `head`.
            paths: Files and folders from the top of the repository; extra files count too.

        Raises:
            RefusedObjectError: A link, a submodule or an LFS pointer is committed there.
            GitError: The commit or an object on the way can't be had or is damaged.
        """
        found: set[str] = set()
        for path in paths:
            committed = self.read_below(commit, path)
            found.update(worktree.differing(committed, worktree.standing_files(self.top, path)))
        return sorted(found)

    def _with_files(self, commit: str, read: Callable[[ObjectStore, str, str], T], path: str) -> T:
        """Read; where a clone without all files lacks one, fetch the commit and read again."""
        self.need(commit)
        try:
            return read(self._store, commit, path)
        except MissingObjectError:
            if self.remote is None:
                raise
            self._store.fetch_commit(self.remote, commit)
            return read(self._store, commit, path)

    # Commits

    def need(self, commit: str) -> str:
        """Make sure that a commit can be read, fetching it where it is missing.

        Args:
            commit: Full object id.

        Returns:
            The same id.

        Raises:
            MissingRefError: It is neither in the clone nor in the remote.
            FetchError: The remote can't be asked.
        """
        if not FULL_OBJECT_ID.fullmatch(commit):
            raise MissingRefError("is not a full object id", where=repr(commit))
        if not self._store.holds(commit):
            if self.remote is None:
                raise MissingRefError(
                    "the commit is not in this clone",
                    where=commit,
                    advice="fetch it (in a workflow: fetch-depth: 0), then run again",
                )
            self._store.fetch_commit(self.remote, commit)
        return commit

    def commit(self, commit: str) -> Commit:
        """A commit's raw tree, parents and time.

        Raises:
            GitError: It can't be had or is damaged.
        """
        return self._store.commit(self.need(commit))

    def signature(self, commit: str) -> Signature:
        """Who wrote a commit, when and what about.

        Raises:
            GitError: It can't be had or is damaged.
        """
        return self._store.signature(self.need(commit))

    def walk(self, find: Callable[[Callable[[str], Commit]], T], wanted: list[str]) -> T:
        """Look for something in the commits, fetching their history where the clone is shallow.

        Args:
            find: Takes the function that reads a commit.
            wanted: Refs and commits, in full, whose history is fetched.

        Raises:
            MissingObjectError: A commit is missing from the remote's history, too.
            FetchError: The remote can't be asked.
        """
        try:
            return find(self._store.commit)
        except MissingObjectError:
            if self.remote is None:
                raise
            self._store.fetch_history(self.remote, wanted)
            return find(self._store.commit)

    def reach_back(self, commit: str, count: int) -> None:
        """Make so many commits before one known with their folders, fetching what is missing.

        Without a remote it stays at what the clone has.

        Raises:
            FetchError: The remote can't be asked.
        """
        if self.remote is not None and not self._store.reaches_back(self.need(commit), count):
            self._store.fetch_past(self.remote, commit, count)

    def has_held(self, commit: str, blob_id: str, count: int) -> bool:
        """Whether one of so many commits brought or took away a file with this id, at any path."""
        return self._store.has_held(self.need(commit), blob_id, count)

    def last_change(self, commit: str, path: str) -> Change | None:
        """When a path last changed, along first parents; None where the clone can't tell.

        Args:
            commit: Full object id to look back from.
            path: File or folder from the top of the repository.
        """
        objects.split_path(path)
        found = self._store.last_change(self.need(commit), path)
        return found and Change(commit=found[0], age_commits=found[1])

    # Names

    def head(self) -> str | None:
        """The commit checked out; None before the first one and without a clone."""
        return self.ref("HEAD")

    def ref(self, full: str) -> str | None:
        """What exactly this full ref of the clone holds; None where it has none."""
        return self._clone.ref(full) if self._clone else None

    def symbolic_ref(self, full: str) -> str | None:
        """The ref that this ref of the clone stands for; None where it is not symbolic."""
        return self._clone.symbolic_ref(full) if self._clone else None

    def remotes(self) -> dict[str, Remote]:
        """The clone's remotes by name."""
        return self._clone.remotes() if self._clone else {}

    def tracking(self) -> list[str]:
        """The clone's branches, born or not, that follow one of a remote."""
        return self._clone.tracking() if self._clone else []

    def resolve(self, name: str) -> Found:
        """The commit of a full ref, an object id or a remote-tracking branch.

        Args:
            name: As a user wrote it.

        Raises:
            RefNameError: The name has none of these forms.
            MissingRefError: There is nothing of this name.
            AmbiguousRefError: A shortened object id fits several commits.
            FetchError: A full object id could not be fetched.
        """
        parsed = parse_name(name)
        found = self.ref(parsed.value) if parsed.form is Form.REF else self._id(parsed.value)
        if found is None:
            raise MissingRefError(
                f"there is no {parsed.form.value} {parsed.value}",
                where=name,
                advice="fetch it first, or check its spelling",
            )
        return Found(ref=parsed.value, commit=self._store.peel(found), why=f"{name} was asked for")

    def _id(self, digits: str) -> str | None:
        if FULL_OBJECT_ID.fullmatch(digits):
            return self.need(digits)
        return self._store.complete_id(digits)

    def list_remote(self, ref: str) -> tuple[str, str] | None:
        """The remote's full ref and its commit; None where it has none of this name.

        Raises:
            FetchError: There is no remote, or it did not answer.
        """
        if self.remote is None:
            raise FetchError("no remote to ask", where=ref, advice="name the base: --base NAME")
        return self._store.ask(self.remote, ref)

    def ask(self, ref: str) -> str:
        """Where a full ref of the remote stands now.

        Raises:
            MissingRefError: The remote has none of this name.
            FetchError: There is no remote, or it did not answer.
        """
        listed = self.list_remote(ref)
        if listed is None:
            raise MissingRefError("the remote has no such ref", where=ref, advice="was it deleted?")
        return listed[1]
