"""Gold: what should happen in a fixture. Never crosses to the system under test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldFact:
    """A fact that the conversation states and memory should store."""

    gist: str
    fact: str
    entity_slug: str | None
    match_keywords: tuple[str, ...]
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldTurn:
    """What should happen at one turn."""

    should_retrieve: bool
    gold_slugs: tuple[str, ...]
    acceptable_slugs: tuple[str, ...]
    gold_facts: tuple[GoldFact, ...]
    retrieval: dict[str, Any]
    """The retrieval part as the document has it, carried into result rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A probe of a continuity reader: what the writer decided."""

    decision_id: str
    expected_slugs: tuple[str, ...]
    match_keywords: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """The annotations of one fixture; `turns` is keyed by turn id."""

    fixture_id: str
    turns: dict[int, GoldTurn]
    pair_id: str | None
    decisions: tuple[Decision, ...]

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Gold:
        """Build from a document that its schema has accepted."""
        pair = document.get("continuity") or {}
        return cls(
            fixture_id=document["fixture_id"],
            turns={int(key): gold_turn(turn) for key, turn in document["turns"].items()},
            pair_id=pair.get("pair_id"),
            decisions=tuple(_decision(decision) for decision in pair.get("decisions", ())),
        )


_RETRIEVAL_KEYS = ("should_retrieve", "gold_slugs", "acceptable_slugs")


def gold_turn(turn: dict[str, Any]) -> GoldTurn:
    """Build one turn's gold from its document, or from the `gold` of a result row."""
    return GoldTurn(
        should_retrieve=turn["should_retrieve"],
        gold_slugs=tuple(turn.get("gold_slugs", ())),
        acceptable_slugs=tuple(turn.get("acceptable_slugs", ())),
        gold_facts=tuple(_gold_fact(fact) for fact in turn.get("gold_facts", ())),
        retrieval={key: turn[key] for key in _RETRIEVAL_KEYS if key in turn},
    )


def _gold_fact(fact: dict[str, Any]) -> GoldFact:
    return GoldFact(
        gist=fact["gist"],
        fact=fact["fact"],
        entity_slug=fact["entity_slug"],
        match_keywords=tuple(fact["match_keywords"]),
        kind=fact.get("kind", "fact"),
    )


def _decision(decision: dict[str, Any]) -> Decision:
    return Decision(
        decision_id=decision["decision_id"],
        expected_slugs=tuple(decision["expected_slugs"]),
        match_keywords=tuple(decision["match_keywords"]),
    )
