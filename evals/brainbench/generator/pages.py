"""Page contents: front matter in several spellings, prose, and private blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import roster
from names import sentence

if TYPE_CHECKING:
    from prng import Prng

PRIVATE_LINES = (
    "Asked us to keep the salary talk out of mail.",
    "Is looking for a new post; nobody there knows.",
    "Our walk-away price stands in the safe.",
    "Health matter, ask in person only.",
)


def person_page(prng: Prng, name: str, role: str, employer: str, aliases: tuple[str, ...]) -> str:
    """The page of a person; only lines after the first sentence name the employer."""
    habit, trait, remark = prng.sample(roster.PERSON_NOTES, 3)
    met = f"{sentence(role)}, met at {prng.choice(roster.VENUES)}. {habit}"
    post = f"Works at {employer} since {prng.between(2011, 2024)}."
    summary = f"{sentence(role)}. {trait}" if prng.chance(0.7) else None
    return _page(prng, _matter(prng, name, "person", aliases, summary), [met, post, remark])


def firm_page(prng: Prng, kind: str, firm: roster.Firm, aliases: tuple[str, ...]) -> str:
    """The page of a company or a fund."""
    name, _, trade, place = firm
    first, second = prng.sample(roster.ORG_NOTES, 2)
    opening = {
        "company": f"{sentence(trade)}, about {prng.between(12, 400)} people in {place}.",
        "fund": f"Backs {trade}; the office is in {place}.",
    }[kind]
    summary = opening if prng.chance(0.5) else None
    prose = [f"{sentence(trade)} out of {place}. {first}", second]
    return _page(prng, _matter(prng, name, kind, aliases, summary), prose)


def project_page(prng: Prng, name: str, purpose: str, place: str) -> str:
    """The page of a project of ours."""
    summary = f"{sentence(purpose)}." if prng.chance(0.5) else None
    prose = [
        f"This effort {purpose}. The team sits in {place}.",
        f"Steering meets every {prng.choice(('second', 'third', 'fourth'))} week.",
    ]
    return _page(prng, _matter(prng, name, "project", (), summary), prose)


def _matter(
    prng: Prng, title: str, kind: str, aliases: tuple[str, ...], summary: str | None
) -> list[str]:
    lines = [f'title: "{title}"' if prng.chance(0.2) else f"title: {title}", f"type: {kind}"]
    if aliases and prng.chance(0.5):
        lines += ["aliases:", *(f"  - {alias}" for alias in aliases)]
    elif aliases:
        lines.append(f"aliases: [{', '.join(aliases)}]")
    if summary:
        lines.append(f'summary: "{summary}"')
    return lines


def _page(prng: Prng, matter: list[str], prose: list[str]) -> str:
    heading = ["## Notes", ""] if prng.chance(0.25) else []
    private = ["<!-- private -->", prng.choice(PRIVATE_LINES), "<!-- /private -->"]
    shape = prng.below(6)
    before = private if shape == 0 else []
    after = private if shape == 1 else []
    return "\n".join(["---", *matter, "---", "", *heading, *before, *prose, *after, ""])
