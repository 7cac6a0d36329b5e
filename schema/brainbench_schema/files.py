"""Reading folders of documents, and writing a file as a whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from brainbench_schema.errors import Fault, InvalidInputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable


def read_folder(folder: Path, suffix: str) -> dict[str, bytes]:
    """Read the files of a folder whose names end in a suffix, by name.

    Raises:
        InvalidInputError: One of them is a symlink that leaves the folder, or no file.
    """
    root = folder.resolve()
    files: dict[str, bytes] = {}
    faults: list[Fault] = []
    for path in sorted(folder.iterdir()):
        if not path.name.endswith(suffix):
            continue
        if path.is_file() and path.resolve().is_relative_to(root):
            files[path.name] = path.read_bytes()
        else:
            message = "is not a file of this folder (a symlink that leaves it, or no file)"
            advice = "put the file itself here"
            faults.append(Fault(file=str(path), pointer="", message=message, advice=advice))
    if faults:
        raise InvalidInputError(faults)
    return files


def write_file(path: Path, data: bytes) -> None:
    """Write a file beside its place, then rename it, so that readers never see half of it.

    Raises:
        UsageError: It can't be written; what stood there still does.
    """
    write_lines(path, [data])


def write_lines(path: Path, lines: Iterable[bytes]) -> None:
    """Write a file as `write_file` does, from lines that are made while it is written.

    Raises:
        UsageError: It can't be written; what stood there still does.
    """
    try:
        _replace_file(path, lines)
    except OSError as error:
        raise UsageError(
            f"can't be written: {error.strerror}",
            where=str(path),
            advice="check the folder, its permissions and the space left",
        ) from error


def _replace_file(path: Path, lines: Iterable[bytes]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(lines)
        umask = os.umask(0)
        os.umask(umask)
        Path(name).chmod(0o666 & ~umask)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
