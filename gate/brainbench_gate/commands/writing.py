"""Writing files into a user's repository: never over one that stands there, without asking."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from brainbench_schema.files import write_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def write_files(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    """Write files below a folder.

    One that stands there with the same content is left alone in silence; with other content it is
    replaced only where a person says so.

    Args:
        files: Contents by path, relative to the folder.

    Returns:
        The paths that were written.
    """
    written = []
    for path, data in files.items():
        place = folder / path
        if place.exists() or place.is_symlink():
            if place.is_file() and place.read_bytes() == data:
                continue
            if not _may_replace(path):
                click.echo(f"kept  {path}: it stands there already")
                continue
        write_file(place, data)
        written.append(path)
    return written


def _may_replace(path: str) -> bool:
    if not sys.stdin.isatty():
        return False
    return click.confirm(f"{path} stands there already. Replace it?", default=False, err=True)
