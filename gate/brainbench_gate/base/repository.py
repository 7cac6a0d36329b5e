"""A user's repository as the gate sees it: objects, refs, the base of a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from brainbench_gate.base import files, objects, worktree
from brainbench_gate.base.choice import Found
from brainbench_gate.base.errors import (
    FetchError,
    MissingFileError,
    MissingObjectError,
    MissingRefError,
)
from brainbench_gate.base.program import Program
from brainbench_gate.base.refs import FULL_OBJECT_ID, Form, parse_name
from brainbench_gate.base.remote import Remote, public, remote_url
from brainbench_gate.base.store import ObjectStore
from brainbench_schema.errors import GitError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import TracebackType

    from git import Git

    from brainbench_gate.base.objects import Blob, Commit

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
    """One work tree's repository, opened by `Repository.open` and closed by `close`.

    Attributes:
        top: Top folder of the work tree.
        prefix: Path from there to the folder that was opened; `.` for the top itself.
        remote: Where missing commits are fetched from; None for nowhere.
    """

    def __init__(self, top: Path, prefix: str, clone: Git, store: ObjectStore) -> None:
        self.top = top
        self.prefix = prefix
        self.remote: Remote | None = None
        self._clone = clone
        self._store = store

    @classmethod
    def open(cls, folder: Path) -> Self | None:
        """Open the repository whose work tree holds a folder; None outside any work tree.

        Inherited GIT_ variables are dropped from this process.

        Raises:
            UsageError: There is no such folder.
            ProgramError: There is no usable git.
            GitError: What looks like a repository can't be read as one.
        """
        if not folder.is_dir():
            raise UsageError("there is no such folder", where=str(folder))
        folder = folder.resolve()
        top = _work_tree(folder)
        if top is None:
            return None
        program = Program.find(top)
        clone = program.at(top)
        objects_folder, algorithm = _layout(clone, top)
        store = ObjectStore(program, objects_folder, algorithm)
        return cls(top, folder.relative_to(top).as_posix(), clone, store)

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

    # Objects

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

    def head(self) -> str | None:
        """The commit checked out; None before the first one."""
        return self.ref("HEAD")

    def commit(self, commit: str) -> Commit:
        """A commit's raw tree, parents and time.

        Raises:
            GitError: It can't be had or is damaged.
        """
        return self._store.commit(self.need(commit))

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
            committed = self._with_files(commit, files.read_all, path)
            found.update(worktree.differing(committed, worktree.standing_files(self.top, path)))
        return sorted(found)

    def last_change(self, commit: str, path: str) -> Change | None:
        """When a path last changed, along first parents; None where the clone can't tell.

        Args:
            commit: Full object id to look back from.
            path: File or folder from the top of the repository.
        """
        from git.exc import GitCommandError  # noqa: PLC0415

        objects.split_path(path)
        log = self._store.git
        try:
            options = ("--first-parent", "--end-of-options")
            found = str(log.rev_list("--max-count=1", *options, self.need(commit), "--", path))
            if not found:
                return None
            age = log.rev_list("--count", *options, commit, f"^{found}", "--")
        except GitCommandError:
            return None
        return Change(commit=found, age_commits=int(str(age)))

    # Names

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
                f"there is no {parsed.value}" if parsed.value != name else "there is no such name",
                where=name,
                advice="fetch it first, or check its spelling",
            )
        return Found(ref=parsed.value, commit=self._store.peel(found), why=f"{name} was asked for")

    def _id(self, digits: str) -> str | None:
        if FULL_OBJECT_ID.fullmatch(digits):
            return self.need(digits)
        return self._store.complete_id(digits)

    def ref(self, full: str) -> str | None:
        """What exactly this ref holds: `show-ref --verify` guesses at no other name.

        Raises:
            GitError: It can't be read.
        """
        try:
            return self._ask_clone("show_ref", "--verify", "--hash", "--", full)
        except GitError as error:
            if "not a valid ref" in error.what:
                return None
            raise

    def symbolic_ref(self, full: str) -> str | None:
        """The ref that this one stands for; None where there is no such symbolic ref."""
        try:
            return self._ask_clone("symbolic_ref", "--quiet", "--", full)
        except GitError:
            return None

    # Remotes

    def remotes(self) -> dict[str, Remote]:
        """The clone's remotes by name, their urls as written, nothing rewritten."""
        try:
            urls = self._ask_clone("config", "--local", "--get-regexp", r"^remote\..*\.url$")
        except GitError:
            return {}
        found: dict[str, Remote] = {}
        for key, _, url in (line.partition(" ") for line in urls.splitlines()):
            name = key.removeprefix("remote.").removesuffix(".url")
            found.setdefault(name, Remote(url=remote_url(url, self.top)))
        return found

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

    def _ask_clone(self, command: str, *arguments: str) -> str:
        from git.exc import GitCommandError  # noqa: PLC0415

        try:
            return str(getattr(self._clone, command)(*arguments))
        except GitCommandError as error:
            raise GitError(
                f"git {command.replace('_', '-')} failed: {public(str(error.stderr)).strip()}",
                where=str(self.top),
                advice=f"see what is wrong with it: git -C {self.top} fsck",
            ) from error


def _work_tree(folder: Path) -> Path | None:
    """The nearest folder at or above this one that holds a `.git`."""
    for candidate in (folder, *folder.parents):
        if (candidate / ".git").exists() and folder != candidate / ".git":
            return candidate
    return None


def _layout(clone: Git, top: Path) -> tuple[Path, str]:
    """The clone's object folder and hash algorithm.

    Raises:
        GitError: git sees no repository here, or another work tree than the folders show.
    """
    from git.exc import GitCommandError  # noqa: PLC0415

    try:
        answer = clone.rev_parse(
            "--path-format=absolute",
            "--show-object-format",
            "--show-toplevel",
            "--git-path",
            "objects",
        )
    except GitCommandError as error:
        said = str(error.stderr).strip()
        raise GitError(f"git can't read the repository: {said}", where=str(top)) from error
    algorithm, seen, store = [*str(answer).splitlines(), "", ""][:3]
    if Path(seen).resolve() != top:
        raise GitError(
            f"the repository's settings name another work tree: {seen}",
            where=str(top),
            advice="take core.worktree out of its settings",
        )
    return Path(store), algorithm
