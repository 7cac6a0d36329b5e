"""One user turn's text → the names it may mention, in order of mention, handles first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from unicodedata import category

from brainbench_replay.systems.reflex.text import normalize_alias, strip_possessive
from brainbench_replay.systems.reflex.words import EVERYDAY_WORDS, FUNCTION_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_CANDIDATES = 12
MAX_TOKENS = 4

_HANDLE = re.compile("@([A-Za-z0-9_]{2,})")
_NUMBER = re.compile("[0-9.,]+")
_SENTENCE_ENDS = frozenset(".!?:;-•([\"“")
_INNER = frozenset("0123456789'’-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A mention as it stands in the text, and the name that is looked up for it."""

    display: str
    query: str


def find_candidates(text: str) -> list[Candidate]:
    """Find the names a text may mention.

    Source: the contract's "Reading: candidates".

    Returns:
        At most 12, de-duplicated by the alias normal form of the query.
    """
    found: dict[str, Candidate] = {}
    inside: set[str] = set()
    for candidate, mid_sentence in (*_handles(text), *_runs(text)):
        key = normalize_alias(candidate.query)
        if key:
            found.setdefault(key, candidate)
            if mid_sentence:
                inside.add(key)
    kept = [entry for key, entry in found.items() if is_name(entry.query, key in inside)]
    return kept[:MAX_CANDIDATES]


def _handles(text: str) -> Iterator[tuple[Candidate, bool]]:
    for match in _HANDLE.finditer(text):
        yield Candidate(display=match[0], query=match[1]), True


def _runs(text: str) -> Iterator[tuple[Candidate, bool]]:
    position = 0
    while (start := _next_upper(text, position)) < len(text):
        end = position = _run_end(text, start)
        display = text[start:end]
        yield Candidate(display=display, query=strip_possessive(display)), not _opens(text, start)


def is_name(query: str, mid_sentence: bool) -> bool:
    """Tell whether a query may be a name, or is a mere word that was capitalised."""
    if len(query.split()) > 1:
        return True
    word = query.lower()
    if len(query) == 1 or _NUMBER.fullmatch(query) or word in FUNCTION_WORDS:
        return False
    return mid_sentence or word not in EVERYDAY_WORDS


def _opens(text: str, start: int) -> bool:
    before = text[:start].rstrip()
    return not before or before[-1] in _SENTENCE_ENDS


def _next_upper(text: str, position: int) -> int:
    while position < len(text) and category(text[position]) != "Lu":
        position += 1
    return position


def _run_end(text: str, start: int) -> int:
    end = _token_end(text, start)
    for _ in range(MAX_TOKENS - 1):
        following = end
        while following < len(text) and text[following].isspace():
            following += 1
        if following == end or following == len(text) or category(text[following]) != "Lu":
            break
        end = _token_end(text, following)
    return end


def _token_end(text: str, start: int) -> int:
    end = start + 1
    while end < len(text) and _continues(text, end):
        end += 1
    return end


def _continues(text: str, position: int) -> bool:
    char = text[position]
    if char == ".":
        return position + 1 < len(text) and _is_letter(text[position + 1])
    return char in _INNER or _is_letter(char)


def _is_letter(char: str) -> bool:
    return category(char)[0] == "L"
