"""A memory of someone else's as a system under test: one program, one brain at a time."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Protocol

from brainbench_replay.systems import wire
from brainbench_replay.systems.channel import METHOD_NOT_FOUND, RefusedError
from brainbench_replay.systems.protocol import Conversation, Pointer
from brainbench_replay.systems.quoting import excerpt
from brainbench_replay.systems.reflex.pages import parse_page
from brainbench_schema.errors import MemorySystemError, SeedError
from brainbench_schema.result import SystemInfo

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from brainbench_replay.systems.protocol import BrainSeed, Extractor
    from brainbench_replay.systems.wire import DatedFact

Params = dict[str, Any]

CLIENT = "brainbench"
UNSEEN_SLUG = "slugs that do not stand in their text"


class Peer(Protocol):
    """Whoever answers the methods of the published protocol."""

    @property
    def where(self) -> str:
        """What errors call it."""
        ...

    def call(
        self,
        method: str,
        params: Params,
        answer: Callable[[str, Params], Params] | None = None,
    ) -> Any:
        """Call a method; `answer` serves what is asked back meanwhile."""
        ...


class External:
    """A memory system behind the published protocol.

    Args:
        name: What it is called on the command line or in the policy.
        kind: How it was started.
        declared: The capabilities of its entry; None takes what it reports.
    """

    def __init__(
        self, name: str, kind: str, peer: Peer, declared: tuple[str, ...] | None = None
    ) -> None:
        self.name = name
        self._kind = kind
        self._peer = peer
        self._answers_await = True
        self._reports: Counter[str] = Counter()
        params = {"protocol_version": wire.PROTOCOL_VERSION, "client": CLIENT}
        self._about = self.call("initialize", params)
        self.capabilities = frozenset(self._about["capabilities"] if declared is None else declared)
        self.provenance: str = self._about.get("provenance", "conversation")

    @property
    def info(self) -> SystemInfo:
        """What it told of itself, its capabilities, and what was reported of it so far."""
        details = {
            "reports_name": self._about["name"],
            **self._about.get("details", {}),
            "capabilities": sorted(self.capabilities),
        }
        if self._reports:
            details["reported"] = dict(sorted(self._reports.items()))
        return SystemInfo(
            name=self.name, version=self._about["version"], kind=self._kind, details=details
        )

    def prepare(self, seeds: Sequence[BrainSeed]) -> None:
        """Nothing: it holds one brain at a time."""

    def open(self, seed: BrainSeed) -> ExternalBrain:
        """Let it forget everything and take a seed.

        Raises:
            SeedError: It refused the seed, or stored less than all of it.
            MemorySystemError: It failed as a program.
        """
        self.call("reset", {"sources": list(seed.sources)})
        try:
            stored = self.call("seed", wire.write_seed(seed))
            self.await_ready()
        except RefusedError as error:
            raise SeedError(error.what, where=error.where) from error
        sent = {"pages": len(seed.pages), "facts": len(seed.facts)}
        if stored != sent:
            raise SeedError(
                f"stored {stored['pages']} pages and {stored['facts']} facts of"
                f" {sent['pages']} and {sent['facts']}",
                where=self._peer.where,
            )
        return ExternalBrain(self, seed)

    def call(
        self,
        method: str,
        params: Params,
        answer: Callable[[str, Params], Params] | None = None,
    ) -> Any:
        """Call a method and hold its result against the published schema.

        Raises:
            MemorySystemError: It failed, or the result is not as the schema has it.
        """
        result = self._peer.call(method, params, answer)
        if fault := wire.find_fault(f"{method}.result", result):
            raise MemorySystemError(
                f"its answer to {method} is not as the protocol has it: {fault},"
                f" in {excerpt(json.dumps(result, ensure_ascii=False))}",
                where=self._peer.where,
                advice="`brainbench system check` tells what is missing",
            )
        return result

    def await_ready(self) -> None:
        """Wait until what was stored can be found; a system that needs no wait has no method."""
        if self._answers_await:
            try:
                self.call("await_ready", {})
            except RefusedError as error:
                if error.code != METHOD_NOT_FOUND:
                    raise
                self._answers_await = False

    def report(self, what: str) -> None:
        """Count something adverse that stops nothing."""
        self._reports[what] += 1

    def close(self) -> None:
        """Ask it to end by itself."""
        self._peer.call("shutdown", {})


class ExternalBrain:
    """The one brain that an external system holds now."""

    def __init__(self, system: External, seed: BrainSeed) -> None:
        self._system = system
        self._titles = {page.slug: parse_page(page.slug, page.content).title for page in seed.pages}
        self._sources = {(page.source_id, page.slug) for page in seed.pages}
        self._session = disguise(seed.key)
        self._shown: dict[str, str] = {}

    def recall(self, text: str, *, source: str) -> tuple[Pointer, ...]:
        """Give what it would inject for a turn; a slug its own text lacks is reported and left."""
        params = {"prompt": text, "source_id": source, "session_id": self._session}
        found = self._system.call("inject", params)["pointers"]
        pointers: dict[str, Pointer] = {}
        for entry in found:
            if entry["slug"] not in entry["text"]:
                self._system.report(UNSEEN_SLUG)
            else:
                pointer = self._read_pointer(entry)
                pointers.setdefault(pointer.slug, pointer)
        return tuple(pointers.values())

    def _read_pointer(self, entry: Params) -> Pointer:
        slug = self._reveal(entry["slug"])
        title = entry.get("title") or self._titles.get(slug, slug)
        return Pointer(
            slug=slug,
            title=title,
            label=title,
            synopsis="",
            arm="external",
            confidence=1.0,
            text=entry["text"],
        )

    def index(self, *, source: str, limit: int) -> tuple[tuple[str, str], ...]:
        """List the seeded pages of a source: the preamble is the harness's, not memory's."""
        slugs = sorted(slug for place, slug in self._sources if place == source)
        return tuple((slug, self._titles[slug]) for slug in slugs[:limit])

    def write_back(self, conversation: Conversation, *, source: str, extract: Extractor) -> None:
        """Hand over a conversation under a name that tells nothing about the fixture."""
        name = disguise(conversation.slug)
        shown = replace(conversation, slug=f"conversations/{name}", title=f"Conversation {name}")
        self._shown[shown.slug] = conversation.slug
        params = wire.write_conversation(shown, source)
        self._system.call("write_back", params, partial(answer_extract, extract))
        self._system.await_ready()

    def facts(self) -> tuple[DatedFact, ...]:
        """List its active facts; a system without write-back need not know the method."""
        try:
            result = self._system.call("facts", {})
        except RefusedError as error:
            if error.code == METHOD_NOT_FOUND and "write-back" not in self._system.capabilities:
                return ()
            raise
        return tuple(self._reveal_fact(fact) for fact in wire.read_facts(result))

    def _reveal_fact(self, fact: DatedFact) -> DatedFact:
        head, colon, slug = (fact.source_session or "").partition(":")
        return replace(
            fact,
            source_markdown_slug=fact.source_markdown_slug
            and self._reveal(fact.source_markdown_slug),
            source_session=fact.source_session and f"{head}{colon}{self._reveal(slug)}",
        )

    def _reveal(self, slug: str) -> str:
        return self._shown.get(slug, slug)


def disguise(name: str) -> str:
    """Turn a name into one that tells nothing, the same in every run."""
    return blake2b(name.encode(), digest_size=6, person=b"brainbench").hexdigest()


def answer_extract(extract: Extractor, method: str, params: Params) -> Params:
    """Serve the one method that a system may call back.

    Raises:
        LookupError: It asked for another.
        ValueError: There is no text.
    """
    if method != "extract":
        raise LookupError(method)
    text = params.get("text")
    if not isinstance(text, str):
        raise ValueError('extract needs {"text": "…"}')
    return wire.write_extracted(extract(text))
