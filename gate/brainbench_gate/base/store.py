"""A bare repository of the gate's own, which shares the clone's objects and trusts none."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path
from typing import TYPE_CHECKING

from brainbench_gate.base.errors import (
    AmbiguousRefError,
    CorruptObjectError,
    MissingObjectError,
    MissingRefError,
)
from brainbench_gate.base.objects import (
    Commit,
    Signature,
    object_id,
    parse_commit,
    parse_signature,
    parse_tag,
)
from brainbench_gate.base.pipe import ObjectPipe, unreadable
from brainbench_gate.base.remote import Remote, fetch, list_refs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from git import Git

    from brainbench_gate.base.program import Program

BATCH = 500
"""Ids asked for at once: fewer bytes than a pipe holds, so that neither side waits."""


class ObjectStore:
    """Objects by id, each hashed again when read.

    Bare repositories in one temporary folder. `history` holds commits without their files, `past`
    the latest commits with their folders, `objects` what is fetched with its files; `walk` holds
    nothing, borrows from all and from the clone, and is where history is walked: it alone never
    is shallow. The clone's settings, hooks, refs, replacements, grafts and depth have no part in
    any.
    """

    def __init__(self, program: Program, algorithm: str, *shared: Path) -> None:
        """Create them.

        Args:
            program: The git to use.
            algorithm: `sha1` or `sha256`.
            shared: Object folders of clones.
        """
        folder = Path(tempfile.mkdtemp(prefix="brainbench-git-"))
        self._remove = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.algorithm = algorithm
        places = {name: folder / name for name in ("history", "past", "objects", "walk")}
        lent = [place / "objects" for place in places.values()]
        _create_bare(places["history"], algorithm, ())
        _create_bare(places["past"], algorithm, ())
        _create_bare(places["objects"], algorithm, (*shared, *lent[:2]))
        _create_bare(places["walk"], algorithm, (*shared, *lent[:3]))
        self._history, self._past, self._git, self._walk = (
            _git_at(program, place) for place in places.values()
        )
        self._pipe: ObjectPipe | None = None

    def close(self) -> None:
        """End git and remove the folder."""
        self._end_pipe()
        self._remove()

    def read(self, id_: str, kind: str) -> bytes:
        """The content of one object.

        Raises:
            MissingObjectError: It is not there.
            CorruptObjectError: It is of another kind, or does not hash to its id.
        """
        return self.read_many([id_], kind)[0]

    def read_many(self, ids: Sequence[str], kind: str) -> list[bytes]:
        """The contents of objects of one kind, in the order asked for.

        Raises:
            MissingObjectError: One is not there.
            CorruptObjectError: One is of another kind, or does not hash to its id.
        """
        contents = []
        for id_, found, data in self._objects(ids):
            if found != kind:
                raise CorruptObjectError(f"is a {found}, where a {kind} belongs", where=id_)
            contents.append(data)
        return contents

    def commit(self, id_: str) -> Commit:
        """One commit, its parents as its own bytes name them.

        Raises:
            MissingObjectError: It is not there.
            CorruptObjectError: It is no commit, or does not hash to its id.
        """
        return parse_commit(self.read(id_, "commit"), id_)

    def signature(self, id_: str) -> Signature:
        """Who wrote a commit, when and what about.

        Raises:
            MissingObjectError: It is not there.
            CorruptObjectError: It is no commit, or does not hash to its id.
        """
        return parse_signature(self.read(id_, "commit"), id_)

    def peel(self, id_: str) -> str:
        """The commit that an id stands for, through annotated tags.

        Raises:
            MissingObjectError: It, or what the tag points to, is not there.
            MissingRefError: It stands for a folder or a file.
        """
        [(_, kind, data)] = self._objects([id_])
        if kind == "tag":
            return self.peel(parse_tag(data, id_))
        if kind != "commit":
            raise MissingRefError(f"is a {kind}, not a commit", where=id_)
        return id_

    def holds(self, id_: str) -> bool:
        """Whether the object is there, and is what its id says."""
        try:
            list(self._objects([id_]))
        except MissingObjectError:
            return False
        return True

    def complete_id(self, prefix: str) -> str | None:
        """The one commit or tag whose id starts with these digits; None without any.

        Raises:
            AmbiguousRefError: There are several.
        """
        found = str(self._git.rev_parse(f"--disambiguate={prefix}")).split()
        kinds = {id_: kind for id_, kind, _ in self._objects(found)}
        fitting = [id_ for id_, kind in kinds.items() if kind in {"commit", "tag"}]
        if len(fitting) > 1:
            raise AmbiguousRefError(
                f"fits {len(fitting)} commits", where=prefix, advice="write more of its digits"
            )
        return fitting[0] if fitting else None

    def last_change(self, commit: str, path: str) -> tuple[str, int] | None:
        """The commit that last changed a path along first parents, and how many lie before it.

        None where the path never was, or where a parent is missing.
        """
        from git.exc import GitCommandError

        options = ("--first-parent", "--end-of-options")
        try:
            found = str(self._walk.rev_list("--max-count=1", *options, commit, "--", path))
            if not found:
                return None
            count = self._walk.rev_list("--count", *options, commit, f"^{found}", "--")
        except GitCommandError:
            return None
        return found, int(str(count))

    def fetch_commit(self, remote: Remote, id_: str) -> None:
        """Bring one commit with its files, without its history.

        Raises:
            MissingRefError, FetchError: As of `fetch`.
        """
        fetch(self._git, remote, [id_], "--depth=1")

    def fetch_history(self, remote: Remote, wanted: list[str]) -> None:
        """Bring all commits behind these refs or commits, without their files.

        Raises:
            MissingRefError, FetchError: As of `fetch`.
        """
        fetch(self._history, remote, wanted, "--filter=tree:0")

    def has_held(self, commit: str, blob_id: str, count: int) -> bool:
        """Whether one of the latest commits along first parents brought or took away a file.

        Wherever it stood, and whatever it was called; its content need not be here. As far back
        as there are commits with their folders.

        Args:
            blob_id: Full id of the file's content.
            count: How many commits are looked at.
        """
        found = self._walk.log(
            *("--first-parent", "--diff-merges=first-parent", "--root", "--no-patch"),
            *("--format=%H", f"--find-object={blob_id}", f"--max-count={count}"),
            *("--end-of-options", commit, "--"),
            with_exceptions=False,
        )
        return bool(str(found).strip())

    def reaches_back(self, commit: str, count: int) -> bool:
        """Whether so many first parents, or all there are, can be walked with their folders."""
        from git.exc import GitCommandError

        options = ("--first-parent", f"--max-count={count}", "--objects", "--filter=blob:none")
        try:
            self._walk.rev_list("--quiet", *options, "--end-of-options", commit, "--")
        except GitCommandError:
            return False
        return True

    def fetch_past(self, remote: Remote, commit: str, count: int) -> None:
        """Bring a commit and those before it, with their folders and without their files.

        Raises:
            MissingRefError, FetchError: As of `fetch`.
        """
        fetch(self._past, remote, [commit], f"--depth={count}", "--filter=blob:none")

    def ask(self, remote: Remote, ref: str) -> tuple[str, str] | None:
        """A remote's full ref and its commit, as of `list_refs`.

        Raises:
            FetchError: The remote did not answer or refused.
        """
        return list_refs(self._git, remote, ref)

    def _objects(self, ids: Sequence[str]) -> Iterator[tuple[str, str, bytes]]:
        for start in range(0, len(ids), BATCH):
            yield from self._batch(ids[start : start + BATCH])

    def _batch(self, ids: Sequence[str]) -> list[tuple[str, str, bytes]]:
        self._pipe = self._pipe or ObjectPipe(self._git)
        try:
            answers = self._pipe.ask(ids)
        except (CorruptObjectError, OSError) as error:
            self._end_pipe()
            raise error if isinstance(error, CorruptObjectError) else unreadable(ids[0]) from error
        return [self._verified(*answer) for answer in answers]

    def _verified(self, id_: str, kind: str, data: bytes | None) -> tuple[str, str, bytes]:
        if data is None:
            raise MissingObjectError(
                "the object is not in this clone", where=id_, advice="fetch it, then run again"
            )
        if object_id(kind, data, self.algorithm) != id_:
            raise CorruptObjectError(
                "the object's content does not hash to its id",
                where=id_,
                advice="the clone is damaged or was tampered with: clone it again",
            )
        return id_, kind, data

    def _end_pipe(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None


def _git_at(program: Program, folder: Path) -> Git:
    return program.at(folder, GIT_DIR=str(folder))


def _create_bare(folder: Path, algorithm: str, alternates: Sequence[Path]) -> None:
    """Write a bare repository by hand: no template, no hook, no default of the user's."""
    (folder / "objects" / "info").mkdir(parents=True)
    (folder / "refs").mkdir()
    (folder / "HEAD").write_text("ref: refs/heads/none\n", encoding="utf-8")
    (folder / "config").write_text(
        "[core]\n\trepositoryformatversion = 1\n\tbare = true\n"
        f"[extensions]\n\tobjectformat = {algorithm}\n",
        encoding="utf-8",
    )
    lines = "".join(f"{path}\n" for path in alternates)
    (folder / "objects" / "info" / "alternates").write_text(lines, encoding="utf-8")
