"""Candidates and what the store found for them → pointers in the order the contract gives."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import Enum
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


class Counted(Enum):
    """What a match comes to."""

    POINTER = "a pointer"
    SHARED_ALIAS = "nothing: several pages share the alias"
    REPEATED = "nothing more: the page counts already"


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedMatch:
    """A match, and whether it counts."""

    match: Match
    counted: Counted


def look_up(candidate: Candidate) -> Lookup:
    """Give the keys of a candidate, one per arm."""
    return Lookup(
        alias=normalize_alias(candidate.query),
        title=candidate.query.lower(),
        slug=slugify(candidate.query),
    )


def fits(arm: str, asked: Lookup, *, slug: str, title: str, alias: str) -> bool:
    """Tell whether a page, or one alias of it, answers to what one arm asks for."""
    match arm:
        case "alias":
            return bool(asked.alias) and alias == asked.alias
        case "title":
            return bool(asked.title) and title.lower() == asked.title
        case _:
            return bool(asked.slug) and f"/{slug}".endswith(f"/{asked.slug}")


def rank(candidates: Sequence[Candidate], matches: Iterable[Match]) -> tuple[Pointer, ...]:
    """Order what was found: aliases by mention, then titles and slugs candidate by candidate.

    An alias that several pages share gives nothing; a page counts once, at its first place.

    Source: the contract's "Determinism" and "Reading: resolution".
    """
    return tuple(
        _pointer(traced.match, candidates[traced.match.candidate].display)
        for traced in trace_matches(len(candidates), matches)
        if traced.counted is Counted.POINTER
    )


def trace_matches(candidates: int, matches: Iterable[Match]) -> list[TracedMatch]:
    """Order what was found as `rank` does, with the matches that come to nothing.

    Args:
        candidates: How many were looked up.
    """
    by_arm: dict[tuple[str, int], list[Match]] = defaultdict(list)
    for match in sorted(matches, key=lambda match: match.slug):
        by_arm[match.arm, match.candidate].append(match)
    ordered = [match for index in range(candidates) for match in by_arm["alias", index]]
    for index in range(candidates):
        ordered.extend(by_arm["title", index])
        ordered.extend(by_arm["slug-suffix", index])
    traced, seen = [], set()
    for match in ordered:
        counted = Counted.REPEATED if match.slug in seen else Counted.POINTER
        if match.arm == "alias" and len(by_arm["alias", match.candidate]) > 1:
            counted = Counted.SHARED_ALIAS
        if counted is Counted.POINTER:
            seen.add(match.slug)
        traced.append(TracedMatch(match=match, counted=counted))
    return traced


def _pointer(match: Match, mention: str) -> Pointer:
    return Pointer(
        slug=match.slug,
        title=match.title,
        label=mention if mention.lower() == match.title.lower() else match.title,
        synopsis=match.synopsis,
        arm=match.arm,
        confidence=CONFIDENCE[match.arm],
    )
