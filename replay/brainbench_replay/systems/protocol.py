"""What the replay asks of a memory system, as Python Protocols and the values that cross."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brainbench_schema.fixture import Page, SeedFact
    from brainbench_schema.result import SystemInfo

CAPABILITIES = ("continuity", "know-to-ask", "push", "sources", "write-back")


@dataclass(frozen=True, slots=True, kw_only=True)
class BrainSeed:
    """Everything one brain holds before its conversation. `key` tells nothing about the gold."""

    key: str
    sources: tuple[str, ...]
    pages: tuple[Page, ...]
    facts: tuple[SeedFact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointer:
    """One page that memory would bring up.

    Attributes:
        label: How the page is called in the injected line.
        synopsis: At most 160 characters; never a body.
        arm: What matched: ``alias``, ``title`` or ``slug-suffix`` in the built-in memory.
        confidence: From 0 to 1.
        text: What memory itself would inject for the page; None where the seam writes the line.
    """

    slug: str
    title: str
    label: str
    synopsis: str
    arm: str
    confidence: float
    text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a conversation. `timestamp` is RFC 3339 where it can be read."""

    speaker: str
    timestamp: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A conversation to be written back, with the slug and title of its page."""

    slug: str
    title: str
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedFact:
    """A fact that an extractor found in a segment's text."""

    fact: str
    entity_slug: str | None
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFact:
    """An active fact as memory holds it, with its provenance."""

    fact: str
    entity_slug: str | None
    source: str | None
    source_session: str | None
    source_markdown_slug: str | None
    source_id: str


class Extractor(Protocol):
    """The seam where facts are drawn from a segment: gold in deterministic runs, or a model."""

    def __call__(self, segment: str, /) -> Sequence[ExtractedFact]:
        """Give the facts that a rendered segment states."""
        ...


class Brain(Protocol):
    """One isolated memory, seeded and ready."""

    def recall(self, text: str, *, source: str) -> tuple[Pointer, ...]:
        """Give every page that a user turn calls up in a source, best first."""
        ...

    def index(self, *, source: str, limit: int) -> tuple[tuple[str, str], ...]:
        """List slug and title of the first pages of a source, by slug."""
        ...

    def write_back(self, conversation: Conversation, *, source: str, extract: Extractor) -> None:
        """Take in a conversation; replaces what an earlier call stored for its page."""
        ...

    def facts(self) -> tuple[StoredFact, ...]:
        """List the active facts in the order they were stored."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Injection:
    """What was put before a turn. `text` is empty where nothing was injected."""

    slugs: tuple[str, ...]
    text: str
    tokens: int


class Speaker(Protocol):
    """One conversation on one harness, in which memory may speak before a user turn."""

    def inject(self, prompt: str, pointers: Sequence[Pointer]) -> Injection:
        """Let memory speak before a user turn; `pointers` is what the brain recalled for it."""
        ...

    def hear(self, text: str) -> None:
        """Take in a turn of the assistant's."""
        ...


@runtime_checkable
class SpeakingBrain(Protocol):
    """A brain whose harness integration is executed itself, in place of a seam's pipeline."""

    def converse(self, harness: str) -> Speaker:
        """Open a conversation on a harness."""
        ...


class MemorySystem(Protocol):
    """A memory that can be told to start from nothing."""

    @property
    def info(self) -> SystemInfo:
        """Name, version and backend, for the result."""
        ...

    @property
    def capabilities(self) -> frozenset[str]:
        """What of `CAPABILITIES` it supports; the rest is skipped, never scored 0."""
        ...

    @property
    def provenance(self) -> str:
        """The constant its pipeline writes as the source of a fact."""
        ...

    def prepare(self, seeds: Sequence[BrainSeed]) -> None:
        """Learn of all brains of the run at once, so that they can be seeded in bulk."""
        ...

    def open(self, seed: BrainSeed) -> Brain:
        """Give an isolated brain that holds exactly the seed.

        Raises:
            SeedError: The seed can't be taken.
        """
        ...
