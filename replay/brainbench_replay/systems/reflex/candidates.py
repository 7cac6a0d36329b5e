"""One user turn's text → the names it may mention, in order of mention, handles first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
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
_SENTENCE_ENDS = frozenset('.!?:;-•(["“')
_INNER = frozenset("0123456789'’-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A mention as it stands in the text, and the name that is looked up for it."""

    display: str
    query: str


class Sifted(Enum):
    """What the filters make of a name that a text may mention."""

    KEPT = "kept"
    CHARACTER = "a single character"
    NUMBER = "a plain number"
    FUNCTION_WORD = "a function word"
    EVERYDAY_WORD = "an everyday word, only at a sentence start"
    PAST_LIMIT = "past the limit of 12 names"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A name that a text may mention, and whether it is looked up."""

    candidate: Candidate
    sifted: Sifted


def find_candidates(text: str) -> list[Candidate]:
    """Find the names a text may mention.

    Source: the contract's "Reading: candidates".

    Returns:
        At most 12, de-duplicated by the alias normal form of the query.
    """
    return [
        sighting.candidate for sighting in trace_candidates(text) if sighting.sifted is Sifted.KEPT
    ]


def trace_candidates(text: str) -> list[Sighting]:
    """Find the names a text may mention, with those that the filters drop and why.

    Returns:
        Each name once by the alias normal form of its query, handles first.
    """
    found: dict[str, Candidate] = {}
    inside: set[str] = set()
    for candidate, mid_sentence in (*_handles(text), *_runs(text)):
        key = normalize_alias(candidate.query)
        if key:
            found.setdefault(key, candidate)
            if mid_sentence:
                inside.add(key)
    sightings, room = [], MAX_CANDIDATES
    for key, candidate in found.items():
        sifted = sift(candidate.query, key in inside)
        if sifted is Sifted.KEPT:
            sifted, room = (Sifted.KEPT, room - 1) if room else (Sifted.PAST_LIMIT, 0)
        sightings.append(Sighting(candidate=candidate, sifted=sifted))
    return sightings


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
    return sift(query, mid_sentence) is Sifted.KEPT


def sift(query: str, mid_sentence: bool) -> Sifted:
    """Put a query through the filters for single words."""
    word = query.lower()
    if len(query.split()) > 1:
        return Sifted.KEPT
    if len(query) == 1:
        return Sifted.CHARACTER
    if _NUMBER.fullmatch(query):
        return Sifted.NUMBER
    if word in FUNCTION_WORDS:
        return Sifted.FUNCTION_WORD
    everyday = word in EVERYDAY_WORDS and not mid_sentence
    return Sifted.EVERYDAY_WORD if everyday else Sifted.KEPT


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
