"""One running `git cat-file --batch`, which is never waited for without end."""

from __future__ import annotations

import os
import selectors
from subprocess import PIPE
from typing import TYPE_CHECKING

from brainbench_gate.base.errors import CorruptObjectError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git import Git

SILENCE_S = 20.0
"""A git that says nothing for so long waits for a question: what it read is shorter than its
header claims."""

CHUNK_BYTES = 1 << 16


class ObjectPipe:
    """Asks git for objects by id; one failure ends it."""

    def __init__(self, git: Git) -> None:
        process: Git.AutoInterrupt = git.cat_file("--batch", istream=PIPE, as_process=True)
        self._process = process
        self._file = process.stdout.fileno()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._file, selectors.EVENT_READ)
        self._rest = bytearray()

    def close(self) -> None:
        """End git."""
        self._selector.close()
        self._process.__del__()

    def ask(self, ids: Sequence[str]) -> list[tuple[str, str, bytes | None]]:
        """Id, kind and content of each object, unverified; None for the content of a missing one.

        Args:
            ids: Full object ids; all of them together fit into a pipe.

        Raises:
            CorruptObjectError: git can't read one of them.
        """
        self._process.stdin.write("".join(f"{id_}\n" for id_ in ids).encode())
        self._process.stdin.flush()
        return [self._answer(id_) for id_ in ids]

    def _answer(self, id_: str) -> tuple[str, str, bytes | None]:
        fields = self._line().split()
        if fields == [id_, "missing"]:
            return id_, "", None
        if len(fields) != 3 or fields[0] != id_:
            raise unreadable(id_)
        size = int(fields[2])
        while len(self._rest) <= size and self._fill():
            pass
        if self._rest[size : size + 1] != b"\n":
            raise unreadable(id_)
        data = bytes(self._rest[:size])
        del self._rest[: size + 1]
        return id_, fields[1], data

    def _line(self) -> str:
        while b"\n" not in self._rest and self._fill():
            pass
        line, found, _ = self._rest.partition(b"\n")
        del self._rest[: len(line) + len(found)]
        return line.decode(errors="replace")

    def _fill(self) -> bool:
        """Wait for more; False when git has ended or is silent."""
        if not self._selector.select(SILENCE_S):
            return False
        chunk = os.read(self._file, CHUNK_BYTES)
        self._rest += chunk
        return bool(chunk)


def unreadable(id_: str) -> CorruptObjectError:
    """The error for an object that is there and makes no sense."""
    return CorruptObjectError(
        "git can't read the object",
        where=id_,
        advice="the clone is damaged or was tampered with: clone it again",
    )
