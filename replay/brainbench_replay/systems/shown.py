"""The lines of a system that are shown on stderr: quoted, bounded, the last ones remembered."""

from __future__ import annotations

import sys
from collections import deque
from typing import TYPE_CHECKING

from brainbench_replay.systems.quoting import excerpt, quote_line

if TYPE_CHECKING:
    from collections.abc import Callable

SHOWN_LINES = 100
"""How many lines of one program are shown; the rest is counted."""


def say_on_stderr(line: str) -> None:
    """Show a quoted line of a system."""
    sys.stderr.write(line + "\n")


class Shown:
    """What one program had to say beside the protocol.

    Args:
        name: Stands before each line.
        say: Shows a quoted line.
    """

    def __init__(self, name: str, say: Callable[[str], None]) -> None:
        self._name = name
        self._say = say
        self._count = 0
        self._last: deque[bytes] = deque(maxlen=5)

    def show(self, line: bytes) -> None:
        """Show a line, or count it where enough were shown."""
        self._count += 1
        self._last.append(line[:1000])
        if self._count <= SHOWN_LINES:
            self._say(quote_line(self._name, line))

    def is_flooded(self) -> bool:
        """Tell whether more came than anybody would read."""
        return self._count > 10 * SHOWN_LINES

    def finish(self) -> None:
        """Say how many lines were not shown."""
        if self._count > SHOWN_LINES:
            self._say(f"{self._name} | … {self._count - SHOWN_LINES:,} more lines not shown")
            self._count = 0

    def quote_last_words(self) -> str:
        """Write the last lines as the end of an error message; empty where there were none."""
        words = [excerpt(line.decode("utf-8", "backslashreplace")) for line in self._last]
        return "; its last words: " + " / ".join(words) if words else ""
