"""The folder of one run: locked while in use, removed at the end, by a later run if need be.

Used by the supervisor, which imports as little as it can: no pathlib, no contextlib.
"""
# ruff: noqa: PTH102, PTH104, PTH106, SIM105

from __future__ import annotations

import fcntl
import os
import time

YOUNG_SECONDS = 60.0


def claim(folder: str) -> int:
    """Make the folder and lock it; the lock gets its name only once it is held."""
    os.mkdir(folder, 0o700)
    lock = os.open(f"{folder}/lock.new", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.rename(f"{folder}/lock.new", f"{folder}/lock")
    return lock


def sweep(folder: str) -> None:
    """Remove this user's folders beside a run's own whose supervisor ended without doing so."""
    parent, name = os.path.split(folder)
    prefix = name.rpartition("-")[0]
    with os.scandir(parent) as entries:
        found = [entry for entry in entries if entry.name.startswith(f"{prefix}-")]
    for entry in found:
        try:
            state = entry.stat(follow_symlinks=False)
            if entry.is_dir(follow_symlinks=False) and state.st_uid == os.geteuid():
                _sweep_one(entry.path, time.time() - state.st_mtime)
        except OSError:
            continue  # another run was faster, or holds the lock


def _sweep_one(folder: str, age_seconds: float) -> None:
    try:
        lock = os.open(f"{folder}/lock", os.O_RDWR | os.O_NOFOLLOW)
    except FileNotFoundError:
        if age_seconds > YOUNG_SECONDS:  # it may be about to get its lock
            remove(folder)
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove(folder)
    finally:
        os.close(lock)


def remove(folder: str) -> None:
    """Remove a folder with all it holds, its lock last; symbolic links are not followed."""
    for _, folders, files, descriptor in os.fwalk(folder, topdown=False):
        for name in files:
            _unlink(name, descriptor)
        for name in folders:
            _remove_empty(name, descriptor)
    os.rmdir(folder)


def _remove_empty(name: str, descriptor: int) -> None:
    try:
        os.rmdir(name, dir_fd=descriptor)
    except NotADirectoryError:  # a link to a folder
        _unlink(name, descriptor)


def _unlink(name: str, descriptor: int) -> None:
    try:
        os.unlink(name, dir_fd=descriptor)
    except FileNotFoundError:  # the server may just have removed it itself
        pass
