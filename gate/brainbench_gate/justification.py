"""Is the recorded reason one that a reviewer can judge? The sense of it stays with the reviewer."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from brainbench_gate.rules import Breach

MIN_WORDS = 3
MIN_LETTERS = 15
STATES = {
    "policy": "policy-changed",
    "system": "entry-gone",
    "measure": "measure-changed",
    "stale-main": "stale-main",
    "broken-base": "broken-base",
}
"""States that a reason has to name, each with its code for machines. They stand where a breach
has its cell; all other breaches are a note when unnamed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """What was found about a justification.

    Attributes:
        needed: Whether there is anything to justify.
        fresh: Whether it was written against the base's present baseline.
        substantial: Whether it is more than a placeholder.
        named: Breaches that it names by cell or metric.
        unnamed: Breaches that it doesn't.
        missing: Words it has to hold and doesn't.
    """

    text: str
    needed: bool
    fresh: bool
    substantial: bool
    named: tuple[Breach, ...]
    unnamed: tuple[Breach, ...]
    missing: tuple[str, ...]

    @property
    def present(self) -> bool:
        """Whether there is any text at all."""
        return bool(self.text.strip())

    @property
    def holds(self) -> bool:
        """Whether it lets breaches pass."""
        return self.holds_but_for_names and not self.missing

    @property
    def holds_but_for_names(self) -> bool:
        """Whether all that it lacks is a state that it has to name."""
        return self.present and self.fresh and self.substantial


def assess(text: str | None, breaches: Iterable[Breach], *, fresh: bool) -> Assessment:
    """Hold a justification against the breaches it is meant for."""
    text = text or ""
    found = tuple(breaches)
    folded = unicodedata.normalize("NFKC", text).casefold()
    named = tuple(breach for breach in found if _names(folded, breach))
    unnamed = tuple(breach for breach in found if breach not in named)
    return Assessment(
        text=text,
        needed=bool(found),
        fresh=fresh,
        substantial=is_substantial(text),
        named=named,
        unnamed=unnamed,
        missing=tuple(dict.fromkeys(breach.cell for breach in unnamed if breach.cell in STATES)),
    )


def is_substantial(text: str) -> bool:
    """Tell a reason from a placeholder: three words and 15 letters after NFKC."""
    text = unicodedata.normalize("NFKC", text)
    words = [word for word in text.split() if any(map(str.isalpha, word))]
    return len(words) >= MIN_WORDS and sum(map(str.isalpha, text)) >= MIN_LETTERS


def _names(folded: str, breach: Breach) -> bool:
    names = [breach.cell] if breach.cell in STATES else [breach.cell, breach.metric]
    return any(_holds_word(folded, name.casefold()) for name in names)


def _holds_word(text: str, word: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None
