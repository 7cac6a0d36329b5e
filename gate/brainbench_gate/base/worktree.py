"""The files that stand in the work tree, compared with a commit's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.base.objects import split_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


def differing(committed: Mapping[str, bytes], standing: Mapping[str, bytes | None]) -> list[str]:
    """Paths on one side only or with other content, CRLF and LF being the same.

    Args:
        committed: Path to content.
        standing: Path to content; None for what is no plain file.
    """
    one_sided = committed.keys() ^ standing.keys()
    changed = {p for p in committed.keys() - one_sided if not _same(committed[p], standing[p])}
    return sorted(one_sided | changed)


def _same(committed: bytes, standing: bytes | None) -> bool:
    if standing is None:
        return False
    return committed.replace(b"\r\n", b"\n") == standing.replace(b"\r\n", b"\n")


def standing_files(top: Path, path: str) -> dict[str, bytes | None]:
    """Everything at or below a path of the work tree; links are named and not followed.

    The content of what is no plain file, or can't be read, is None: it differs from any file.
    """
    place = top
    parts = split_path(path)
    for count, part in enumerate(parts, start=1):
        place /= part
        if place.is_symlink():
            return {"/".join(parts[:count]): None}
    return {str(file.relative_to(top).as_posix()): _content(file) for file in _below(place)}


def _below(place: Path) -> Iterator[Path]:
    if place.is_dir() and not place.is_symlink():
        for child in place.iterdir():
            if child.name != ".git":
                yield from _below(child)
    elif place.exists() or place.is_symlink():
        yield place


def _content(file: Path) -> bytes | None:
    try:
        return file.read_bytes() if file.is_file() and not file.is_symlink() else None
    except OSError:
        return None
