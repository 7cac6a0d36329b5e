"""The `hook` kind: the harness's own UserPromptSubmit hook, executed at each turn."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brainbench_replay.seams import count_tokens
from brainbench_replay.systems.coverage import HOOKED
from brainbench_replay.systems.external import disguise
from brainbench_replay.systems.hook_output import find_slugs, read_output
from brainbench_replay.systems.process import Child
from brainbench_replay.systems.protocol import Injection
from brainbench_replay.systems.quoting import excerpt, looks_like_error
from brainbench_replay.systems.reflex.pages import parse_page
from brainbench_replay.systems.transcripts import Transcript, prompt_input
from brainbench_schema.errors import MemorySystemError, SeedError, UsageError
from brainbench_schema.result import SystemInfo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brainbench_replay.systems.protocol import (
        BrainSeed,
        Conversation,
        Extractor,
        Pointer,
        StoredFact,
    )
    from brainbench_replay.systems.surroundings import Surroundings
    from brainbench_schema.policy import SystemEntry

MAX_CHARS = 10_000
"""How much of a hook's output a harness takes in; the rest is cut."""

MEMORY_VARIABLE = "BRAINBENCH_MEMORY"
"""Where the hook finds what memory holds: ``<source>/<slug>.md`` and ``facts.json``."""

SOURCE_VARIABLE = "BRAINBENCH_SOURCE"
"""The source that the conversation takes place in."""

BLOCKED = "prompts blocked (exit 2)"
CUT = f"outputs longer than {MAX_CHARS:,} characters, cut"
NO_SLUG = "injections that name no page of the brain"


class Hook:
    """A hook as a system under test; its memory is a folder of Markdown pages.

    Args:
        max_chars: How much of an output counts, in characters.
    """

    provenance = "conversation"

    def __init__(
        self,
        name: str,
        entry: SystemEntry,
        surroundings: Surroundings,
        *,
        max_chars: int = MAX_CHARS,
    ) -> None:
        self.name = name
        self.entry = entry
        self.max_chars = max_chars
        self.surroundings = surroundings
        self.capabilities = frozenset(entry.capabilities or ())
        self.memory = surroundings.scratch / "memory"
        self._reports: Counter[str] = Counter()
        self.pattern = _compile(name, entry.slug_pattern)

    @property
    def where(self) -> str:
        """What errors call it."""
        return f"system {self.name}"

    @property
    def info(self) -> SystemInfo:
        """Its command, and what was reported of it so far."""
        details: dict[str, Any] = {
            "capabilities": sorted(self.capabilities),
            "max_chars": self.max_chars,
        }
        if self._reports:
            details["reported"] = dict(sorted(self._reports.items()))
        return SystemInfo(name=self.name, version="unknown", kind="hook", details=details)

    def report(self, what: str) -> None:
        """Count something adverse that stops nothing."""
        self._reports[what] += 1

    def prepare(self, seeds: Sequence[BrainSeed]) -> None:
        """Nothing: it holds one brain at a time."""

    def open(self, seed: BrainSeed) -> HookBrain:
        """Lay out a seed as files, in place of the brain before.

        Raises:
            SeedError: A slug is no path below the folder.
        """
        shutil.rmtree(self.memory, ignore_errors=True)
        for page in seed.pages:
            path = self._page_path(page.source_id, page.slug)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(page.content, "utf-8", newline="\n")
        self.memory.mkdir(exist_ok=True)
        facts = [{"fact": fact.fact, "entity_slug": fact.entity_slug} for fact in seed.facts]
        (self.memory / "facts.json").write_text(json.dumps(facts, ensure_ascii=False), "utf-8")
        return HookBrain(self, seed)

    def _page_path(self, source: str, slug: str) -> Path:
        path = self.memory / source / f"{slug}.md"
        if ".." in (source, *Path(slug).parts) or not path.is_relative_to(self.memory):
            raise SeedError(f"the page {slug!r} of {source!r} can't be a file", where=self.where)
        return path


