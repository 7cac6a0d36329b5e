"""Reads sources of any size: JSON arrays element by element, JSON Lines line by line."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import IO, TYPE_CHECKING, Any

from brainbench_replay.recall.importers.record import AS_PUBLISHED, Record
from brainbench_schema import strict_json
from brainbench_schema.errors import Fault, InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Progress = Callable[[int], None]

MAX_ELEMENT_BYTES = strict_json.MAX_BYTES
_CHUNK = 1 << 20


def hash_source(path: Path) -> str:
    """Compute the SHA-256 of a file as it is."""
    digest = sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def read_records(path: Path, progress: Progress) -> Iterator[Record]:
    """Read the elements of a JSON array, or the lines of a JSON Lines file, one at a time.

    Args:
        progress: Called with the number of bytes read, again and again.

    Raises:
        InvalidInputError: With index or line: not JSON, truncated, larger than
            `MAX_ELEMENT_BYTES`, or nothing at all.
    """
    try:
        first = _first_character(path)
        records = _read_array(path, progress) if first == b"[" else _read_lines(path, progress)
        count = 0
        for record in records:
            count += 1
            yield record
    except OSError as error:
        raise _fault(path, error.strerror or str(error)) from None
    if not count:
        raise _fault(path, "holds nothing")


class _Meter:
    """Tells of every read, and refuses an element that doesn't end."""

    def __init__(self, file: IO[bytes], path: Path, progress: Progress) -> None:
        self._file = file
        self._path = path
        self._progress = progress
        self._since = 0
        self.index = 0

    def read(self, size: int) -> bytes:
        chunk = self._file.read(size)
        self._progress(len(chunk))
        self._since += len(chunk)
        if self._since > MAX_ELEMENT_BYTES + size:
            message = f"is larger than {MAX_ELEMENT_BYTES:,} bytes"
            raise _fault(self._path, message, pointer=f"/{self.index}")
        return chunk

    def step(self) -> None:
        self.index += 1
        self._since = 0


def _read_array(path: Path, progress: Progress) -> Iterator[Record]:
    import ijson

    with path.open("rb") as file:
        meter = _Meter(file, path, progress)
        try:
            for value in ijson.items(meter, "item", use_float=True):
                yield Record(
                    file=str(path), pointer=f"/{meter.index}", value=_mend_surrogates(value)
                )
                meter.step()
        except (ijson.JSONError, UnicodeDecodeError) as error:
            raise _broken(path, meter.index, error) from None


def _read_lines(path: Path, progress: Progress) -> Iterator[Record]:
    with path.open("rb") as file:
        number = 0
        while line := file.readline(MAX_ELEMENT_BYTES + 1):
            number += 1
            progress(len(line))
            name = f"{path}, line {number}"
            if not line.strip():
                continue
            yield Record(
                file=name,
                pointer="",
                value=strict_json.loads(line, name, max_bytes=MAX_ELEMENT_BYTES),
            )


def _first_character(path: Path) -> bytes:
    with path.open("rb") as file:
        head = file.read(1024)
    if head.startswith(b"\xef\xbb\xbf"):
        raise _fault(path, "starts with a byte order mark", advice="save it as plain UTF-8")
    if head.startswith((b"PAR1", b"\x1f\x8b", b"PK")):
        advice = "unpack it, or export it as JSON Lines"
        raise _fault(path, "is packed, not JSON", advice=advice)
    first = head.lstrip()[:1]
    if first not in (b"[", b"{", b""):
        raise _fault(path, f"is no JSON: it starts with {head[:20]!r}")
    return first


def _broken(path: Path, index: int, error: Exception) -> InvalidInputError:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    reason = re.sub(r"^parse error: |^lexical error: ", "", lines[0])
    if re.search("premature EOF|Incomplete", reason):
        reason = "ends in the middle: the file is truncated"
    return _fault(path, f"not JSON: {reason}", pointer=f"/{index}")


def _mend_surrogates(value: Any) -> Any:
    """Replace halves of surrogate pairs, which sources cut by a model's limit may hold."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_mend_surrogates(one) for one in value]
    if isinstance(value, dict):
        return {key: _mend_surrogates(one) for key, one in value.items()}
    return value


def _fault(
    path: Path, message: str, pointer: str = "", advice: str = AS_PUBLISHED
) -> InvalidInputError:
    fault = Fault(file=str(path), pointer=pointer, message=message, advice=advice)
    return InvalidInputError([fault])
