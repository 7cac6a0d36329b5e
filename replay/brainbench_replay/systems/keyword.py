"""The anchor `keyword`: full-text ranking in PostgreSQL, as most stores offer it."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from brainbench_replay.systems.anchors import PROVENANCE, PlainBrain
from brainbench_replay.systems.protocol import CAPABILITIES
from brainbench_replay.systems.reflex.pages import strip_private
from brainbench_replay.systems.reflex.words import FUNCTION_WORDS
from brainbench_schema.result import SystemInfo

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import psycopg

    from brainbench_replay.systems.protocol import BrainSeed, Pointer

MAX_POSITION = 16_383
"""Highest position that a tsvector keeps."""

MAX_WORDS = 50_000
"""How much of a page is indexed: a tsvector holds a megabyte."""

MAX_WORD_BYTES = 2_046
"""Longest lexeme that a tsvector takes."""

_WORD = re.compile(r"\w+")

_SCHEMA = """
CREATE UNLOGGED TABLE document (
    brain int NOT NULL, source text NOT NULL, slug text NOT NULL COLLATE "C", words tsvector
);
CREATE INDEX ON document (brain);
"""
_RANK = """
SELECT slug, ts_rank(words, %(query)s::tsquery) AS rank FROM document
WHERE brain = %(brain)s AND source = %(source)s AND words @@ %(query)s::tsquery
ORDER BY rank DESC, slug LIMIT 50
"""


class Keyword:
    """Ranks the pages of a source by the words that they share with the turn.

    Args:
        connection: An autocommit connection whose search path is a schema of its own.
        backend: What the database is, for the result.
    """

    capabilities = frozenset(CAPABILITIES)
    provenance = PROVENANCE

    def __init__(self, connection: psycopg.Connection, backend: str) -> None:
        self._connection = connection
        self._numbers: dict[str, int] = {}
        connection.execute(_SCHEMA)
        details = {"anchor": True, "backend": backend}
        self.info = SystemInfo(name="keyword", version="1", kind="keyword", details=details)

    def prepare(self, seeds: Sequence[BrainSeed]) -> None:
        """Nothing to learn ahead."""

    def open(self, seed: BrainSeed) -> KeywordBrain:
        """Index the pages of a seed under a number of their own."""
        number = len(self._numbers)
        self._numbers[seed.key] = number
        brain = KeywordBrain(seed, self._connection, number)
        with (
            self._connection.cursor() as cursor,
            cursor.copy("COPY document (brain, source, slug, words) FROM STDIN") as copy,
        ):
            for (source, slug), page in brain.pages.items():
                text = " ".join([page.title, *page.aliases, strip_private(page.body)])
                copy.write_row((number, source, slug, write_vector(split_words(text))))
        return brain


class KeywordBrain(PlainBrain):
    """One brain of the anchor; its facts are kept as the other anchors keep them."""

    def __init__(self, seed: BrainSeed, connection: psycopg.Connection, number: int) -> None:
        super().__init__(seed)
        self._connection = connection
        self._number = number

    def recall(self, text: str, *, source: str) -> tuple[Pointer, ...]:
        """Give the pages that share a word with the turn, most shared first."""
        words = sorted({word for word in split_words(text) if word not in FUNCTION_WORDS})
        if not words:
            return ()
        query = " | ".join(f"'{word}'" for word in words)
        parameters = {"query": query, "brain": self._number, "source": source}
        rows = self._connection.execute(_RANK, parameters, prepare=True).fetchall()
        return tuple(self.point_to(slug, source, rank) for slug, rank in rows)


def split_words(text: str) -> list[str]:
    """Split a text into lower-case words; the server's locale has no say."""
    return [word for word in _WORD.findall(text.lower()) if len(word.encode()) <= MAX_WORD_BYTES]


def write_vector(words: Iterable[str]) -> str:
    """Write words with their positions as PostgreSQL reads a tsvector."""
    return " ".join(
        f"'{word}':{min(position, MAX_POSITION)}"
        for position, word in enumerate(islice(words, MAX_WORDS), 1)
    )
