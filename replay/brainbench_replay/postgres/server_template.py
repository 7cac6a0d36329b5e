"""A fresh data folder kept in the user's cache, which spares later runs initdb.

One file holds it all, so that it appears at once, by a rename, and is checked at once: it must
belong to this user and be closed to others, carry the exact key asked for, and agree with its
checksum. Whatever is wrong with it, the answer is no template and initdb runs.

The checksum finds damage, not malice: code that runs as the same user can replace a template
just as it can replace the program that reads it. So the run names no cache folder under CI.

Used by the supervisor, which imports as little as it can.
"""
# ruff: noqa: PTH102, PTH105, PTH108, PTH116, PTH120, PTH123, SIM105

from __future__ import annotations

import os
import stat
import time
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MAGIC = b"brainbench-gate data folder 2\n"
SUFFIX = ".template"
PART_SUFFIX = ".part"
KEPT_TEMPLATES = 4
STALE_PART_SECONDS = 600.0
LARGEST_BYTES = 64 * 2**20
CHECKSUM_BYTES = 8


class Template:
    """The template for one key.

    Args:
        cache: This program's folder in the user's cache; empty to have no template.
        key: What the data folder depends on.
    """

    __slots__ = ("cache", "key", "path")

    def __init__(self, cache: str, key: str) -> None:
        self.cache = cache
        self.key = key.encode(errors="surrogateescape")
        self.path = f"{cache}/postgres-{zlib.crc32(self.key):08x}{SUFFIX}"

    def restore(self, data: str) -> bool:
        """Make the data folder; False, and no folder, where there is no sound template."""
        if not self.cache:
            return False
        try:
            entries = _unpack(_read_own(self.path), self.key)
        except (OSError, ValueError):
            return False
        _write_entries(data, entries)
        return True

    def save(self, data: str, unique: str) -> None:
        """Keep a data folder that no server has used yet, if the cache can be written.

        Args:
            data: The data folder.
            unique: A name no other run uses.
        """
        try:
            if self.cache and _is_private(self.cache):
                self._put(_pack(data, self.key), f"{self.cache}/{unique}{PART_SUFFIX}")
                _prune(self.cache)
        except OSError:
            pass  # a full disk or a cache that can't be written costs the next run some time

    def _put(self, packed: bytes, part: str) -> None:
        try:
            _write_new(part, packed)
            os.replace(part, self.path)
        except OSError:
            os.unlink(part)
            raise


def _is_private(cache: str) -> bool:
    """Make the folder if need be; whether it and the one above are ours, and it ours alone."""
    parent = os.path.dirname(cache)
    for folder in (parent, cache):
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:
            pass
    states = [os.lstat(cache), os.stat(parent)]
    owned = all(state.st_uid == os.geteuid() for state in states)
    return owned and stat.S_ISDIR(states[0].st_mode) and not states[0].st_mode & 0o077


def _read_own(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    with open(descriptor, "rb", buffering=0) as file:
        state = os.fstat(descriptor)
        ours = stat.S_ISREG(state.st_mode) and state.st_uid == os.geteuid()
        if not ours or state.st_mode & 0o077 or state.st_size > LARGEST_BYTES:
            raise ValueError("not a file of ours alone")
        return file.read()


def _pack(data: str, key: bytes) -> bytes:
    index, contents = [], []
    for path, content in _entries(data):
        index.append("-" if content is None else str(len(content)))
        index.append(path)
        contents.append(content or b"")
    body = b"\0".join((key, "\n".join(index).encode(), b"".join(contents)))
    return MAGIC + b"%08x" % zlib.crc32(body) + body


def _entries(data: str) -> Iterator[tuple[str, bytes | None]]:
    """Folders, with None, before the files in them.

    Of the databases only template1, whose number is 1, is connected to; the folders of the two
    others are left out. So are free space and visibility maps, which the server makes anew when
    it misses them. Of the log only the segment of the last checkpoint and the one after it hold
    anything.
    """
    for top, folders, files in os.walk(data):
        relative = os.path.relpath(top, data)
        if relative == "base":
            folders[:] = ["1"]
        if relative == "pg_wal":
            files[:] = sorted(files)[:2]
        if top != data:
            yield relative, None
        for name in files:
            if name.endswith(("_fsm", "_vm")):
                continue
            with open(f"{top}/{name}", "rb") as file:
                yield f"{relative}/{name}", file.read()


def _unpack(packed: bytes, key: bytes) -> list[tuple[str, memoryview | None]]:
    """Raises ValueError where anything isn't as ``_pack`` makes it."""
    start = len(MAGIC) + CHECKSUM_BYTES
    body = memoryview(packed)[start:]
    if packed[:start] != MAGIC + b"%08x" % zlib.crc32(body):
        raise ValueError("damaged")
    if not packed.startswith(key + b"\0", start):
        raise ValueError("another key")
    index_start = start + len(key) + 1
    index_end = packed.index(b"\0", index_start)
    index = packed[index_start:index_end].decode().split("\n")
    return list(_slices(index, memoryview(packed)[index_end + 1 :]))


def _slices(index: list[str], contents: memoryview) -> Iterator[tuple[str, memoryview | None]]:
    position = 0
    for size, path in zip(index[::2], index[1::2], strict=True):
        if path.startswith("/") or ".." in path:
            raise ValueError("a path that leads out")
        if size == "-":
            yield path, None
        else:
            yield path, contents[position : position + int(size)]
            position += int(size)
    if position != len(contents):
        raise ValueError("sizes that don't add up")


def _write_entries(data: str, entries: list[tuple[str, memoryview | None]]) -> None:
    os.mkdir(data, 0o700)
    for path, content in entries:
        if content is None:
            os.mkdir(f"{data}/{path}", 0o700)
        else:
            _write_new(f"{data}/{path}", content)


def _write_new(path: str, content: bytes | memoryview) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        while content:
            content = content[os.write(descriptor, content) :]
    finally:
        os.close(descriptor)


def _prune(cache: str) -> None:
    """Keep the newest templates, and no part that nobody can be writing any more."""
    with os.scandir(cache) as entries:
        ages = sorted((time.time() - entry.stat().st_mtime, entry.path) for entry in entries)
    templates = [path for _, path in ages if path.endswith(SUFFIX)]
    parts = [p for age, p in ages if p.endswith(PART_SUFFIX) and age > STALE_PART_SECONDS]
    for path in templates[KEPT_TEMPLATES:] + parts:
        os.unlink(path)
