"""Three harnesses as declarations over one injection pipeline, so that rows are comparable."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from brainbench_replay.systems.protocol import Injection
from brainbench_schema.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from brainbench_replay.systems.protocol import Pointer

PREAMBLE_PAGES = 50
"""How many pages of the active source the codex index lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seam:
    """How one harness lets memory speak.

    Attributes:
        kind: ``production`` where the row runs the shipped integration, else ``contract``.
        budget: Pointers a turn, at most.
        remembers: Whether the seam knows the conversation so far and suppresses what it holds.
        over_hook: Whether prompt and context really pass through the UserPromptSubmit JSON.
        preamble_pages: Pages listed in a static index before the first turn.
    """

    harness: str
    kind: str
    budget: int
    remembers: bool
    over_hook: bool = False
    preamble_pages: int = 0


SEAMS = {
    seam.harness: seam
    for seam in (
        Seam(harness="openclaw", kind="production", budget=3, remembers=True),
        Seam(harness="claude-code", kind="contract", budget=2, remembers=False, over_hook=True),
        Seam(
            harness="codex",
            kind="contract",
            budget=1,
            remembers=True,
            preamble_pages=PREAMBLE_PAGES,
        ),
    )
}


class Standing(Enum):
    """What a seam does with a pointer."""

    NEW = "injected"
    SLUG_KNOWN = "left out: its slug stands in the conversation so far"
    TITLE_KNOWN = "left out: its title stands in the conversation so far"
    OVER_BUDGET = "left out: the seam's budget was spent"


@dataclass(slots=True, kw_only=True)
class Session:
    """One conversation on one seam: what was said and injected so far.

    Attributes:
        index: Slug and title of the pages for the preamble; empty where the seam has none.
    """

    seam: Seam
    session_id: str
    index: Sequence[tuple[str, str]] = ()
    _context: list[str] = field(default_factory=list)
    _preamble_due: bool = True

    def inject(self, prompt: str, pointers: Iterable[Pointer]) -> Injection:
        """Let memory speak before a user turn, in the harness's own shape."""
        if self.seam.over_hook:
            prompt = _through_hook_input(prompt, self.session_id)
        chosen = tuple(self._choose(pointers))
        text = render(chosen)
        if self.seam.over_hook:
            text = _through_hook_output(text)
        shown = self._preamble() + text
        self._context.append(text.lower())
        self._context.append(prompt.lower())
        slugs = tuple(pointer.slug for pointer in chosen)
        return Injection(slugs=slugs, text=text, tokens=count_tokens(shown))

    def hear(self, text: str) -> None:
        """Take in a turn that is not replayed."""
        self._context.append(text.lower())

    @property
    def context(self) -> str:
        """What was said and injected so far, in lower case."""
        return "\n".join(self._context)

    def trace(self, pointers: Iterable[Pointer]) -> list[tuple[Pointer, Standing]]:
        """Tell what the seam does with each pointer of the next turn."""
        context = self.context if self.seam.remembers else ""
        traced, room = [], self.seam.budget
        for pointer in pointers:
            standing = how_known(pointer, context) if self.seam.remembers else Standing.NEW
            if standing is Standing.NEW:
                standing, room = (Standing.NEW, room - 1) if room else (Standing.OVER_BUDGET, 0)
            traced.append((pointer, standing))
        return traced

    def _choose(self, pointers: Iterable[Pointer]) -> list[Pointer]:
        return [pointer for pointer, standing in self.trace(pointers) if standing is Standing.NEW]

    def _preamble(self) -> str:
        due, self._preamble_due = self._preamble_due, False
        if not due or not self.index:
            return ""
        lines = (f"- {title} (`{slug}`)" for slug, title in self.index)
        return "### Pages in memory\n" + "\n".join(lines) + "\n"


def choose_seams(harnesses: Iterable[str]) -> tuple[Seam, ...]:
    """Give the seams of the named harnesses, in the order named.

    Raises:
        UsageError: There is no such harness.
    """
    names = tuple(harnesses)
    for name in names:
        if name not in SEAMS:
            known = ", ".join(SEAMS)
            raise UsageError(f"no harness is called {name!r}", advice=f"known are {known}")
    return tuple(SEAMS[name] for name in names)


def how_known(pointer: Pointer, context: str) -> Standing:
    """Tell by what a conversation holds a page already; `NEW` where it doesn't.

    The slug counts anywhere in it, the title with no ASCII letter, digit or underscore on either
    side.

    Args:
        context: Prior context in lower case.
    """
    if pointer.slug.lower() in context:
        return Standing.SLUG_KNOWN
    return Standing.TITLE_KNOWN if _stands_in(pointer.title.lower(), context) else Standing.NEW


def render(pointers: Sequence[Pointer]) -> str:
    """Write the injected block: a heading and one line a pointer; nothing for no pointers.

    A pointer that brings its own text is shown with that.
    """
    if not pointers:
        return ""
    lines = (_line(pointer) if pointer.text is None else pointer.text for pointer in pointers)
    return "### Memory pointers\n" + "\n".join(lines)


def _line(pointer: Pointer) -> str:
    line = f"- {pointer.label} (`{pointer.slug}`)"
    return f"{line}: {pointer.synopsis}" if pointer.synopsis else line


def count_tokens(text: str) -> int:
    """Estimate tokens: characters divided by 4, rounded up."""
    return -(-len(text) // 4)


def _stands_in(title: str, context: str) -> bool:
    start = context.find(title)
    while start >= 0:
        end = start + len(title)
        before = context[start - 1 : start]
        if not (_is_word(before) or _is_word(context[end : end + 1])):
            return True
        start = context.find(title, start + 1)
    return False


def _is_word(char: str) -> bool:
    return char.isascii() and (char.isalnum() or char == "_")


def _through_hook_input(prompt: str, session_id: str) -> str:
    wire = json.dumps({"prompt": prompt, "session_id": session_id, "cwd": "/"})
    return str(json.loads(wire)["prompt"])


def _through_hook_output(text: str) -> str:
    output = {"hookEventName": "UserPromptSubmit", "additionalContext": text}
    wire = json.dumps({"hookSpecificOutput": output})
    return str(json.loads(wire)["hookSpecificOutput"]["additionalContext"])
