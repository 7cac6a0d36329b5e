"""A run in a process of its own, its processes, and whether anything of it is left."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOTS = [Path(__file__).parents[3] / name for name in ("schema", "replay", "gate")]
SITE = Path(psycopg.__file__).parents[1]
SETTLE_SECONDS = 1.0

RUN = """
import os, sys, time
from brainbench_replay.postgres import connect, launch
{before}
with launch() as server:
    print(server.folder, server.pids.supervisor, flush=True)
    with connect(None, server) as connection:
        print(connection.execute("SELECT 'answered'").fetchone()[0], flush=True)
        {inside}
"""
SLEEP = "time.sleep(60)"


def program(before: str = "", inside: str = "pass") -> str:
    return RUN.format(before=before, inside=inside)


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, [*ROOTS, SITE]))}


@contextmanager
def running(
    code: str, interpreter: str = sys.executable, uid: int | None = None
) -> Iterator[subprocess.Popen[str]]:
    """A run of its own; killed at the end if it is still there."""
    with subprocess.Popen(
        [interpreter, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        cwd="/",
        user=uid,
        group=uid,
        extra_groups=None if uid is None else [],
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def heard(process: subprocess.Popen[str]) -> list[str]:
    """The next line of words a run prints."""
    assert process.stdout
    return process.stdout.readline().split()


def states() -> dict[int, tuple[int, str]]:
    """Parent and state of every process that hasn't ended."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if state != "Z":
            found[int(folder.name)] = (int(parent), state)
    return found


def family(pid: int) -> set[int]:
    """A process with all that descend from it."""
    parents = {child: parent for child, (parent, _) in states().items()}
    members = {pid}
    while new := {child for child, parent in parents.items() if parent in members} - members:
        members |= new
    return members


def names(pids: set[int]) -> set[str]:
    found = set()
    for pid in pids:
        try:
            found.add(Path(f"/proc/{pid}/comm").read_text().strip())
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def eventually(holds: Callable[[], bool], seconds: float = SETTLE_SECONDS) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if holds():
            return True
        time.sleep(0.005)
    return False


def nothing_left(pids: set[int], folder: Path, seconds: float = SETTLE_SECONDS) -> bool:
    return eventually(lambda: not pids & states().keys() and not folder.exists(), seconds)


def shared_memory_made_by(pids: set[int]) -> list[str]:
    lines = Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
    return [line for line in lines if int(line.split()[4]) in pids]
