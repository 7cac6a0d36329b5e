"""The built-in adapters that need no database: the baseline and the three anchors."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import Any

_WORD = re.compile(r"\w+")

_STOP = """
a about after all an and any are as at be been before but by can did do does for from had has have
he her his how i in into is it its me my no not now of on or our out she so some than that the
their them then there they this to up us was we were what when where which who whom whose why will
with you your
"""
STOP_WORDS = frozenset(_STOP.split())


def list_words(text: str) -> list[str]:
    """List the words of a text that carry meaning, case folded, as often as they occur."""
    return [word for word in _WORD.findall(text.casefold()) if word not in STOP_WORDS]


class Empty:
    """Anchor: finds nothing."""

    def ingest(self, raw_memories: list[dict[str, Any]]) -> None:
        """Take nothing in."""

    def retrieve(self, query: str, top_k: int = 1) -> list[dict[str, Any]]:  # noqa: ARG002
        """Give nothing."""
        return []

    def storage_bytes(self) -> int:
        """Give 0."""
        return 0


class _Shelf:
    """Keeps a session's memories as they came."""

    def __init__(self) -> None:
        self._memories: list[dict[str, Any]] = []

    def ingest(self, raw_memories: list[dict[str, Any]]) -> None:
        """Keep these memories in place of any earlier ones."""
        self._memories = raw_memories

    def storage_bytes(self) -> int:
        """Give the size of the texts in UTF-8."""
        return sum(len(memory["text"].encode()) for memory in self._memories)


class Everything(_Shelf):
    """Anchor: gives all it has, newest first, whatever is asked and however many are wanted."""

    def retrieve(self, query: str, top_k: int = 1) -> list[dict[str, Any]]:  # noqa: ARG002
        """Give every memory."""
        return self._memories[::-1]


class Latest(_Shelf):
    """Anchor: gives what was revised last, then the newest of the rest; reads no query."""

    def retrieve(self, query: str, top_k: int = 1) -> list[dict[str, Any]]:  # noqa: ARG002
        """Give current revisions of revised memories first, each group newest first."""
        outdated = {memory.get("supersedes") for memory in self._memories}
        current = [one for one in self._memories[::-1] if one["memory_id"] not in outdated]
        return sorted(current, key=lambda one: "supersedes" not in one)[:top_k]


class Keyword(_Shelf):
    """The baseline: most words in common with the query first, then the newest."""

    def ingest(self, raw_memories: list[dict[str, Any]]) -> None:
        """Index these memories in place of any earlier ones."""
        super().ingest(raw_memories)
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        for place, memory in enumerate(raw_memories):
            for word in set(list_words(memory["text"])):
                self._places[word].append(place)

    def retrieve(self, query: str, top_k: int = 1) -> list[dict[str, Any]]:
        """Give the memories that share a word with the query."""
        shared = Counter(
            place for word in set(list_words(query)) for place in self._places.get(word, ())
        )
        best = sorted(shared, key=lambda place: (-shared[place], -place))[:top_k]
        return [self._memories[place] for place in best]
