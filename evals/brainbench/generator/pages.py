"""Page contents: front matter in several spellings, prose, and private blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import roster
from names import sentence

if TYPE_CHECKING:
    from prng import Prng


def person_page(prng: Prng, name: str, role: str, employer: str, aliases: tuple[str, ...]) -> str:
    """The page of a person; only lines after the first sentence name the employer."""
    habit, trait, remark = prng.sample(roster.PERSON_NOTES, 3)
    met = f"{sentence(role)}, met {prng.choice(roster.VENUES)}. {habit}"
    post = f"Works at {employer} since {prng.between(2011, 2024)}."
    summary = f"{sentence(role)}. {trait}" if prng.chance(0.7) else None
    matter = _matter(prng, name, "person", aliases, summary)
    return _page(prng, "person", matter, [met, post, remark])


def firm_page(prng: Prng, kind: str, firm: roster.Firm, aliases: tuple[str, ...]) -> str:
    """The page of a company or a fund."""
    name, _, trade, place = firm
    notes = roster.COMPANY_NOTES if kind == "company" else roster.FUND_NOTES
    first, second = prng.sample(notes, 2)
    opening = {
        "company": f"{sentence(trade)}, about {10 * prng.between(2, 40)} people in {place}.",
        "fund": f"Backs {trade}; the office is in {place}.",
    }[kind]
    summary = opening if prng.chance(0.5) else None
    made = sentence(trade) if kind == "company" else f"Money for {trade},"
    prose = [f"{made} out of {place}. {first}", second]
    return _page(prng, kind, _matter(prng, name, kind, aliases, summary), prose)


def project_page(prng: Prng, name: str, purpose: str, place: str) -> str:
    """The page of a project of ours."""
    summary = f"{sentence(purpose)}." if prng.chance(0.5) else None
    prose = [
        f"This effort {purpose}. The team sits in {place}.",
        f"Steering meets every {prng.choice(('second', 'third', 'fourth'))} week.",
    ]
    return _page(prng, "project", _matter(prng, name, "project", (), summary), prose)


def _matter(
    prng: Prng, title: str, kind: str, aliases: tuple[str, ...], summary: str | None
) -> list[str]:
    lines = [f'title: "{title}"' if prng.chance(0.2) else f"title: {title}", f"type: {kind}"]
    if aliases and prng.chance(0.5):
        lines += ["aliases:", *(f"  - {alias}" for alias in aliases)]
    elif aliases:
        lines.append(f"aliases: [{', '.join(aliases)}]")
    if summary:
        lines.append(f'summary: "{summary}"' if prng.chance(0.4) else f"summary: {summary}")
    return lines


def _page(prng: Prng, kind: str, matter: list[str], prose: list[str]) -> str:
    heading = ["## Notes", ""] if prng.chance(0.25) else []
    private = ["<!-- private -->", prng.choice(roster.PRIVATE_LINES[kind]), "<!-- /private -->"]
    shape = prng.below(6)
    before = private if shape == 0 else []
    after = private if shape == 1 else []
    return "\n".join(["---", *matter, "---", "", *heading, *before, *prose, *after, ""])
