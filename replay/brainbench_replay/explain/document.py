"""The document that tells a reader of one item."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brainbench_replay.explain.causes import Diagnosis
    from brainbench_replay.systems.protocol import StoredFact
    from brainbench_schema.fixture import SeedFact


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How an item came out on one harness.

    Attributes:
        injected: Pages that came at the item's turn, or in any turn of a decision's reader.
        standings: What the seam did with each page that memory brought up at the turn.
    """

    harness: str
    passed: bool
    injected: tuple[str, ...]
    standings: tuple[tuple[str, str], ...]
    diagnosis: Diagnosis


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One message. `remark` tells what became of it on its way into storage."""

    turn_id: int
    role: str
    text: str
    ts: str | None
    marked: bool
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One name that the turn may mention, and what it led to."""

    said: str
    looked_up: str
    sifted: str
    found: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """One seeded page."""

    slug: str
    title: str
    aliases: tuple[str, ...]
    source_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One item, from the conversation to the cause.

    Attributes:
        expected: What should have come, in sentences.
        conversations: The conversations up to the item, each under a heading.
        heard: How the built-in memory read the turn; None for other systems and items.
        stored: Facts that the conversation left in storage; None where none was written back.
    """

    item: str
    suite: str
    system: str
    active_source: str
    expected: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    conversations: tuple[tuple[str, tuple[Said, ...]], ...]
    heard: tuple[Heard, ...] | None
    pages: tuple[Held, ...]
    facts: tuple[SeedFact, ...]
    stored: tuple[StoredFact, ...] | None

    @property
    def headline(self) -> str:
        """Say in one sentence how the item came out and why."""
        failed = [outcome for outcome in self.outcomes if not outcome.passed]
        verb, told = ("fails", failed) if failed else ("passes", list(self.outcomes))
        harnesses: dict[str, list[str]] = {}
        for outcome in told:
            harnesses.setdefault(outcome.diagnosis.sentence, []).append(outcome.harness)
        parts = [f"on {join_names(names)}: {why}" for why, names in harnesses.items()]
        return f"{self.item} {verb} {'; '.join(parts)}"

    def to_json(self) -> dict[str, Any]:
        """Give the document as JSON-ready values."""
        document = json.loads(json.dumps(asdict(self), default=_enum))
        return {"headline": self.headline, **document}


def join_names(names: Sequence[str]) -> str:
    """Write ``a``, ``a and b``, or ``a, b and c``."""
    *rest, last = names
    return f"{', '.join(rest)} and {last}" if rest else last


def _enum(value: object) -> object:
    assert isinstance(value, Enum)
    return value.name.lower()