class HookBrain:
    """What memory holds now, and the conversations a hook takes part in."""

    def __init__(self, system: Hook, seed: BrainSeed) -> None:
        self.system = system
        self.session_id = disguise(seed.key)
        titles = {page.slug: parse_page(page.slug, page.content).title for page in seed.pages}
        self.slugs = frozenset(titles)
        self.source = seed.sources[0]

    def recall(self, text: str, *, source: str) -> tuple[Pointer, ...]:  # noqa: ARG002
        """Give nothing: the hook itself speaks, on each harness."""
        self.source = source
        return ()

    def index(self, *, source: str, limit: int) -> tuple[tuple[str, str], ...]:  # noqa: ARG002
        """List nothing: what a session starts with is the hook's own affair."""
        return ()

    def write_back(
        self,
        conversation: Conversation,  # noqa: ARG002
        *,
        source: str,  # noqa: ARG002
        extract: Extractor,  # noqa: ARG002
    ) -> None:
        """Refuse: a hook is only asked before a turn."""
        raise MemorySystemError("a hook takes in no conversation", where=self.system.where)

    def facts(self) -> tuple[StoredFact, ...]:
        """List nothing: a hook tells no facts."""
        return ()

    def converse(self, harness: str) -> HookConversation:
        """Open a conversation on a harness that runs hooks.

        Raises:
            UsageError: The harness runs none.
        """
        if harness not in HOOKED:
            raise UsageError(f"{harness} runs no UserPromptSubmit hook")
        return HookConversation(self, harness)


class HookConversation:
    """One conversation on one harness, with the transcript that its hooks can read."""

    def __init__(self, brain: HookBrain, harness: str) -> None:
        self._brain = brain
        self._system = brain.system
        self._harness = harness
        path = self._system.surroundings.scratch / f"transcript-{harness}.jsonl"
        self._transcript = Transcript(path, harness, brain.session_id)
        self._turns = 0

    def inject(self, prompt: str, pointers: Sequence[Pointer]) -> Injection:  # noqa: ARG002
        """Execute the hook before a user turn, and take what it would add.

        Raises:
            MemorySystemError: It failed, or says something that no harness could take in.
        """
        self._turns += 1
        text = self._cut(self._ask(prompt))
        slugs = tuple(find_slugs(text, self._brain.slugs, self._system.pattern))
        if text and not slugs:
            self._refuse_error_text(text)
            self._system.report(NO_SLUG)
        self._transcript.add_prompt(prompt)
        if text:
            self._transcript.add_context(text)
        return Injection(slugs=slugs, text=text, tokens=count_tokens(text))

    def hear(self, text: str) -> None:
        """Add a turn of the assistant's to the transcript."""
        self._transcript.add_answer(text)

    def _ask(self, prompt: str) -> str:
        system = self._system
        asked = prompt_input(
            self._harness,
            session_id=self._brain.session_id,
            turn=self._turns,
            transcript=self._transcript.path,
            cwd=system.surroundings.work,
            prompt=prompt,
        )
        places = {MEMORY_VARIABLE: str(system.memory), SOURCE_VARIABLE: self._brain.source}
        child = Child(
            system.entry.command,
            cwd=system.surroundings.work,
            env={**system.surroundings.env, **places},
            where=system.where,
        )
        try:
            deadline = time.monotonic() + system.entry.timeout_s
            child.send(json.dumps(asked, ensure_ascii=False).encode())
            child.end_input(deadline)
            output = child.read_all(deadline)
            code = child.exit_code(max(deadline - time.monotonic(), 0))
            end = child.describe_end()
        finally:
            child.stop()
        return self._judge_exit(code, output, end)

    def _judge_exit(self, code: int | None, output: bytes, end: str) -> str:
        if code == 0:
            return read_output(output, self._system.where)
        if code == 2:
            self._system.report(BLOCKED)
            return ""
        raise MemorySystemError(
            f"the hook {end}: nothing was injected",
            where=self._system.where,
            advice="exit 0 with JSON or text injects, exit 2 blocks; anything else is a failure,"
            " and a failure is never scored",
        )

    def _cut(self, text: str) -> str:
        if len(text) > self._system.max_chars:
            self._system.report(CUT)
        return text[: self._system.max_chars]

    def _refuse_error_text(self, text: str) -> None:
        if looks_like_error(text):
            raise MemorySystemError(
                f"the hook exits 0 but says {excerpt(text)!r}",
                where=self._system.where,
                advice="exit with another code than 0 where it fails",
            )


def _compile(name: str, pattern: str | None) -> re.Pattern[str] | None:
    try:
        return re.compile(pattern) if pattern else None
    except re.error as error:
        raise UsageError(
            f"slug_pattern is no regular expression: {error}", where=f"systems/{name}"
        ) from None
