"""Two ends of the scale that always ship, so that no score stands alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_replay.systems.protocol import CAPABILITIES, Pointer, StoredFact
from brainbench_replay.systems.reflex import segments
from brainbench_replay.systems.reflex.pages import parse_page
from brainbench_schema.result import SystemInfo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brainbench_replay.systems.protocol import BrainSeed, Conversation, Extractor

PROVENANCE = "conversation"


class Silent:
    """Injects nothing and stores nothing: what a score is worth without any memory."""

    capabilities = frozenset(CAPABILITIES)
    provenance = PROVENANCE
    info = SystemInfo(name="silent", version="1", kind="silent", details={"anchor": True})

    def prepare(self, seeds: Sequence[BrainSeed]) -> None:
        """Nothing to learn."""

    def open(self, seed: BrainSeed) -> SilentBrain:  # noqa: ARG002
        """Give a brain that holds nothing, whatever the seed."""
        return SilentBrain()


class SilentBrain:
    """A brain that never speaks."""

    def recall(self, text: str, *, source: str) -> tuple[Pointer, ...]:  # noqa: ARG002
        """Give nothing."""
        return ()

    def index(self, *, source: str, limit: int) -> tuple[tuple[str, str], ...]:  # noqa: ARG002
        """List nothing."""
        return ()

    def write_back(self, conversation: Conversation, *, source: str, extract: Extractor) -> None:
        """Forget it at once."""

    def facts(self) -> tuple[StoredFact, ...]:
        """List nothing."""
        return ()


class Everything:
    """Injects every page of the source at every turn, and stores all that an extractor finds."""

    capabilities = frozenset(CAPABILITIES)
    provenance = PROVENANCE
    info = SystemInfo(name="everything", version="1", kind="everything", details={"anchor": True})

    def prepare(self, seeds: Sequence[BrainSeed]) -> None:
        """Nothing to learn ahead."""

    def open(self, seed: BrainSeed) -> PlainBrain:
        """Give a brain that holds the seed in memory."""
        return PlainBrain(seed)


class PlainBrain:
    """Pages and facts in plain lists; recalls all pages of a source, by slug."""

    def __init__(self, seed: BrainSeed) -> None:
        self.pages = {
            (page.source_id, page.slug): parse_page(page.slug, page.content)
            for page in sorted(seed.pages, key=lambda page: page.slug)
        }
        self._facts = [
            StoredFact(
                fact=fact.fact,
                entity_slug=fact.entity_slug,
                source=fact.source,
                source_session=fact.source_session,
                source_markdown_slug=None,
                source_id=fact.source_id,
            )
            for fact in seed.facts
        ]

    def recall(self, text: str, *, source: str) -> tuple[Pointer, ...]:  # noqa: ARG002
        """Give every page of the source, by slug; the seam's budget cuts the rest."""
        return tuple(self.point_to(slug, source) for place, slug in self.pages if place == source)

    def point_to(self, slug: str, source: str, confidence: float = 0) -> Pointer:
        """Make the pointer to a page that the brain holds."""
        page = self.pages[source, slug]
        return Pointer(
            slug=slug,
            title=page.title,
            label=page.title,
            synopsis=page.synopsis,
            arm="anchor",
            confidence=confidence,
        )

    def index(self, *, source: str, limit: int) -> tuple[tuple[str, str], ...]:
        """List slug and title of the first pages of a source, by slug."""
        own = [(slug, page.title) for (place, slug), page in self.pages.items() if place == source]
        return tuple(own[:limit])

    def write_back(self, conversation: Conversation, *, source: str, extract: Extractor) -> None:
        """Store the facts of each segment with their provenance, in place of earlier ones."""
        own = (conversation.slug, source)
        self._facts = [
            fact for fact in self._facts if (fact.source_markdown_slug, fact.source_id) != own
        ]
        self._facts += [
            StoredFact(
                fact=fact.fact,
                entity_slug=fact.entity_slug,
                source=PROVENANCE,
                source_session=f"{PROVENANCE}:{conversation.slug}",
                source_markdown_slug=conversation.slug,
                source_id=source,
            )
            for segment in segments.split(conversation.messages)
            for fact in extract(segments.render(conversation.title, segment))
        ]

    def facts(self) -> tuple[StoredFact, ...]:
        """List the facts in the order they were stored."""
        return tuple(self._facts)
