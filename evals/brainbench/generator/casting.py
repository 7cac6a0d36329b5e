"""Who plays whom: entities for the slots of a scene."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from names import FOLDERS, first_word, last_word

if TYPE_CHECKING:
    from prng import Prng
    from script import Scene
    from universe import Entity

ATTEMPTS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """The entity in one slot, and the sources that hold its page (none: it has no page)."""

    entity: Entity
    sources: tuple[str, ...]


class Troupe:
    """The whole universe as actors; those who played least are taken first."""

    def __init__(self, universe: tuple[Entity, ...]) -> None:
        """Start with nobody on stage."""
        self.universe = universe
        self._played: Counter[str] = Counter()

    def cast(self, scene: Scene, prng: Prng) -> dict[str, Role]:
        """Roles by slot; raises ValueError when the cast line can't be met."""
        for slack in range(ATTEMPTS):
            roles = self._try_cast(scene, prng, slack)
            if roles is not None:
                self._played.update(role.entity.title for role in roles.values())
                return roles
        raise ValueError(f"scene {scene.title!r}: nobody fits the cast")

    def bystanders(self, roles: dict[str, Role], count: int, prng: Prng) -> list[Entity]:
        """Entities that are in no slot and share no word of a name with one that is."""
        on_stage = [role.entity for role in roles.values()]
        free = [
            entity for entity in prng.shuffled(self.universe) if not _confusable(entity, on_stage)
        ]
        return free[:count]

    def _try_cast(self, scene: Scene, prng: Prng, slack: int) -> dict[str, Role] | None:
        roles: dict[str, Role] = {}
        for slot, kind, *demands in scene.cast:
            pool = self._ranked(prng, slack)
            entity = next((e for e in pool if _fits(e, kind, demands, roles)), None)
            if entity is None:
                return None
            roles[slot] = Role(entity=entity, sources=_sources(scene, demands))
        return roles

    def _ranked(self, prng: Prng, slack: int) -> list[Entity]:
        """Least played first; each failed attempt loosens that by one more appearance."""
        loosened = [
            (self._played[entity.title] + prng.below(slack + 1), entity)
            for entity in prng.shuffled(self.universe)
        ]
        return [entity for _, entity in sorted(loosened, key=lambda ranked: ranked[0])]


def _fits(entity: Entity, kind: str, demands: list[str], roles: dict[str, Role]) -> bool:
    if kind not in FOLDERS:
        raise ValueError(f"unknown kind {kind!r}")
    on_stage = [role.entity for role in roles.values()]
    namesakes = [roles[demand[1:]].entity for demand in demands if demand[0] in "~="]
    others = [other for other in on_stage if other not in namesakes]
    return (
        entity.kind == kind
        and entity not in on_stage
        and not _confusable(entity, others)
        and all(_meets(entity, demand, demands, roles) for demand in demands)
    )


def _meets(entity: Entity, demand: str, demands: list[str], roles: dict[str, Role]) -> bool:
    if demand == "of":
        employee = roles[demands[demands.index("of") + 1]].entity
        return entity.title == employee.employer
    if demand == "unpaged" or demand.startswith("in:") or demand in roles:
        return True
    if demand[0] == "~":
        return first_word(entity.title) == first_word(roles[demand[1:]].entity.title)
    if demand[0] == "=":
        return last_word(entity.title) == last_word(roles[demand[1:]].entity.title)
    if demand[0] == "!":
        return demand[1:] not in entity.traits
    return demand in entity.traits


def _confusable(entity: Entity, others: list[Entity]) -> bool:
    return any(_telling_words(entity) & _telling_words(other) for other in others)


def _telling_words(entity: Entity) -> set[str]:
    """The words that tell an entity apart: every word of a person, the first one of a firm."""
    words = entity.title.removeprefix("Project ").split(" ")
    return set(words if entity.kind == "person" else words[:1])


def _sources(scene: Scene, demands: list[str]) -> tuple[str, ...]:
    if "unpaged" in demands:
        return ()
    for demand in demands:
        if demand.startswith("in:"):
            return tuple(demand[3:].split(","))
    return (scene.active,)
