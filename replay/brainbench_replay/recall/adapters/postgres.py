"""Full-text ranking with recency in PostgreSQL, through psycopg."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from brainbench_replay.recall.adapters.builtin import find_words
from brainbench_schema.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import psycopg

# Words are made in Python, so that the server's locale has no say; the server only stems them.
# The table stands in the schema of the connection, which goes with the run.
_SCHEMA = """
DROP TABLE IF EXISTS memory;
CREATE UNLOGGED TABLE memory (
    place int NOT NULL, memory_id text NOT NULL, written text, body text NOT NULL,
    supersedes text, words tsvector NOT NULL
);
"""

_COPY = "COPY memory (place, memory_id, written, body, supersedes, words) FROM STDIN"

_INDEX = """
CREATE INDEX ON memory USING gin (words);
ANALYZE memory;
"""

# Rank falls by up to a fifth with age, so that of two equally good memories the newer comes
# first, and a better old one still beats a worse new one. Ties go by place, newest first.
_SEARCH = """
SELECT memory_id, written, body, supersedes
FROM memory, to_tsquery('pg_catalog.english', %(query)s) AS query
WHERE words @@ query
ORDER BY ts_rank(words, query) * (0.8 + 0.2 * (place + 1) / %(count)s::float8) DESC, place DESC
LIMIT %(top_k)s
"""

INDEX_FROM = 500
"""Sessions with fewer memories are read through faster than they are indexed."""


class Postgres:
    """One table per session; any shared word makes a memory a candidate."""

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
            if len(raw_memories) >= INDEX_FROM:
                self._connection.execute(_INDEX)
        self._count = len(raw_memories)

    def retrieve(self, query: str, top_k: int = 1) -> list[dict[str, Any]]:
        """Give the best ranked memories that share a word with the query.

        Raises:
            DatabaseError: PostgreSQL refused.
        """
        words = " | ".join(f"'{word}'" for word in sorted(find_words(query.replace("\0", " "))))
        if not words:
            return []
        asked = {"query": words, "top_k": top_k, "count": self._count}
        with _told():
            rows = self._connection.execute(_SEARCH, asked).fetchall()
        return [_memory(*row) for row in rows]

    def storage_bytes(self) -> int:
        """Give the size of table and index on disk."""
        with _told():
            row = self._connection.execute(
                "SELECT pg_total_relation_size(to_regclass('memory'))"
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
    lexemes = " ".join(find_words(body))
    return place, memory["memory_id"], memory["timestamp"], body, memory.get("supersedes"), lexemes


def _memory(
    memory_id: str, timestamp: str | None, text: str, supersedes: str | None
) -> dict[str, Any]:
    memory = {"memory_id": memory_id, "timestamp": timestamp, "text": text}
    return memory if supersedes is None else {**memory, "supersedes": supersedes}
