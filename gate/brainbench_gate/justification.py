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
PLACEHOLDER = "why this is worth it"
"""What stands in the reason to type where the writer's own words belong."""

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
        substantial=is_substantial(text, [name for breach in found for name in _say(breach)]),
        named=named,
        unnamed=unnamed,
        missing=tuple(dict.fromkeys(breach.cell for breach in unnamed if breach.cell in STATES)),
    )


def is_substantial(text: str, names: Iterable[str] = ()) -> bool:
    """Tell a reason from a placeholder: three different words and 15 letters after NFKC.

    Args:
        names: What it is a reason for: a text that says these and no more says what, not why.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    words = {"".join(filter(str.isalpha, word)) for word in folded.split()} - {""}
    if len(words) < MIN_WORDS or sum(map(str.isalpha, folded)) < MIN_LETTERS:
        return False
    for said in sorted({PLACEHOLDER, *(name.casefold() for name in names)}, key=len, reverse=True):
        folded = _word(said).sub(" ", folded)
    return any(map(str.isalpha, folded))


def _say(breach: Breach) -> tuple[str, ...]:
    """Give what names a breach."""
    return (breach.cell,) if breach.cell in STATES else (breach.cell, breach.metric)


def _names(folded: str, breach: Breach) -> bool:
    return any(_word(name.casefold()).search(folded) for name in _say(breach))


def _word(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
