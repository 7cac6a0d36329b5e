"""Brains in PostgreSQL: one set of tables, one key per brain, seeded for a whole run with COPY."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from brainbench_replay.systems.protocol import BrainSeed, ExtractedFact, StoredFact
from brainbench_replay.systems.reflex.pages import ParsedPage, parse_page
from brainbench_replay.systems.reflex.resolution import Lookup, Match, fits

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import psycopg

# Keys are looked up by a 64-bit hash: a b-tree refuses keys over 2,704 bytes, titles may be
# longer. What a hash finds is compared with the key itself afterwards.
_SCHEMA = """
CREATE UNLOGGED TABLE page (
    brain int NOT NULL, source text NOT NULL, slug text NOT NULL COLLATE "C",
    title text NOT NULL, type text, front_matter text NOT NULL, body text NOT NULL,
    synopsis text NOT NULL, slug_hash bigint NOT NULL, title_hash bigint NOT NULL,
    tail_hash bigint
);
CREATE UNLOGGED TABLE alias (
    brain int NOT NULL, source text NOT NULL, alias text NOT NULL, slug_hash bigint NOT NULL,
    alias_hash bigint NOT NULL
);
CREATE UNLOGGED TABLE fact (
    brain int NOT NULL, fact text NOT NULL, entity_slug text, kind text NOT NULL, source text,
    source_session text, source_markdown_slug text, source_id text NOT NULL,
    valid_from timestamptz, expired_at timestamptz, row_number int NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY
);
CREATE UNIQUE INDEX ON page (brain, slug_hash, source);
CREATE INDEX ON page (title_hash, brain);
CREATE INDEX ON page (tail_hash, brain);
CREATE INDEX ON alias (alias_hash, brain);
CREATE INDEX ON fact (brain);
SET plan_cache_mode = force_generic_plan;
SET enable_seqscan = off;
"""

_LOOK_UP = """
WITH asked AS (
    SELECT * FROM unnest(%(alias)s::bigint[], %(title)s::bigint[], %(tail)s::bigint[])
    WITH ORDINALITY AS asked (alias_hash, title_hash, tail_hash, place)
)
SELECT place, 'alias', page.slug, title, synopsis, alias FROM asked
JOIN alias USING (alias_hash) JOIN page USING (brain, source, slug_hash)
WHERE brain = %(brain)s AND source = %(source)s
UNION ALL
SELECT place, 'title', slug, title, synopsis, '' FROM asked JOIN page USING (title_hash)
WHERE brain = %(brain)s AND source = %(source)s
UNION ALL
SELECT place, 'slug-suffix', slug, title, synopsis, '' FROM asked JOIN page USING (tail_hash)
WHERE brain = %(brain)s AND source = %(source)s
"""

_COPY_PAGES = """COPY page (brain, source, slug, title, type, front_matter, body, synopsis,
    slug_hash, title_hash, tail_hash) FROM STDIN"""
_COPY_ALIASES = "COPY alias (brain, source, alias, slug_hash, alias_hash) FROM STDIN"
_COPY_FACTS = """COPY fact (brain, fact, entity_slug, kind, source, source_session,
    source_markdown_slug, source_id, valid_from, row_number) FROM STDIN"""


class Store:
    """The tables of one run. `brain` is the number that `seed` gave a seed by its place."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection
        connection.execute(_SCHEMA)

    def seed(self, seeds: Sequence[tuple[int, BrainSeed]]) -> None:
        """Write pages and facts of many brains.

        Args:
            seeds: Numbers and seeds; a page that stands twice in one seed is stored as it
                stands last.

        Raises:
            SeedError: A page's front matter can't be read.
        """
        pages = [
            (brain, source, slug, parse_page(slug, content))
            for brain, seed in seeds
            for (source, slug), content in {
                (page.source_id, page.slug): page.content for page in seed.pages
            }.items()
        ]
        with self._connection.cursor() as cursor:
            _copy(cursor, _COPY_PAGES, (_page_row(*page) for page in pages))
            _copy(cursor, _COPY_ALIASES, (row for page in pages for row in _alias_rows(*page)))
            _copy(cursor, _COPY_FACTS, _fact_rows(seeds))

    def look_up(self, brain: int, source: str, lookups: Sequence[Lookup]) -> list[Match]:
        """Find what the three arms have for each candidate, in no particular order."""
        rows = self._connection.execute(
            _LOOK_UP,
            {
                "brain": brain,
                "source": source,
                "alias": [_hash(lookup.alias) for lookup in lookups],
                "title": [_hash(lookup.title) for lookup in lookups],
                "tail": [_hash(lookup.slug) for lookup in lookups],
            },
            prepare=True,
        ).fetchall()
        matches = (_match(lookups, *row) for row in rows)
        return [match for match in matches if match is not None]

    def index(self, brain: int, source: str, limit: int) -> tuple[tuple[str, str], ...]:
        """List slug and title of a source's pages by slug."""
        rows = self._connection.execute(
            "SELECT slug, title FROM page WHERE brain = %s AND source = %s ORDER BY slug LIMIT %s",
            (brain, source, limit),
            prepare=True,
        ).fetchall()
        return tuple((slug, title) for slug, title in rows)

    def replace_conversation(
        self,
        brain: int,
        source: str,
        page: tuple[str, str, str],
        facts: Sequence[tuple[ExtractedFact, str, str, str | None]],
    ) -> None:
        """Store a conversation's page and facts in place of what an earlier run left of it.

        Args:
            page: Slug, title and body of the conversation.
            facts: Each fact with its source, session and the time it became valid (RFC 3339).
        """
        slug, title, body = page
        parsed = ParsedPage(
            title=title,
            type="conversation",
            aliases=(),
            front_matter={"title": title, "type": "conversation"},
            body=body,
            synopsis="",
        )
        rows = [
            (brain, fact.fact, fact.entity_slug, fact.kind, origin, session, slug, source, at, row)
            for row, (fact, origin, session, at) in enumerate(facts, 1)
        ]
        own = (brain, source, slug)
        with self._connection.transaction(), self._connection.cursor() as cursor:
            cursor.execute("DELETE FROM page WHERE brain = %s AND source = %s AND slug = %s", own)
            cursor.execute(
                "DELETE FROM fact WHERE brain = %s AND source_id = %s"
                " AND source_markdown_slug = %s",
                own,
            )
            _copy(cursor, _COPY_PAGES, [_page_row(brain, source, slug, parsed)])
            _copy(cursor, _COPY_FACTS, rows)

    def facts(self, brain: int) -> tuple[StoredFact, ...]:
        """List the facts that have not expired, in the order they were stored."""
        rows = self._connection.execute(
            "SELECT fact, entity_slug, source, source_session, source_markdown_slug, source_id"
            " FROM fact WHERE brain = %s AND expired_at IS NULL ORDER BY id",
            (brain,),
            prepare=True,
        ).fetchall()
        names = tuple(StoredFact.__dataclass_fields__)
        return tuple(StoredFact(**dict(zip(names, row, strict=True))) for row in rows)


