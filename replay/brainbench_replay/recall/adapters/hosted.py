"""Drives a user's adapter in an interpreter of its own."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brainbench_replay.recall.adapters.protocol import Retrieval, read_returned, read_size
from brainbench_replay.recall.adapters.wire import Wire, make_harmless
from brainbench_schema import strict_json
from brainbench_schema.errors import InvalidInputError, MemorySystemError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from brainbench_replay.recall.dataset import Memory

HOST = Path(__file__).with_name("host.py")
PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT")
"""Variables that an adapter sees; others only by name. Tokens of a runner stay out of reach."""


class HostedDriver:
    """One child process for the whole run: it gets memories and queries, never gold or ids."""

    def __init__(
        self,
        spec: str,
        *,
        folder: Path,
        environ: Mapping[str, str],
        pass_on: Iterable[str] = (),
        python: str = sys.executable,
        timeout_s: float = 60,
        show: bool = True,
    ) -> None:
        """Start the host and load the adapter.

        Args:
            spec: ``module`` or ``module:attribute``.
            folder: Folder that the module is imported from.
            environ: The environment to choose from.
            pass_on: Names of further variables that the adapter sees.
            python: The interpreter.
            timeout_s: Longest time for one call, in seconds.
            show: Whether the adapter's own output is shown on stderr.

        Raises:
            MemorySystemError: It can't be started or loaded.
        """
        self.name = spec
        self._timeout_s = timeout_s
        self._calls = 0
        self._scratch = tempfile.TemporaryDirectory(prefix="brainbench-recall-")
        module, _, attribute = spec.partition(":")
        names = {*PASSED_ON, *pass_on}
        try:
            self._wire = Wire(
                [python, "-u", str(HOST), str(folder), module, attribute],
                cwd=Path(self._scratch.name),
                env={name: environ[name] for name in sorted(names) if name in environ},
                show=show,
            )
        except MemorySystemError:
            self._scratch.cleanup()
            raise
        hello = self._exchange(b"", "loading it")
        self.details: dict[str, Any] = {"python": hello.get("python"), "isolated": True}

    def begin(self, memories: Sequence[Memory]) -> None:
        """Hand a session's memories over, to a reset or new adapter."""
        self._call("ingest", do="begin", memories=[memory.to_json() for memory in memories])

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        """Ask for one query; the host holds the clock, so that the pipe doesn't count."""
        reply = self._call("retrieve", do="retrieve", query=query, top_k=top_k)
        latency_ms = reply.get("latency_ms")
        if not isinstance(latency_ms, int | float) or latency_ms < 0:
            raise self._failure(MemorySystemError("garbage in place of a reply"), "retrieve")
        try:
            returned = read_returned(reply.get("memories"))
        except MemorySystemError as error:
            raise self._failure(error, "retrieve") from None
        return Retrieval(returned=returned, latency_ms=latency_ms)

    def storage_bytes(self) -> int:
        """Give the size that the adapter tells."""
        return read_size(self._call("storage_bytes", do="storage_bytes").get("bytes"))

    def close(self) -> None:
        """End the child and remove its scratch folder."""
        self._wire.close()
        self._scratch.cleanup()

    def _call(self, what: str, **request: object) -> dict[str, Any]:
        self._calls += 1
        line = json.dumps({"id": self._calls, **request}, ensure_ascii=True)
        return self._exchange(f"{line}\n".encode(), what)

    def _exchange(self, line: bytes, what: str) -> dict[str, Any]:
        try:
            reply = _read(self._wire.ask(line, seconds=self._timeout_s), self._calls)
        except MemorySystemError as error:
            raise self._failure(error, what) from None
        if "error" in reply:
            raised = make_harmless(" ".join(str(reply["error"]).split()))
            raise self._failure(MemorySystemError(f"it raised {raised}"), what)
        return reply

    def _failure(self, error: MemorySystemError, what: str) -> MemorySystemError:
        self._wire.kill()
        self._scratch.cleanup()
        advice = "look at what it wrote last" if (tail := self._wire.tail()) else ""
        lines = [advice, *(f"adapter | {one}" for one in tail.splitlines()[-5:])]
        return MemorySystemError(
            f"{what}: {error.what}",
            where=f"adapter {self.name}",
            advice="\n    ".join(filter(None, lines)),
        )


def module_folder(folder: Path | None = None) -> Path:
    """Give the folder that a user's module is imported from: the one named, else this one."""
    return (folder or Path(os.curdir)).resolve()


def _read(line: bytes, call: int) -> dict[str, Any]:
    try:
        reply = strict_json.loads(line, "reply")
    except InvalidInputError as error:
        shown = line[:60].decode(errors="replace")
        raise MemorySystemError(
            f"garbage in place of a reply: {shown!r} ({error.faults[0].message})"
        ) from None
    if not isinstance(reply, dict) or reply.get("id") != call:
        raise MemorySystemError("a reply to something that was not asked")
    return reply
