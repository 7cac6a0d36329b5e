"""An entry → a running system, and its end."""

from __future__ import annotations

import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from brainbench_replay.systems.channel import Channel
from brainbench_replay.systems.entries import ANCHORS
from brainbench_replay.systems.external import External
from brainbench_replay.systems.process import Child
from brainbench_replay.systems.python_host import host_command
from brainbench_replay.systems.surroundings import surround
from brainbench_replay.systems.sweeping import ending_on_signals
from brainbench_schema.errors import MemorySystemError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from brainbench_replay.systems.protocol import MemorySystem
    from brainbench_replay.systems.surroundings import Surroundings
    from brainbench_schema.policy import SystemEntry

SHUTDOWN_SECONDS = 2
"""How long a program may take to end by itself after `shutdown`."""


@contextmanager
def open_external(
    name: str, entry: SystemEntry, *, folder: Path, sealed: Iterable[Path] = ()
) -> Iterator[MemorySystem]:
    """Start a system that is no built-in one, and leave nothing of it behind.

    Args:
        folder: The folder that its `cwd` is relative to.
        sealed: Paths that must not be reachable from its working directory.

    Raises:
        UsageError: Its folder or a variable can't be.
        MemorySystemError: It does not start, or does not speak the protocol.
    """
    own = folder / entry.cwd
    with (
        ending_on_signals(),
        surround(own, sealed=sealed, names=entry.env) as surroundings,
    ):
        if entry.kind == "hook":
            from brainbench_replay.systems.hook import Hook

            yield Hook(name, entry, surroundings)
        elif entry.kind == "mcp":
            from brainbench_replay.systems.mcp import open_mcp

            with open_mcp(name, entry, surroundings) as system:
                yield system
        else:
            command = list(entry.command)
            if entry.kind == "python":
                command = host_command(entry, own.resolve(), surroundings.scratch)
            with _converse(name, entry, command, surroundings) as system:
                yield system


@contextmanager
def _converse(
    name: str, entry: SystemEntry, command: list[str], surroundings: Surroundings
) -> Iterator[External]:
    child = Child(command, cwd=surroundings.work, env=surroundings.env, where=f"system {name}")
    try:
        system = External(name, entry.kind, Channel(child, entry.timeout_s), entry.capabilities)
        yield system
        with suppress(MemorySystemError):
            system.close()
            child.end_input(time.monotonic() + SHUTDOWN_SECONDS)
            child.exit_code(SHUTDOWN_SECONDS)
    finally:
        child.stop()


def open_anchor(name: str) -> MemorySystem:
    """Give an anchor that needs no database."""
    from brainbench_replay.systems.anchors import Everything, Silent

    assert name in ANCHORS
    return Silent() if name == "silent" else Everything()
