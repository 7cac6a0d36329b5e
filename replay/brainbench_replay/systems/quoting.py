"""What a system under test wrote, as text that is safe in a terminal and in a runner's log."""

from __future__ import annotations

import re

MAX_LINE_CHARS = 400

_OLD_COMMAND = re.compile(r"##(?=\[)")
_ERROR_TEXT = re.compile(
    r"\W*(?:[\w.]*(?:error|exception)|fatal|failed|failure|panic|traceback)\b", re.IGNORECASE
)


def quote_line(name: str, line: bytes) -> str:
    """Write one line of a system's output so that no runner takes it for a command.

    A runner acts on lines that start with ``::`` and on ``##[`` anywhere; terminals act on
    control characters.

    Args:
        name: Whose line it is; stands before it.
    """
    text = line.decode("utf-8", "backslashreplace")
    shown = "".join(char if char.isprintable() else _escape(char) for char in text.rstrip())
    if len(shown) > MAX_LINE_CHARS:
        shown = f"{shown[:MAX_LINE_CHARS]}… ({len(line):,} bytes)"
    return f"{name} | {_OLD_COMMAND.sub('# #', shown)}"


def excerpt(text: str, limit: int = 120) -> str:
    """Give the start of a text on one line, for an error message."""
    line = " ".join(text.split())
    line = "".join(char if char.isprintable() else _escape(char) for char in line)
    return _OLD_COMMAND.sub("# #", line if len(line) <= limit else line[: limit - 1] + "…")


def looks_like_error(text: str) -> bool:
    """Tell whether a text that should be an answer reads like an error message instead."""
    return _ERROR_TEXT.match(text) is not None


def _escape(char: str) -> str:
    return " " if char == "\t" else char.encode("unicode_escape").decode("ascii")
