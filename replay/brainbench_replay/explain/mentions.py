"""Why the built-in memory did not hear a page named in a turn."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from brainbench_replay.explain.causes import Cause, Diagnosis, list_codes, quote
from brainbench_replay.systems.reflex.candidates import MAX_CANDIDATES, Candidate, Sifted
from brainbench_replay.systems.reflex.pages import parse_page
from brainbench_replay.systems.reflex.resolution import CONFIDENCE, Counted, fits, look_up
from brainbench_replay.systems.reflex.text import strip_possessive
from brainbench_replay.systems.reflex.words import EVERYDAY_WORDS, FUNCTION_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brainbench_replay.systems.reflex.memory import RecallTrace
    from brainbench_schema.fixture import Page

SIFTED = {
    Sifted.CHARACTER: (Cause.CHARACTER, "a single character is never taken for a name"),
    Sifted.NUMBER: (Cause.NUMBER, "a plain number is never taken for a name"),
    Sifted.FUNCTION_WORD: (Cause.FUNCTION_WORD, "a function word is never taken for a name"),
    Sifted.EVERYDAY_WORD: (
        Cause.EVERYDAY_WORD,
        "an everyday word that stands only where a sentence starts is not taken for a name",
    ),
    Sifted.PAST_LIMIT: (
        Cause.PAST_LIMIT,
        f"only the first {MAX_CANDIDATES} names of a turn are looked up",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What a page answers to."""

    slug: str
    title: str
    aliases: tuple[str, ...]

    @property
    def spoken(self) -> tuple[str, ...]:
        """Title, aliases and the words of the slug's last part."""
        tail = self.slug.rsplit("/", 1)[-1].replace("-", " ")
        return tuple(dict.fromkeys((self.title, *self.aliases, tail)))

    @property
    def words(self) -> frozenset[str]:
        """The words of all names that could tell a page, in lower case."""
        words = {word for name in self.spoken for word in re.findall(r"\w+", name.lower())}
        return frozenset(word for word in words if len(word) > 2) - FUNCTION_WORDS - EVERYDAY_WORDS

    def answer(self, query: str) -> bool:
        """Tell whether any arm would find the page under a query."""
        asked = look_up(Candidate(display=query, query=query))
        return any(
            fits(arm, asked, slug=self.slug, title=self.title, alias=alias)
            for arm in CONFIDENCE
            for alias in self.aliases or ("",)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """One turn as the memory read it, and one page that did not come of it.

    Attributes:
        others: The other pages of the active source.
    """

    text: str
    trace: RecallTrace
    page: Names
    others: Sequence[Names]


def name_page(page: Page) -> Names:
    """Read what a seeded page answers to."""
    parsed = parse_page(page.slug, page.content)
    return Names(slug=page.slug, title=parsed.title, aliases=parsed.aliases)


def explain_unheard(hearing: Hearing) -> Diagnosis:
    """Say why no name in a turn led to a page; the first stage that lost it counts."""
    stages = (_shared, _sifted, _glued, _unjoined, _partial, _misspelt, _partial_lower)
    unnamed = Diagnosis(
        cause=Cause.NOT_MENTIONED,
        sentence=f"nothing in the turn names the page, which answers to {_list(hearing.page)}",
    )
    return next((found for stage in stages for found in stage(hearing)), unnamed)


def _shared(hearing: Hearing) -> Iterator[Diagnosis]:
    kept = [seen.candidate for seen in hearing.trace.sightings if seen.sifted is Sifted.KEPT]
    shared = [m.match for m in hearing.trace.matches if m.counted is Counted.SHARED_ALIAS]
    for match in shared:
        if match.slug == hearing.page.slug:
            owners = sorted(other.slug for other in shared if other.candidate == match.candidate)
            sentence = (
                f"{quote(kept[match.candidate].query)} is an alias of {len(owners)} pages "
                f"({list_codes(owners)}), and an alias that is shared leads to none of them"
            )
            yield Diagnosis(cause=Cause.SHARED_ALIAS, sentence=sentence)


def _sifted(hearing: Hearing) -> Iterator[Diagnosis]:
    for seen in hearing.trace.sightings:
        if seen.sifted in SIFTED and hearing.page.answer(seen.candidate.query):
            cause, rule = SIFTED[seen.sifted]
            name = quote(seen.candidate.display)
            yield Diagnosis(cause=cause, sentence=f"{name} was dropped: {rule}")


def _glued(hearing: Hearing) -> Iterator[Diagnosis]:
    for seen in hearing.trace.sightings:
        words = seen.candidate.query.split()
        for start, end in _inner_runs(len(words)):
            name = strip_possessive(" ".join(words[start:end]))
            if hearing.page.answer(name):
                extra = " ".join([*words[:start], *words[end:]])
                sentence = (
                    f"{quote(extra)} is glued to {quote(name)}: capitalised words in a row are "
                    f"looked up as one name, {quote(seen.candidate.query)}"
                )
                yield Diagnosis(cause=Cause.GLUED, sentence=sentence)


def _inner_runs(count: int) -> Iterator[tuple[int, int]]:
    """Runs shorter than the whole, longest first."""
    for size in range(count - 1, 0, -1):
        yield from ((start, start + size) for start in range(count - size + 1))


def _unjoined(hearing: Hearing) -> Iterator[Diagnosis]:
    for name in hearing.page.spoken:
        pattern = r"\s+".join(re.escape(word) for word in name.split())
        match = re.search(rf"(?<!\w){pattern}(?!\w)", hearing.text, re.IGNORECASE)
        if match is None or not name:
            continue
        said = quote(match[0])
        if match[0][0].isupper():
            sentence = (
                f"{said} was not looked up in one piece: a name is at most four words in a row "
                "that each start with a capital"
            )
            yield Diagnosis(cause=Cause.BROKEN_NAME, sentence=sentence)
        else:
            sentence = f"the turn writes {said} without a capital, and only capitalised words count"
            yield Diagnosis(cause=Cause.LOWER_CASE, sentence=sentence)


def _partial(hearing: Hearing) -> Iterator[Diagnosis]:
    for seen in hearing.trace.sightings:
        words = re.findall(r"\w+", seen.candidate.query)
        for start in range(len(words)):
            said = words[start:]
            if {word.lower() for word in said} <= hearing.page.words:
                yield _partial_name(hearing, " ".join(said))


def _partial_lower(hearing: Hearing) -> Iterator[Diagnosis]:
    own = hearing.page.words - {word for other in hearing.others for word in other.words}
    for word in re.findall(r"\w+", hearing.text):
        if word.lower() in own:
            yield _partial_name(hearing, word)


def _partial_name(hearing: Hearing, said: str) -> Diagnosis:
    lower = ", in lower case" if said.islower() else ""
    sentence = (
        f"the turn says only {quote(said)}{lower}, and the page answers to {_list(hearing.page)}"
    )
    return Diagnosis(cause=Cause.PARTIAL_NAME, sentence=sentence)


def _misspelt(hearing: Hearing) -> Iterator[Diagnosis]:
    names = [name.lower() for name in hearing.page.spoken]
    for seen in hearing.trace.sightings:
        if get_close_matches(seen.candidate.query.lower(), names, n=1, cutoff=0.8):
            said = quote(seen.candidate.query)
            sentence = f"{said} is close to the page's name but not equal: {_list(hearing.page)}"
            yield Diagnosis(cause=Cause.MISSPELT, sentence=sentence)


def _list(page: Names) -> str:
    aliases = "".join(f", {quote(alias)}" for alias in page.aliases[:5])
    tail = page.slug.rsplit("/", 1)[-1]
    return f"{quote(page.title)}{aliases} and the slug {quote(tail)}"
