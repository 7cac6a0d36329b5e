"""Full-text ranking with recency in PostgreSQL, through psycopg."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from brainbench_replay.recall.adapters.builtin import list_words
from brainbench_schema.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import psycopg

# Words are made in Python, so that the server's locale has no say; the server only stems them.
# The tables stand in the schema of the connection, which goes with the run.
_SCHEMA = """
DROP TABLE IF EXISTS memory, lexeme;
CREATE UNLOGGED TABLE memory (
    place int NOT NULL, memory_id text NOT NULL, written text, body text NOT NULL,
    supersedes text, folded text NOT NULL,
    words tsvector GENERATED ALWAYS AS (to_tsvector('pg_catalog.english', folded)) STORED
);
"""

_COPY = "COPY memory (place, memory_id, written, body, supersedes, folded) FROM STDIN"

_COUNT = """
CREATE UNLOGGED TABLE lexeme AS
SELECT word COLLATE "C" AS word, ndoc AS memories FROM ts_stat('SELECT words FROM memory');
"""

_INDEX = """
CREATE INDEX ON memory USING gin (words);
CREATE INDEX ON lexeme (word);
ANALYZE memory, lexeme;
"""

# Candidates are the memories that hold one of the rarest words: the rarest of all, and as many
# more as don't bring in too many. The whole query ranks the candidates. Rank falls by up to a
# fifth with age, so that of two equally good memories the newer comes first, and a better old
# one still beats a worse new one. Ties go by place, newest first.
_SEARCH = """
WITH asked AS (
    SELECT word, row_number() OVER rarest = 1 OR sum(memories) OVER rarest <= %(enough)s AS counts
    FROM unnest(tsvector_to_array(to_tsvector('pg_catalog.english', %(words)s))) AS one
    JOIN lexeme ON word = one
    WINDOW rarest AS (ORDER BY memories, word)
), query AS (
    SELECT string_agg(quote_literal(word), '|')::tsquery AS whole,
        (string_agg(quote_literal(word), '|') FILTER (WHERE counts))::tsquery AS rare
    FROM asked
)
SELECT memory_id, written, body, supersedes
FROM query JOIN memory ON words @@ rare
ORDER BY ts_rank(words, whole) * (0.8 + 0.2 * (place + 1) / %(count)s::float8) DESC, place DESC
LIMIT %(top_k)s
"""

ENOUGH = 5_000
"""Most candidates that a commoner word may bring in. Ranking them takes some milliseconds."""

MAX_FOLDED = 250_000
"""Characters of a memory that are indexed; PostgreSQL holds at most 1 MB of lexemes for a row."""

INDEX_FROM = 500
"""Sessions with fewer memories are read through faster than they are indexed."""


class Postgres:
    """Tables of one session; any shared word makes a memory a candidate, the rarest first."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection
        self._count = 0

    def ingest(self, raw_memories: list[dict[str, Any]]) -> None:
        """Store these memories in place of any earlier ones.

        Raises:
            DatabaseError: PostgreSQL refused.
        """
        with _told(), self._connection.transaction():
            self._connection.execute(_SCHEMA)
            with self._connection.cursor() as cursor, cursor.copy(_COPY) as copy:
                for place, memory in enumerate(raw_memories):
                    copy.write_row(_row(place, memory))
            self._connection.execute(_COUNT)
            if len(raw_memories) >= INDEX_FROM:
                self._connection.execute(_INDEX)
        self._count = len(raw_memories)

    def retrieve(self, query: str, top_k: int = 1) -> list[dict[str, Any]]:
        """Give the best ranked memories that share a word with the query.

        Raises:
            DatabaseError: PostgreSQL refused.
        """
        words = " ".join(list_words(query.replace("\0", " ")))
        asked = {"words": words, "top_k": top_k, "count": self._count, "enough": ENOUGH}
        with _told():
            rows = self._connection.execute(_SEARCH, asked).fetchall()
        return [_memory(*row) for row in rows]

    def storage_bytes(self) -> int:
        """Give the size of tables and indexes on disk."""
        with _told():
            row = self._connection.execute(
                "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
                " WHERE oid IN (to_regclass('memory'), to_regclass('lexeme'))"
            ).fetchone()
        return int(row[0] or 0) if row else 0


@contextmanager
def _told() -> Iterator[None]:
    import psycopg

    try:
        yield
    except psycopg.Error as error:
        raise DatabaseError(str(error).strip(), where="adapter postgres") from error


def _row(place: int, memory: dict[str, Any]) -> tuple[object, ...]:
    text = memory["text"]
    body = text.replace("\0", "\ufffd")
    folded = " ".join(list_words(body))[:MAX_FOLDED]
    return place, memory["memory_id"], memory["timestamp"], body, memory.get("supersedes"), folded


def _memory(
    memory_id: str, timestamp: str | None, text: str, supersedes: str | None
) -> dict[str, Any]:
    memory = {"memory_id": memory_id, "timestamp": timestamp, "text": text}
    return memory if supersedes is None else {**memory, "supersedes": supersedes}
