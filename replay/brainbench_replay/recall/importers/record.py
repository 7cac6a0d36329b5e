"""A place in a source file: typed access whose errors name file and pointer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from brainbench_schema.errors import Fault, InvalidInputError
from brainbench_schema.strict_json import escape_pointer

MARKS = {
    "longmemeval": {"question_id", "haystack_sessions"},
    "locomo": {"conversation", "qa"},
    "memoryagentbench": {"context", "questions"},
    "ama-bench": {"trajectory", "qa_pairs"},
}
"""Keys by which an element of each kind of source is known."""

AS_PUBLISHED = "give the file as its authors publish it; the kinds are in `brainbench import -h`"
"""What to do about a file in which nothing better can be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One value of a source document.

    Attributes:
        file: Path of the source, with the line where it has lines.
        pointer: JSON pointer of the value.
    """

    file: str
    pointer: str
    value: Any

    def fault(self, message: str, advice: str = "") -> InvalidInputError:
        """Make the error for this place."""
        return InvalidInputError(
            [
                Fault(
                    file=self.file,
                    pointer=self.pointer,
                    message=message,
                    advice=advice or AS_PUBLISHED,
                )
            ]
        )

    def find(self, key: str) -> Record | None:
        """Give a member; None where it is missing or null.

        Raises:
            InvalidInputError: This is no object.
        """
        if not isinstance(self.value, dict):
            raise self.fault(f"must be an object, not {_name(self.value)}")
        value = self.value.get(key)
        return None if value is None else self._child(key, value)

    def at(self, key: str) -> Record:
        """Give a member that must be there.

        Raises:
            InvalidInputError: It isn't, or this is no object.
        """
        member = self.find(key)
        if member is None:
            raise self.fault(f"lacks {key!r}", _guess(self.value))
        return member

    def items(self) -> list[Record]:
        """Give the elements of a list.

        Raises:
            InvalidInputError: This is no list.
        """
        if not isinstance(self.value, list):
            raise self.fault(f"must be a list, not {_name(self.value)}")
        return [self._child(index, value) for index, value in enumerate(self.value)]

    def text(self) -> str:
        """Give a text.

        Raises:
            InvalidInputError: This is none.
        """
        if not isinstance(self.value, str):
            raise self.fault(f"must be a text, not {_name(self.value)}")
        return self.value

    def scalar(self) -> str:
        """Give a text or number as text.

        Raises:
            InvalidInputError: This is neither.
        """
        if isinstance(self.value, bool) or not isinstance(self.value, str | int | float):
            raise self.fault(f"must be a text or a number, not {_name(self.value)}")
        return str(self.value)

    def _child(self, key: str | int, value: Any) -> Record:
        pointer = f"{self.pointer}/{escape_pointer(key)}"
        return Record(file=self.file, pointer=pointer, value=value)


def make_id(text: str) -> str:
    """Make an id that can stand before the slash of an item."""
    return re.sub(r"[/\s\x00-\x1f]", "_", text.strip()) or "_"


def _guess(value: dict[str, Any]) -> str:
    kinds = [kind for kind, marks in MARKS.items() if marks <= value.keys()]
    return f"this looks like a file of kind {kinds[0]}" if kinds else ""


def _name(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return "null" if value is None else names.get(type(value), "a number")
