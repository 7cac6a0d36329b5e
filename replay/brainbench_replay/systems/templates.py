"""How an entry of kind `mcp` says what to send and where the answer is: pure, on plain values."""

from __future__ import annotations

import json
import re
from typing import Any

from brainbench_replay.systems.reflex.candidates import find_candidates
from brainbench_replay.systems.reflex.words import FUNCTION_WORDS

QUERY_POLICIES = ("whole", "words", "names")
"""How a turn becomes queries: as it is, each content word, or each name in it."""

_PLACE = re.compile(r"\{(\w+)\}")
_STEP = re.compile(r"\.([\w-]+)|\[(\*|\d+)\]")
_WORD = re.compile(r"\w[\w'’-]*")
_PATH = re.compile(r"\$(?:\.[\w-]+|\[(?:\*|\d+)\])*")
REGEX_PREFIX = "re:"


def fill(template: Any, values: dict[str, Any]) -> Any:
    """Put values into a template.

    A text that is one placeholder takes the value as it is; within a longer text it is written
    out. Braces around unknown names stay.
    """
    if isinstance(template, dict):
        return {key: fill(child, values) for key, child in template.items()}
    if isinstance(template, list):
        return [fill(child, values) for child in template]
    if not isinstance(template, str):
        return template
    if (match := _PLACE.fullmatch(template)) and match[1] in values:
        return values[match[1]]
    return _PLACE.sub(lambda match: str(values.get(match[1], match[0])), template)


def names_in(template: Any) -> set[str]:
    """List the placeholders of a template."""
    if isinstance(template, dict):
        return {name for child in template.values() for name in names_in(child)}
    if isinstance(template, list):
        return {name for child in template for name in names_in(child)}
    return set(_PLACE.findall(template)) if isinstance(template, str) else set()


def is_place(text: str) -> bool:
    """Tell whether a text is a path (``$.a[*].b``) or a regular expression (``re:…``)."""
    if text.startswith(REGEX_PREFIX):
        try:
            return bool(re.compile(text.removeprefix(REGEX_PREFIX)))
        except re.error:
            return False
    return _PATH.fullmatch(text) is not None


def find(place: str, text: str, document: Any) -> list[Any]:
    """Find what a path or a regular expression points at.

    Args:
        place: A path into the document, or ``re:`` and an expression for the text, of which the
            first group counts, or else the whole match.
        document: The answer as JSON; None where it is none.
    """
    if place.startswith(REGEX_PREFIX):
        pattern = re.compile(place.removeprefix(REGEX_PREFIX), re.MULTILINE)
        return [match[1] if pattern.groups else match[0] for match in pattern.finditer(text)]
    found = [document]
    for key, index in _STEP.findall(place):
        found = [child for value in found for child in _step(value, key, index)]
    return found


def _step(value: Any, key: str, index: str) -> list[Any]:
    if key:
        return [value[key]] if isinstance(value, dict) and key in value else []
    if not isinstance(value, list):
        return []
    return value if index == "*" else value[int(index) : int(index) + 1]


def write_out(value: Any) -> str:
    """Write what was found as one text: lists line by line, the rest as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(write_out(child) for child in value)
    return json.dumps(value, ensure_ascii=False)


def list_queries(policy: str, prompt: str) -> list[str]:
    """Turn a user turn into queries, each once, in order of mention."""
    if policy == "whole":
        return [prompt]
    if policy == "names":
        return list(dict.fromkeys(candidate.query for candidate in find_candidates(prompt)))
    words = (word for word in _WORD.findall(prompt) if len(word) > 2)
    return list(dict.fromkeys(word for word in words if word.lower() not in FUNCTION_WORDS))
