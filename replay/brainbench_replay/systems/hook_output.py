"""What a hook's output means: the text it injects, and the pages that the text names. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from brainbench_replay.systems.quoting import excerpt
from brainbench_schema import strict_json
from brainbench_schema.errors import InvalidInputError, MemorySystemError

if TYPE_CHECKING:
    from collections.abc import Iterable

_SLUG_CHAR = "A-Za-z0-9_/-"


def read_output(output: bytes, where: str) -> str:
    """Read a hook's stdout: JSON with `additionalContext`, or plain text.

    Raises:
        MemorySystemError: It is no text, or starts like JSON and isn't.
    """
    try:
        text = output.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise MemorySystemError(
            f"the hook wrote bytes that are no text, at byte {error.start}",
            where=where,
            advice="write UTF-8",
        ) from None
    if not text.startswith("{"):
        return text
    try:
        document = strict_json.loads(text.encode(), "output")
    except InvalidInputError as error:
        raise MemorySystemError(
            f"the hook's output starts like JSON and is {error.faults[0].message}:"
            f" {excerpt(text, 60)!r}",
            where=where,
            advice="write one JSON object, or plain text",
        ) from None
    return _context_of(document, where)


def _context_of(document: dict[str, Any], where: str) -> str:
    output = document.get("hookSpecificOutput")
    context = output.get("additionalContext", "") if isinstance(output, dict) else ""
    if not isinstance(context, str):
        raise MemorySystemError("`additionalContext` is no text", where=where)
    return "" if document.get("decision") == "block" else context


def find_slugs(
    text: str, seeded: Iterable[str], pattern: re.Pattern[str] | None = None
) -> list[str]:
    """Find the pages that a text names, in order of first occurrence, each once.

    Args:
        seeded: Slugs of the brain; one counts where no slug character stands on either side.
        pattern: Replaces this rule: its first group, or the whole match, is a slug.
    """
    if pattern:
        found = (match[1] if pattern.groups else match[0] for match in pattern.finditer(text))
        return list(dict.fromkeys(slug for slug in found if slug))
    places = {}
    for slug in seeded:
        standing = rf"(?<![{_SLUG_CHAR}]){re.escape(slug)}(?![{_SLUG_CHAR}])"
        if slug in text and (match := re.search(standing, text)):
            places[slug] = match.start()
    return sorted(places, key=lambda slug: (places[slug], slug))
