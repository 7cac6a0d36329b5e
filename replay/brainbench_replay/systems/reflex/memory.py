"""The built-in memory as a system under test: reading and writing over one store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from brainbench_replay.systems.protocol import CAPABILITIES, BrainSeed, Conversation, Extractor
from brainbench_replay.systems.reflex import segments
from brainbench_replay.systems.reflex.candidates import Sifted, find_candidates, trace_candidates
from brainbench_replay.systems.reflex.resolution import look_up, rank, trace_matches
from brainbench_replay.systems.reflex.store import Store
from brainbench_schema.errors import SeedError
from brainbench_schema.result import SystemInfo

if TYPE_CHECKING:
    from collections.abc import Sequence

    import psycopg

    from brainbench_replay.systems.protocol import Pointer, StoredFact
    from brainbench_replay.systems.reflex.candidates import Sighting
    from brainbench_replay.systems.reflex.resolution import TracedMatch

PROVENANCE = "conversation"
"""What the write path records as the source of a fact."""

VERSION = "1"
"""Version of the memory's rules; raised when the same corpus would give other numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallTrace:
    """How one turn was read.

    Attributes:
        sightings: The names it may mention, dropped ones too.
        matches: What was found for those kept; a match's candidate is its place among them.
    """

    sightings: tuple[Sighting, ...]
    matches: tuple[TracedMatch, ...]


class Reflex:
    """Deterministic memory on PostgreSQL.

    Args:
        connection: An autocommit connection whose search path is a schema of its own.
        backend: What the database is, for the result.
    """

    capabilities = frozenset(CAPABILITIES)
    provenance = PROVENANCE

    def __init__(self, connection: psycopg.Connection, backend: str) -> None:
        self._store = Store(connection)
        self._numbers: dict[str, int] = {}
        self._failed: dict[str, SeedError] = {}
        details = {"backend": backend, "embedder": None, "extractor": "gold"}
        self.info = SystemInfo(name="reflex", version=VERSION, kind="reflex", details=details)

    def prepare(self, seeds: Sequence[BrainSeed]) -> None:
        """Seed all brains of the run in one go; where that fails, one by one to name the bad."""
        numbered = [(self._number(seed), seed) for seed in seeds]
        try:
            self._store.seed(numbered)
        except SeedError:
            for number, seed in numbered:
                self._seed_alone(number, seed)

    def open(self, seed: BrainSeed) -> ReflexBrain:
        """Give the brain of a seed; one that `prepare` did not see is seeded now.

        Raises:
            SeedError: The seed can't be taken.
        """
        if seed.key not in self._numbers:
            self._seed_alone(self._number(seed), seed)
        if seed.key in self._failed:
            raise self._failed[seed.key]
        return ReflexBrain(self._store, self._numbers[seed.key])

    def _number(self, seed: BrainSeed) -> int:
        return self._numbers.setdefault(seed.key, len(self._numbers))

    def _seed_alone(self, number: int, seed: BrainSeed) -> None:
        try:
            self._store.seed([(number, seed)])
        except SeedError as error:
            self._failed[seed.key] = error


class ReflexBrain:
    """One brain of the built-in memory."""

    def __init__(self, store: Store, number: int) -> None:
        self._store = store
        self._number = number

    def recall(self, text: str, *, source: str) -> tuple[Pointer, ...]:
        """Give every page that the names in a turn lead to, in the contract's order."""
        candidates = find_candidates(text)
        if not candidates:
            return ()
        lookups = [look_up(candidate) for candidate in candidates]
        return rank(candidates, self._store.look_up(self._number, source, lookups))

    def trace(self, text: str, *, source: str) -> RecallTrace:
        """Tell what `recall` makes of a turn at each stage."""
        sightings = trace_candidates(text)
        kept = [seen.candidate for seen in sightings if seen.sifted is Sifted.KEPT]
        lookups = [look_up(candidate) for candidate in kept]
        matches = self._store.look_up(self._number, source, lookups) if kept else []
        return RecallTrace(
            sightings=tuple(sightings), matches=tuple(trace_matches(len(kept), matches))
        )

    def index(self, *, source: str, limit: int) -> tuple[tuple[str, str], ...]:
        """List slug and title of the first pages of a source, by slug."""
        return self._store.index(self._number, source, limit)

    def write_back(self, conversation: Conversation, *, source: str, extract: Extractor) -> None:
        """Segment a conversation, draw facts from each segment, and store them with provenance."""
        session = f"{PROVENANCE}:{conversation.slug}"
        facts = [
            (fact, PROVENANCE, session, segment[-1].timestamp)
            for segment in segments.split(conversation.messages)
            for fact in extract(segments.render(conversation.title, segment))
        ]
        body = "\n\n".join(
            f"{message.speaker}: {message.text}" for message in conversation.messages
        )
        page = (conversation.slug, conversation.title, body)
        self._store.replace_conversation(self._number, source, page, facts)

    def facts(self) -> tuple[StoredFact, ...]:
        """List the active facts in the order they were stored."""
        return self._store.facts(self._number)
