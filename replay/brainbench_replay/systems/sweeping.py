"""The end of everything that a system started, also of what left its process group."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = "BRAINBENCH_PROCESS"
"""Environment variable by which processes that left the group are found; means nothing else."""


@contextmanager
def ending_on_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the process as an exit does, so that what it started ends too."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, _exit) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _exit(number: int, _frame: object) -> None:
    raise SystemExit(128 + number)


def sweep(mark: str, seconds: float = 2) -> None:
    """End the processes that carry a mark in their environment, wherever they hide.

    Where there is no ``/proc`` only the process group is ended.
    """
    needle = f"{MARK}={mark}\0".encode()
    deadline = time.monotonic() + seconds
    while mark and (found := _find_marked(needle)) and time.monotonic() < deadline:
        for pid in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def _find_marked(needle: bytes) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if needle in (entry / "environ").read_bytes() + b"\0":
                found.append(int(entry.name))
    return found
