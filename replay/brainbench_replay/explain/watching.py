"""A memory system under watch: what it was asked and what it answered, brain by brain."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from brainbench_replay.systems.protocol import SpeakingBrain
from brainbench_replay.systems.reflex.memory import ReflexBrain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brainbench_replay.systems.protocol import (
        Brain,
        BrainSeed,
        Conversation,
        ExtractedFact,
        Extractor,
        MemorySystem,
        Pointer,
        Speaker,
        StoredFact,
    )
    from brainbench_replay.systems.reflex.memory import RecallTrace
    from brainbench_schema.result import SystemInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """What memory brought up for one turn.

    Attributes:
        trace: How the built-in memory read the turn; None for others.
    """

    text: str
    pointers: tuple[Pointer, ...]
    trace: RecallTrace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """A conversation that was written back.

    Attributes:
        segments: The texts that memory had facts drawn from.
        extracted: The facts that it was given for them.
    """

    conversation: Conversation
    source: str
    segments: tuple[str, ...]
    extracted: tuple[ExtractedFact, ...]


@dataclass(slots=True, kw_only=True)
class Watched:
    """What was seen of one brain. `facts` is its active facts as last listed."""

    recalls: list[Recall] = field(default_factory=list)
    writings: list[Writing] = field(default_factory=list)
    facts: tuple[StoredFact, ...] = ()


class WatchedSystem:
    """Hands everything on to a system, and keeps what was seen by the key of each brain."""

    def __init__(self, system: MemorySystem) -> None:
        self._system = system
        self.seen: dict[str, Watched] = {}

    @property
    def info(self) -> SystemInfo:
        """As the system says."""
        return self._system.info

    @property
    def capabilities(self) -> frozenset[str]:
        """As the system says."""
        return self._system.capabilities

    @property
    def provenance(self) -> str:
        """As the system says."""
        return self._system.provenance

    def prepare(self, seeds: Sequence[BrainSeed]) -> None:
        """Hand the seeds on."""
        self._system.prepare(seeds)

    def open(self, seed: BrainSeed) -> Brain:
        """Open a brain under watch."""
        brain = self._system.open(seed)
        seen = self.seen[seed.key] = Watched()
        if isinstance(brain, SpeakingBrain):
            return WatchedSpeakingBrain(brain, seen, brain)
        return WatchedBrain(brain, seen)


class WatchedBrain:
    """Hands everything on to a brain."""

    def __init__(self, brain: Brain, seen: Watched) -> None:
        self._brain = brain
        self._seen = seen

    def recall(self, text: str, *, source: str) -> tuple[Pointer, ...]:
        """Recall, and keep what came."""
        pointers = self._brain.recall(text, source=source)
        trace = None
        if isinstance(self._brain, ReflexBrain):
            trace = self._brain.trace(text, source=source)
        self._seen.recalls.append(Recall(text=text, pointers=pointers, trace=trace))
        return pointers

    def index(self, *, source: str, limit: int) -> tuple[tuple[str, str], ...]:
        """Hand the question on."""
        return self._brain.index(source=source, limit=limit)

    def write_back(self, conversation: Conversation, *, source: str, extract: Extractor) -> None:
        """Write back, and keep which segments facts were drawn from."""
        segments: list[str] = []
        extracted: list[ExtractedFact] = []

        def listen(segment: str) -> Sequence[ExtractedFact]:
            facts = extract(segment)
            segments.append(segment)
            extracted.extend(facts)
            return facts

        self._brain.write_back(conversation, source=source, extract=listen)
        self._seen.writings.append(
            Writing(
                conversation=conversation,
                source=source,
                segments=tuple(segments),
                extracted=tuple(extracted),
            )
        )

    def facts(self) -> tuple[StoredFact, ...]:
        """List the facts, and keep them."""
        self._seen.facts = self._brain.facts()
        return self._seen.facts


class WatchedSpeakingBrain(WatchedBrain):
    """A brain whose own harness integration runs: what a seam decides is out of sight."""

    def __init__(self, brain: Brain, seen: Watched, speaking: SpeakingBrain) -> None:
        super().__init__(brain, seen)
        self._speaking = speaking

    def converse(self, harness: str) -> Speaker:
        """Hand the question on."""
        return self._speaking.converse(harness)
