"""Strict JSON: what Python's reader lets pass (duplicate keys, NaN, lone surrogates) is refused."""

from __future__ import annotations

import json
import math
import re
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from brainbench_schema.errors import Fault, InvalidInputError
from brainbench_schema.numbers import settle

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 64 * 1024 * 1024
"""Largest document read, in bytes. A result of 10,000 fixtures stays well below it."""

MAX_DEPTH = 64
"""Deepest nesting read. The deepest document of this project has 8 levels."""

_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_STEP = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


class _RefusedError(Exception):
    """Raised where a document can't be read at all, and by hooks that see no place.

    Args:
        message: What is wrong.
        advice: What to do about it.
    """

    def __init__(self, message: str, advice: str) -> None:
        self.message = message
        self.advice = advice
        super().__init__(message)


class _Pairs(list[tuple[str, Any]]):
    """An object with its keys as they stand, repeated ones too."""


class _Strange(str):
    """A number that JSON can't hold, as it stands."""

    __slots__ = ()


def loads(data: bytes, file: str, *, max_bytes: int = MAX_BYTES) -> Any:
    """Read one JSON document.

    Numbers get the type of their value: ``2.0`` is read as the integer 2, so that every later
    comparison sees one type per value. CRLF needs no care: JSON doesn't see it.

    Args:
        data: The document's bytes, UTF-8 without a byte order mark.
        file: Its name, for the error.
        max_bytes: Size limit in bytes.

    Returns:
        The document as Python objects.

    Raises:
        InvalidInputError: Too large, not UTF-8, not JSON, nested too deeply, a repeated key,
            a number that is not finite, or text with a lone surrogate.
    """
    try:
        text = _decode(data, max_bytes)
        _refuse_deep(data)
    except _RefusedError as error:
        raise _invalid(file, error.message, error.advice) from None
    try:
        document = json.loads(
            text,
            object_pairs_hook=_object,
            parse_float=_number,
            parse_constant=_refuse_constant,
        )
    except _RefusedError:
        raise InvalidInputError(_find_refused(text, file)) from None
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        conflict = re.search(rb"^<{7} ", data, re.MULTILINE)
        raise _invalid(file, message, _CONFLICT if conflict else _MEND) from None
    except ValueError:
        advice = "write a number that a computer can hold"
        raise _invalid(file, "a number has too many digits", advice) from None
    if b"\\u" in data:
        _refuse_surrogates(document, file)
    return document


_CONFLICT = "the file holds merge conflict markers: resolve them, then write the file again"
_MEND = "mend the file there; `python -m json.tool FILE` shows the same place"
_NO_NUMBER = "write a finite number, or leave the key out"


def _invalid(file: str, message: str, advice: str) -> InvalidInputError:
    return InvalidInputError([Fault(file=file, pointer="", message=message, advice=advice)])


def _decode(data: bytes, max_bytes: int) -> str:
    if len(data) > max_bytes:
        message = f"{len(data):,} bytes, the limit is {max_bytes:,}"
        raise _RefusedError(message, "split it, or take out what isn't needed")
    if data.startswith(b"\xef\xbb\xbf"):
        raise _RefusedError("starts with a byte order mark", "save it as plain UTF-8")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"not UTF-8 at byte {error.start}"
        raise _RefusedError(message, "save it as plain UTF-8") from None


def _refuse_deep(data: bytes) -> None:
    brackets = _STRINGS.sub(b"", data).translate(None, _NOT_BRACKETS)
    if max(accumulate(map(_STEP.__getitem__, brackets)), default=0) > MAX_DEPTH:
        message = f"nested more than {MAX_DEPTH} levels deep"
        raise _RefusedError(message, "no document of this project needs that: check its writer")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise _RefusedError("a key stands twice", "")
    return document


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise _RefusedError(f"the number {text} is too large", _NO_NUMBER)
    return settle(value)


def _refuse_constant(name: str) -> float:
    raise _RefusedError(f"{name} is not a JSON number", _NO_NUMBER)


def _find_refused(text: str, file: str) -> list[Fault]:
    """Read a refused document again, keeping what was refused, and name every place."""
    document = json.loads(
        text,
        object_pairs_hook=_Pairs,
        parse_float=lambda number: number if math.isfinite(float(number)) else _Strange(number),
        parse_constant=_Strange,
    )
    return [
        Fault(file=file, pointer=pointer, message=message, advice=advice)
        for pointer, message, advice in _refused(document, "")
    ]


def _refused(value: object, pointer: str) -> Iterator[tuple[str, str, str]]:
    if isinstance(value, _Strange):
        kind = "is too large" if value[-1].isdigit() else "is not a JSON number"
        yield pointer, f"{value} {kind}", _NO_NUMBER
    elif isinstance(value, _Pairs):
        seen: set[str] = set()
        for key, child in value:
            place = f"{pointer}/{escape_pointer(key)}"
            if key in seen:
                yield place, f"the key {key!r} stands twice in one object", "keep one of them"
            seen.add(key)
            yield from _refused(child, place)
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from _refused(child, f"{pointer}/{index}")


def _refuse_surrogates(document: object, file: str) -> None:
    faults = [
        Fault(
            file=file,
            pointer=pointer,
            message="the text holds half of a surrogate pair",
            advice="write the whole character",
        )
        for pointer, text in strings(document)
        if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text)
    ]
    if faults:
        raise InvalidInputError(faults)


def strings(value: object, pointer: str = "") -> Iterator[tuple[str, str]]:
    """Walk all strings of a document, keys too, each with its JSON pointer."""
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, dict):
        for key, child in value.items():
            place = f"{pointer}/{escape_pointer(key)}"
            yield place, key
            yield from strings(child, place)
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from strings(child, f"{pointer}/{index}")


def escape_pointer(part: str | int) -> str:
    """Write one step of a JSON pointer (RFC 6901)."""
    return str(part).replace("~", "~0").replace("/", "~1")
