"""Reading files up to a size and folders of documents; writing a file as a whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from brainbench_schema.errors import Fault, InvalidInputError, UsageError
from brainbench_schema.strict_json import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable


def read_file(
    path: Path, *, max_bytes: int = MAX_BYTES, name: str = "", advice: str = "check the path"
) -> bytes:
    """Read a file that somebody named, but never more than a limit: it may be a device or a pipe.

    Args:
        path: Where it is.
        max_bytes: Size limit in bytes.
        name: Its name in errors; default: the path.
        advice: What to do where it can't be read.

    Raises:
        UsageError: It can't be read.
        InvalidInputError: It is larger.
    """
    name = name or str(path)
    try:
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)
    except OSError as error:
        what = f"can't be read: {error.strerror}"
        raise UsageError(what, where=name, advice=advice) from error
    if len(data) > max_bytes:
        message = f"is larger than {max_bytes:,} bytes, the limit"
        told = "name the document itself; one that large has to be split"
        raise InvalidInputError([Fault(file=name, pointer="", message=message, advice=told)])
    return data


def read_folder(folder: Path, suffix: str) -> dict[str, bytes]:
    """Read the files of a folder whose names end in a suffix, by name.

    Raises:
        InvalidInputError: One of them is a symlink that leaves the folder, no file, or too large.
        UsageError: One can't be read.
    """
    root = folder.resolve()
    files: dict[str, bytes] = {}
    faults: list[Fault] = []
    for path in sorted(folder.iterdir()):
        if not path.name.endswith(suffix):
            continue
        if path.is_file() and path.resolve().is_relative_to(root):
            files[path.name] = read_file(path)
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
