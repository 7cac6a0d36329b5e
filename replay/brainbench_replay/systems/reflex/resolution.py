"""Candidates and what the store found for them → pointers in the order the contract gives."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from brainbench_replay.systems.protocol import Pointer
from brainbench_replay.systems.reflex.text import normalize_alias, slugify

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from brainbench_replay.systems.reflex.candidates import Candidate

CONFIDENCE = {"alias": 0.9, "title": 0.8, "slug-suffix": 0.6}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """The three keys under which one candidate is looked up; an empty key is not asked."""

    alias: str
    title: str
    slug: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A page that one arm found for the candidate at an index."""

    candidate: int
    arm: str
    slug: str
    title: str
    synopsis: str


def look_up(candidate: Candidate) -> Lookup:
    """Give the keys of a candidate, one per arm."""
    return Lookup(
        alias=normalize_alias(candidate.query),
        title=candidate.query.lower(),
        slug=slugify(candidate.query),
    )


def rank(candidates: Sequence[Candidate], matches: Iterable[Match]) -> tuple[Pointer, ...]:
    """Order what was found: aliases by mention, then titles and slugs candidate by candidate.

    An alias that several pages share gives nothing; a page counts once, at its first place.

    Source: the contract's "Determinism" and "Reading: resolution".
    """
    by_arm: dict[tuple[str, int], list[Match]] = defaultdict(list)
    for match in sorted(matches, key=lambda match: match.slug):
        by_arm[match.arm, match.candidate].append(match)
    aliases = (by_arm["alias", index] for index in range(len(candidates)))
    ordered = [found[0] for found in aliases if len(found) == 1]
    for index in range(len(candidates)):
        ordered.extend(by_arm["title", index])
        ordered.extend(by_arm["slug-suffix", index])
    first: dict[str, Match] = {}
    for match in ordered:
        first.setdefault(match.slug, match)
    return tuple(_pointer(match, candidates[match.candidate].display) for match in first.values())


def _pointer(match: Match, mention: str) -> Pointer:
    return Pointer(
        slug=match.slug,
        title=match.title,
        label=mention if mention.lower() == match.title.lower() else match.title,
        synopsis=match.synopsis,
        arm=match.arm,
        confidence=CONFIDENCE[match.arm],
    )
