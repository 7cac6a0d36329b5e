"""The causes that an item's outcome is put down to, and how texts are quoted in them."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import Enum


class Cause(Enum):
    """What decided over an item, in a few words for a list."""

    CAME = "it came"
    SILENT = "nothing came, as it should be"
    # A page that should have come
    UNSEEDED = "gold names a page that memory was never given"
    OTHER_SOURCE = "the page is only in a source that is not active"
    SLUG_KNOWN = "held back: the conversation holds its slug"
    TITLE_KNOWN = "held back: the conversation holds its title"
    OVER_BUDGET = "over the seam's budget"
    SHARED_ALIAS = "the alias belongs to several pages"
    CHARACTER = "dropped: a single character"
    NUMBER = "dropped: a plain number"
    FUNCTION_WORD = "dropped: a function word"
    EVERYDAY_WORD = "dropped: an everyday word at a sentence start"
    PAST_LIMIT = "dropped: more than 12 names in the turn"
    GLUED = "another capitalised word is glued to the name"
    LOWER_CASE = "the name is in lower case"
    BROKEN_NAME = "the name is broken up"
    PARTIAL_NAME = "only a part of the name is said"
    MISSPELT = "the name is spelt in another way"
    NOT_MENTIONED = "the turn doesn't name the page"
    NOT_RETURNED = "memory did not return the page"
    OUT_OF_SIGHT = "the harness integration left it out"
    # A page that should not have come
    CALLED_UP = "the turn names the page"
    GIVEN = "memory gave a page that should not come"
    REPEATED = "a page that the conversation holds came again"
    LEAK = "a page of another source came"
    # A fact of a conversation
    UNREADABLE_TIME = "the message has no readable time"
    ALONE = "the segment had fewer than 2 messages"
    CUT = "cut off at 6,500 characters"
    NOT_IN_SEGMENT = "no segment holds the message"
    NOT_ASKED = "memory drew no facts from the conversation"
    NOT_STORED = "drawn from the conversation, but not stored"
    NOTHING_STORED = "nothing is stored"
    ENTITY = "stored for another entity"
    KEYWORDS = "the stored text lacks a keyword"
    PROVENANCE = "stored with wrong provenance"
    OTHER_PAGE = "stored under another page"
    TAKEN = "one stored fact answers two gold facts"
    # A decision
    FACT_OTHER_SOURCE = "the fact is in a source that is not active"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """Why something came or did not. `sentence` is a clause: no capital, no full stop."""

    cause: Cause
    sentence: str


def quote(text: str, limit: int = 60) -> str:
    """Quote a text on one line, without control characters, cut at a number of characters."""
    text = clean(text)
    return f"“{text if len(text) <= limit else text[: limit - 1] + '…'}”"


def clean(text: str) -> str:
    """Put a text on one line, without control characters."""
    spaced = " ".join(text.split())
    return "".join(char for char in spaced if unicodedata.category(char)[0] != "C")


def code(slug: str) -> str:
    """Write an id as inline code."""
    return f"`{clean(slug).replace('`', '')}`"


def list_codes(slugs: object) -> str:
    """Write several ids, or the word nothing."""
    assert isinstance(slugs, tuple | list)
    return ", ".join(code(slug) for slug in slugs) or "nothing"
