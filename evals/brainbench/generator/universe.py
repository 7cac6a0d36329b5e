"""The invented world: everybody and everything that has a page."""

from __future__ import annotations

from dataclasses import dataclass

import names
import pages
import roster
from prng import Prng


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """Somebody or something with a page; `about` is a role, a trade or a purpose."""

    kind: str
    title: str
    slug: str
    traits: frozenset[str]
    about: str
    place: str
    employer: str
    content: str

    def form(self, name: str) -> str:
        """The text of one form of the name; KeyError for an unknown form."""
        forms = {
            "": self.title,
            "first": names.first_word(self.title),
            "last": names.last_word(self.title),
            "lower": self.title.lower(),
            "firstlower": names.first_word(self.title).lower(),
            "ascii": names.fold(self.title),
            "handle": f"@{names.handle_of(self.title)}",
            "about": self.about,
            "place": self.place,
        }
        return forms[name]


def build_universe(seed: int) -> tuple[Entity, ...]:
    """Every entity with its page, in the order of the roster."""
    people = [_person(Prng(seed, row[0]), *row) for row in roster.PEOPLE]
    companies = [_firm(Prng(seed, row[0]), "company", row) for row in roster.COMPANIES]
    funds = [_firm(Prng(seed, row[0]), "fund", row) for row in roster.FUNDS]
    projects = [_project(Prng(seed, row[0]), *row) for row in roster.PROJECTS]
    return (*people, *companies, *funds, *projects)


def _person(prng: Prng, name: str, traits: str, role: str, employer: str) -> Entity:
    own = set(traits.split())
    aliases = (
        *([names.first_word(name)] if "first" in own else []),
        *([names.handle_of(name)] if "handle" in own else []),
    )
    return Entity(
        kind="person",
        title=name,
        slug=names.slug_of("person", name),
        traits=frozenset(own | ({"accent"} if names.fold(name) != name else set())),
        about=role,
        place="",
        employer=employer,
        content=pages.person_page(prng, name, role, employer, aliases),
    )


def _firm(prng: Prng, kind: str, firm: roster.Firm) -> Entity:
    name, traits, trade, place = firm
    short = names.first_word(name)
    own = set(traits.split()) | ({"words"} if short != name else set())
    return Entity(
        kind=kind,
        title=name,
        slug=names.slug_of(kind, short if "slug" in own else name),
        traits=frozenset(own),
        about=trade,
        place=place,
        employer="",
        content=pages.firm_page(prng, kind, firm, (short,) if "short" in own else ()),
    )


def _project(prng: Prng, name: str, purpose: str, place: str) -> Entity:
    return Entity(
        kind="project",
        title=name,
        slug=names.slug_of("project", name),
        traits=frozenset(),
        about=purpose,
        place=place,
        employer="",
        content=pages.project_page(prng, name, purpose, place),
    )
