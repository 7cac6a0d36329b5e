"""A memory whose behaviour a JSON file in the repository describes, replayed by the real replay.

A pull request changes the file as it would change code. Keys: `deaf` (titles it doesn't know),
`pushes` (word → slug it brings up wherever the word stands), `leaky`, `forgets` (facts), `lacks`
(capabilities), `name`, `touches` (files it writes during the run), `moody` (titles it knows every
other run only).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Any

from brainbench_gate.bench.surveying import survey_corpus
from brainbench_gate.measured import Measured
from brainbench_replay.corpus import parse_corpus
from brainbench_replay.harness import replay
from brainbench_replay.metrics.cells import list_failed
from brainbench_replay.result import RunFacts, build_result
from brainbench_replay.seams import choose_seams
from brainbench_replay.systems.coverage import cover
from brainbench_replay.systems.protocol import (
    CAPABILITIES,
    BrainSeed,
    Conversation,
    Extractor,
    Pointer,
    StoredFact,
)
from brainbench_schema.errors import SystemStartError
from brainbench_schema.result import SystemInfo

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from brainbench_gate.measured import CorpusFiles, Survey
    from brainbench_replay.corpus import Corpus
    from brainbench_schema.fixture import Page
    from brainbench_schema.policy import Policy
    from brainbench_schema.result import Result

ISOLATION = "source_isolation_violations"
TITLE = re.compile(r"^title: (.*)$", re.MULTILINE)
RUN_FACTS = RunFacts(
    harness_sha="unknown",
    ts="2026-01-01T00:00:00Z",
    cmd_args=(),
    seed=0,
    include_holdout=False,
    package_version="0",
)


class DescribedBrain:
    """One seeded brain."""

    def __init__(self, seed: BrainSeed, traits: dict[str, Any], run: int) -> None:
        self._seed = seed
        self._traits = traits
        moody = traits.get("moody", []) if run % 2 else []
        self._deaf = {*traits.get("deaf", []), *moody}
        self._facts: list[StoredFact] = []

    def recall(self, text: str, *, source: str) -> tuple[Pointer, ...]:
        """Give the pages whose title stands in the text."""
        known = [
            _pointer(page.slug, _title(page))
            for page in self._seed.pages
            if (page.source_id == source or self._traits.get("leaky"))
            and _title(page) in text
            and _title(page) not in self._deaf
        ]
        pushed = self._traits.get("pushes", {}).items()
        return (*known, *(_pointer(slug, slug) for word, slug in pushed if word in text))

    def index(self, *, source: str, limit: int) -> tuple[tuple[str, str], ...]:
        """List the pages of a source."""
        own = [(p.slug, _title(p)) for p in self._seed.pages if p.source_id == source]
        return tuple(sorted(own)[:limit])

    def write_back(self, conversation: Conversation, *, source: str, extract: Extractor) -> None:
        """Store every fact of every message that it doesn't forget."""
        for message in conversation.messages:
            for fact in extract(message.text):
                if fact.fact not in self._traits.get("forgets", []):
                    self._facts.append(
                        StoredFact(
                            fact=fact.fact,
                            entity_slug=fact.entity_slug,
                            source="told",
                            source_session=f"told:{conversation.slug}",
                            source_markdown_slug=conversation.slug,
                            source_id=source,
                        )
                    )

    def facts(self) -> tuple[StoredFact, ...]:
        """List what was stored."""
        return tuple(self._facts)


class DescribedMemory:
    """The system of a described memory."""

    provenance = "told"

    def __init__(self, name: str, traits: dict[str, Any], run: int) -> None:
        self.info = SystemInfo(name=traits.get("name", name), version="1", kind="command")
        self.capabilities = frozenset(CAPABILITIES) - frozenset(traits.get("lacks", []))
        self._traits = traits
        self._run = run

    def prepare(self, seeds: Sequence[BrainSeed]) -> None:
        """Nothing is seeded in bulk."""

    def open(self, seed: BrainSeed) -> DescribedBrain:
        """Give a brain of its own."""
        return DescribedBrain(seed, self._traits, self._run)


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedBench:
    """Replays the memory that the work tree of `folder` describes."""

    folder: Path
    _runs: Iterator[int] = field(default_factory=count)

    def measure(self, policy: Policy, corpus: CorpusFiles) -> Measured:
        """Replay a corpus as a policy says."""
        parsed = parse_corpus(corpus.fixtures, corpus.gold)
        entry = policy.systems[policy.system]
        traits = self._read(entry.command[-1])
        memory = DescribedMemory(policy.system, traits, next(self._runs))
        for path, text in traits.get("touches", {}).items():
            (self.folder / path).write_text(text, encoding="utf-8")
        result = _replay(memory, policy, parsed)
        return Measured(
            result=result,
            failed=list_failed(result.turn_rows, result.item_rows),
            survey=self.survey(policy, corpus),
            capabilities=memory.capabilities,
        )

    def survey(self, policy: Policy, corpus: CorpusFiles) -> Survey:
        """Read a corpus without replaying it."""
        return survey_corpus(
            parse_corpus(corpus.fixtures, corpus.gold), policy.suites, include_holdout=False
        )

    def _read(self, path: str) -> dict[str, Any]:
        try:
            traits: dict[str, Any] = json.loads((self.folder / path).read_bytes())
        except OSError as error:
            raise SystemStartError(f"can't be started: {error.strerror}", where=path) from error
        return traits


def _replay(memory: DescribedMemory, policy: Policy, corpus: Corpus) -> Result:
    covered = cover(
        memory.info.name,
        "command",
        memory.capabilities,
        seams=choose_seams(policy.harnesses),
        suites=policy.suites,
        cases=corpus.select(include_holdout=False),
    )
    seen = replay(covered.cases, memory, seams=covered.seams, suites=covered.suites)
    result = build_result(
        seen,
        corpus,
        seams=covered.seams,
        suites=policy.suites,
        system=memory.info,
        unsupported=frozenset(policy.suites) - frozenset(covered.suites),
        facts=RUN_FACTS,
    )
    result = replace(result, skipped=(*result.skipped, *covered.skipped))
    return result if "sources" in memory.capabilities else _without_isolation(result)


def _without_isolation(result: Result) -> Result:
    cells = tuple(
        replace(cell, metrics={k: v for k, v in cell.metrics.items() if k != ISOLATION})
        for cell in result.cells
    )
    return replace(result, cells=cells)


def _title(page: Page) -> str:
    found = TITLE.search(page.content)
    assert found is not None
    return found.group(1)


def _pointer(slug: str, title: str) -> Pointer:
    return Pointer(slug=slug, title=title, label=title, synopsis="", arm="title", confidence=1)