def _copy(cursor: psycopg.Cursor[Any], statement: str, rows: Any) -> None:
    with cursor.copy(statement.encode()) as copy:
        for row in rows:
            copy.write_row(row)


def _page_row(brain: int, source: str, slug: str, page: ParsedPage) -> tuple[object, ...]:
    front_matter = json.dumps(page.front_matter, ensure_ascii=False)
    hashes = (_hash(slug), _hash(page.title.lower()), _hash(slug.rsplit("/", 1)[-1]))
    head = (brain, source, slug, page.title, page.type)
    return (*head, front_matter, page.body, page.synopsis, *hashes)


def _alias_rows(
    brain: int, source: str, slug: str, page: ParsedPage
) -> Iterator[tuple[object, ...]]:
    for alias in page.aliases:
        yield brain, source, alias, _hash(slug), _hash(alias)


def _fact_rows(seeds: Sequence[tuple[int, BrainSeed]]) -> Iterator[tuple[object, ...]]:
    for brain, seed in seeds:
        for row, fact in enumerate(seed.facts, 1):
            origin = (fact.source, fact.source_session, None, fact.source_id, None)
            yield brain, fact.fact, fact.entity_slug, "fact", *origin, row


def _match(
    lookups: Sequence[Lookup],
    place: int,
    arm: str,
    slug: str,
    title: str,
    synopsis: str,
    alias: str,
) -> Match | None:
    if not fits(arm, lookups[place - 1], slug=slug, title=title, alias=alias):
        return None
    return Match(candidate=place - 1, arm=arm, slug=slug, title=title, synopsis=synopsis)


def _hash(key: str) -> int | None:
    if not key:
        return None
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), signed=True)
