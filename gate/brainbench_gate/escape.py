"""Foreign text made inert: in Markdown on GitHub, in a shell block, in a runner's log. Pure.

Whatever a pull request can name (ids, slugs, turns, reasons, paths) is foreign. It is shown and
never acts: no mention, link, image, HTML, table cell, fence or workflow command comes of it.
"""

from __future__ import annotations

import re
import shlex
import unicodedata

JOINER = "\u2060"
"""Has no width and breaks no line; parts what GitHub would turn into a mention or a link."""

REPLACEMENT = "\ufffd"
ELLIPSIS = "…"

_MARKUP = re.compile(
    rf"[^\w .,:;?%=+'()/{JOINER}{ELLIPSIS}{REPLACEMENT}-]|_|:(?=\S)|(?<=[wW]{{3}})\."
    r"|^[-=+]|(?<=\d)[.)](?=\s|$)"
)
_TRIGGERS = re.compile(r"(?<=[@#:])(?=\S)|(?<=www)(?=\.)|(?<=GH)(?=-)", re.IGNORECASE)
_COMMIT_ID = re.compile(r"[0-9a-f]{7,}", re.IGNORECASE)
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def clean(text: str, limit: int) -> str:
    """Put a text on one line: no control, direction or invisible characters, and not too long.

    Args:
        limit: Longest result in characters.
    """
    head = " ".join(text[: 4 * limit].split())
    shown = "".join(
        REPLACEMENT if unicodedata.category(char) in _HIDDEN_CATEGORIES else char for char in head
    )
    cut = len(shown) > limit or len(text) > 4 * limit
    return f"{shown[: limit - 1]}{ELLIPSIS}" if cut else shown


def code(text: str, limit: int = 120) -> str:
    """Show a text literally, as inline code that also stands in a table cell."""
    shown = clean(text, limit).replace("@", f"@{JOINER}")
    return f"<code>{_encode(shown)}</code>" if shown else "<code>–</code>"


def plain(text: str, limit: int = 400) -> str:
    """Show a text as prose."""
    return _inert(clean(text, limit)) or "–"


def prose(text: str, limit: int = 400) -> str:
    """Show a text as prose in which what stands between backticks is inline code."""
    parts = clean(text, limit).split("`")
    if len(parts) % 2 == 0:
        return plain(text, limit)
    shown = [code(part) if place % 2 else _inert(part) for place, part in enumerate(parts)]
    return "".join(shown) or "–"


def fence(lines: list[str], language: str = "sh") -> list[str]:
    """Put lines into a fenced block that nothing in them can end."""
    inner = [clean(line, 2000) for line in lines]
    longest = max((len(run) for line in inner for run in re.findall("`+", line)), default=0)
    mark = "`" * max(3, longest + 1)
    return [f"{mark}{language}", *inner, mark]


def shell_word(text: str) -> str:
    """Write a text as one word of a shell command."""
    return shlex.quote(clean(text, 500))


def log_line(text: str) -> str:
    """Write a text to a runner's log so that no line of it is taken as a command."""
    inert = text.replace("\r", "\n").replace("##[", f"##{JOINER}[")
    return "\n".join(f"| {line}" for line in inert.split("\n"))


def command_value(text: str) -> str:
    """Escape the message of a workflow command.

    Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
    """
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def command_property(text: str) -> str:
    """Escape a property of a workflow command, such as its file."""
    return command_value(text).replace(":", "%3A").replace(",", "%2C")


def _inert(text: str) -> str:
    return _encode(_COMMIT_ID.sub(_part, _TRIGGERS.sub(JOINER, text)))


def _part(found: re.Match[str]) -> str:
    digits = found.group()
    return JOINER.join(digits[start : start + 6] for start in range(0, len(digits), 6))


def _encode(text: str) -> str:
    return _MARKUP.sub(lambda found: f"&#{ord(found.group())};", text)
