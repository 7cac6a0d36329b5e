"""A fixture: one conversation and the pages and facts that memory holds before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

DEFAULT_SOURCE = "default"
"""The source that exists in every brain, and the active one unless a fixture says otherwise."""

SUITES = ("know-to-ask", "push", "write-back", "continuity")
RETRIEVAL_SUITES = ("know-to-ask", "push")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A Markdown page with YAML front matter, seeded into one source."""

    slug: str
    content: str
    source_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedFact:
    """A fact seeded into one source."""

    fact: str
    entity_slug: str | None
    source: str | None
    source_session: str | None
    source_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message of the conversation. `ts` is RFC 3339 with an offset, or None."""

    turn_id: int
    role: str
    text: str
    ts: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Continuity:
    """The pair a fixture belongs to; `pair_role` is ``writer`` or ``reader``."""

    pair_id: str
    pair_role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """All that a memory system may see of one case."""

    fixture_id: str
    suites: frozenset[str]
    category: str | None
    holdout: bool
    sources: tuple[str, ...]
    active_source: str
    pages: tuple[Page, ...]
    facts: tuple[SeedFact, ...]
    turns: tuple[Turn, ...]
    continuity: Continuity | None

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Fixture:
        """Build from a document that its schema has accepted."""
        pair = document.get("continuity")
        return cls(
            fixture_id=document["fixture_id"],
            suites=frozenset(document["suites"]),
            category=document.get("category"),
            holdout=document.get("holdout", False),
            sources=tuple(document.get("sources", ())),
            active_source=document.get("active_source", DEFAULT_SOURCE),
            pages=tuple(_page(page) for page in document.get("seed_pages", ())),
            facts=tuple(_fact(fact) for fact in document.get("seed_facts", ())),
            turns=tuple(_turn(turn) for turn in document["turns"]),
            continuity=Continuity(**pair) if pair else None,
        )

    def replays(self, suite: str) -> bool:
        """Tell whether this fixture is replayed turn by turn for a retrieval suite."""
        return suite in self.suites and suite in RETRIEVAL_SUITES

    @property
    def pair_role(self) -> str | None:
        """The part in its continuity pair, where it plays one in the continuity suite."""
        if self.continuity and "continuity" in self.suites:
            return self.continuity.pair_role
        return None


def _page(page: dict[str, Any]) -> Page:
    return Page(
        slug=page["slug"],
        content=page["content"],
        source_id=page.get("source_id", DEFAULT_SOURCE),
    )


def _fact(fact: dict[str, Any]) -> SeedFact:
    return SeedFact(
        fact=fact["fact"],
        entity_slug=fact.get("entity_slug"),
        source=fact.get("source"),
        source_session=fact.get("source_session"),
        source_id=fact.get("source_id", DEFAULT_SOURCE),
    )


def _turn(turn: dict[str, Any]) -> Turn:
    return Turn(turn_id=turn["turn_id"], role=turn["role"], text=turn["text"], ts=turn.get("ts"))
