"""Before a run: what goes in must come out, so that an outage is never taken for bad memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_replay.harness import placing
from brainbench_replay.systems.coverage import HOOKED
from brainbench_replay.systems.external import ExternalBrain
from brainbench_replay.systems.protocol import (
    BrainSeed,
    Conversation,
    ExtractedFact,
    Message,
    SpeakingBrain,
)
from brainbench_schema.errors import MemorySystemError, SeedError
from brainbench_schema.fixture import RETRIEVAL_SUITES, Page
from brainbench_schema.schemas import is_timestamp, parse_timestamp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from brainbench_replay.systems.protocol import Brain, MemorySystem, StoredFact

SOURCE = "default"
SLUG = "people/odalys-brannigan"
NAME = "Odalys Brannigan"
CONTENT = f"---\ntitle: {NAME}\ntype: person\n---\n# {NAME}\n\n{NAME} tunes the tide gauges.\n"
PROMPT = f"What do we know about {NAME}?"
STATED = "I prefer the amber theodolite."
FACT = "Prefers the amber theodolite"
TIMES = ("2026-03-02T09:15:00Z", "2026-03-02T09:16:30Z")

_SEED = BrainSeed(
    key="preflight",
    sources=(SOURCE,),
    pages=(Page(slug=SLUG, content=CONTENT, source_id=SOURCE),),
    facts=(),
)
_EMPTY = BrainSeed(key="preflight again", sources=(SOURCE,), pages=(), facts=())
_TALK = Conversation(
    slug="conversations/preflight",
    title="Preflight",
    messages=(
        Message(speaker="You", timestamp=TIMES[0], text=STATED),
        Message(speaker="Assistant", timestamp=TIMES[1], text="Noted."),
    ),
)


def check_ready(system: MemorySystem, harnesses: Iterable[str]) -> None:
    """Store an item, read it back, and see that ids and times survive and that reset forgets.

    Args:
        harnesses: On which a hook is executed.

    Raises:
        MemorySystemError: Something does not come back as it went in.
    """
    for name, check in list_checks(system, harnesses):
        with placing(f"preflight ({name})"):
            check()


def list_checks(
    system: MemorySystem, harnesses: Iterable[str]
) -> Iterator[tuple[str, Callable[[], None]]]:
    """Give the checks that fit what a system supports, each with its name, in order."""
    where = f"system {system.info.name}"
    hooked = tuple(name for name in harnesses if name in HOOKED) or HOOKED
    brains: list[Brain] = []

    def store() -> None:
        brains[:] = [_open(system, _SEED, where)]

    yield "a page is stored", store
    if set(RETRIEVAL_SUITES) & system.capabilities:
        yield "it comes back under its slug", lambda: _check_recall(brains[0], hooked, where)
    if "write-back" in system.capabilities:
        yield (
            "a conversation's fact is stored with its provenance and time",
            lambda: _check_write(brains[0], system.provenance, where),
        )
        yield "written twice, it is stored once", lambda: _check_twice(brains[0], where)
    yield "reset forgets", lambda: _check_reset(system, hooked, where)


def _open(system: MemorySystem, seed: BrainSeed, where: str) -> Brain:
    try:
        return system.open(seed)
    except SeedError as error:
        raise MemorySystemError(
            f"a page can't be stored: {error.what}", where=where, advice="see what it said"
        ) from error


def _recall(brain: Brain, harnesses: Iterable[str]) -> tuple[Sequence[str], str]:
    """Give the slugs and the text that come for the prompt."""
    if isinstance(brain, SpeakingBrain):
        injections = [brain.converse(harness).inject(PROMPT, ()) for harness in harnesses]
        common = set.intersection(*(set(injection.slugs) for injection in injections))
        return sorted(common), " ".join(injection.text for injection in injections)
    pointers = brain.recall(PROMPT, source=SOURCE)
    return [pointer.slug for pointer in pointers], " ".join(p.text or "" for p in pointers)


def _check_recall(brain: Brain, harnesses: Iterable[str], where: str) -> None:
    slugs, text = _recall(brain, harnesses)
    if SLUG not in slugs:
        got = f"it gave {', '.join(slugs)}" if slugs else "it gave nothing"
        said = f" ({text[:200]!r})" if text and not slugs else ""
        raise MemorySystemError(
            f"the page {SLUG} was stored and {PROMPT!r} does not bring it up: {got}{said}",
            where=where,
            advice="check that pages are stored, and that `inject` gives slugs as they were seeded",
        )


def _check_write(brain: Brain, provenance: str, where: str) -> None:
    facts = _write(brain)
    if not facts:
        raise MemorySystemError(
            "a conversation was written back and `facts` lists none of its facts",
            where=where,
            advice="call `extract` with the conversation's text during write_back, and store what"
            " it gives",
        )
    page, session = _TALK.slug, f"{provenance}:{_TALK.slug}"
    fact = facts[0]
    seen = (
        fact.fact,
        fact.entity_slug,
        fact.source,
        fact.source_session,
        fact.source_markdown_slug,
    )
    if seen != (FACT, SLUG, provenance, session, page):
        names = ("fact", "entity_slug", "source", "source_session", "source_markdown_slug")
        wanted = (FACT, SLUG, provenance, "<source>:<slug>", "the conversation's slug")
        lost = [
            f"{name} is {have!r}, not {want!r}"
            for name, have, want, right in zip(
                names, seen, wanted, (FACT, SLUG, provenance, session, page), strict=True
            )
            if have != right
        ]
        raise MemorySystemError(
            f"a fact came back changed: {'; '.join(lost)}",
            where=where,
            advice="store entity and provenance with each fact, and list them with `facts`",
        )
    _check_time(brain, getattr(fact, "valid_from", TIMES[1]), where)


def _check_time(brain: Brain, time: str | None, where: str) -> None:
    if not isinstance(brain, ExternalBrain):
        return
    kept = {parse_timestamp(moment) for moment in TIMES}
    if time is None or not is_timestamp(time) or parse_timestamp(time) not in kept:
        raise MemorySystemError(
            f"the fact's time was lost: valid_from is {time!r}, the conversation took place"
            f" from {TIMES[0]} to {TIMES[1]}",
            where=where,
            advice="store the time of the message, not the time of the run",
        )


def _check_twice(brain: Brain, where: str) -> None:
    count = len(_write(brain))
    if count != 1:
        raise MemorySystemError(
            f"a conversation written back twice left {count} facts in place of 1",
            where=where,
            advice="write_back replaces what an earlier call stored for the conversation's slug",
        )


def _write(brain: Brain) -> list[StoredFact]:
    def extract(segment: str) -> list[ExtractedFact]:
        if STATED not in segment:
            return []
        return [ExtractedFact(fact=FACT, entity_slug=SLUG, kind="preference")]

    brain.write_back(_TALK, source=SOURCE, extract=extract)
    return [fact for fact in brain.facts() if FACT.lower() in fact.fact.lower()]


def _check_reset(system: MemorySystem, harnesses: Iterable[str], where: str) -> None:
    brain = _open(system, _EMPTY, where)
    left = [f"the page {slug}" for slug in _recall(brain, harnesses)[0] if slug == SLUG]
    if "write-back" in system.capabilities:
        left += [f"the fact {fact.fact!r}" for fact in brain.facts()]
    if left and system.capabilities:
        raise MemorySystemError(
            f"after reset it still holds {', '.join(left)}",
            where=where,
            advice="reset forgets everything: one fixture must never see another's brain",
        )
