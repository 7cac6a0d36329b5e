"""What a run that was killed could not clean up: found and removed by the next one.

A run holds a lock on a file in its scratch folder for as long as it lives. A folder whose lock is
free has lost its run; the file tells the mark of the processes that were started there.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

OWNER_FILE = "owner"

try:
    import fcntl
except ImportError:  # not a POSIX system: nothing is locked, nothing is taken for lost
    CAN_LOCK = False
else:
    CAN_LOCK = True


def claim(folder: Path, mark: str) -> IO[str]:
    """Lock a scratch folder for this process; closing the file gives it up."""
    file = (folder / OWNER_FILE).open("w", encoding="utf-8")
    if CAN_LOCK:
        fcntl.flock(file, fcntl.LOCK_EX)
    file.write(mark)
    file.flush()
    return file


def find_lost(parent: Path, prefix: str) -> list[tuple[Path, str]]:
    """List the scratch folders of this user whose run is gone, each with its mark."""
    lost = []
    for folder in parent.glob(f"{prefix}*"):
        with suppress(OSError):
            if folder.stat().st_uid == os.getuid() and (mark := _read_free(folder)):
                lost.append((folder, mark))
    return lost


def _read_free(folder: Path) -> str:
    """Give the mark in a folder that nobody holds; empty where somebody does."""
    if not CAN_LOCK:
        return ""
    with (folder / OWNER_FILE).open(encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return ""
        return file.read()
