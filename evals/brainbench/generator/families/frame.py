"""What the families share: numbering, holdout, and one fixture per scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assembly import Pair, Plan, Stage
from casting import Troupe
from prng import Prng

if TYPE_CHECKING:
    from script import Scene
    from universe import Entity


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Fixtures that differ in their scenes only; `holdout` lists numbers, counted from 1."""

    prefix: str
    suites: tuple[str, ...]
    category: str
    scenes: list[Scene]
    holdout: frozenset[int]

    def name(self, number: int) -> str:
        """The fixture id of a member."""
        return f"{self.prefix}-{number:03}"


def pick_holdout(seed: int, family: str, size: int, count: int) -> frozenset[int]:
    """The numbers, from 1 to `size`, of the `count` members that are held out."""
    return frozenset(Prng(seed, "holdout", family).sample(range(1, size + 1), count))


def stage_scene(scene: Scene, troupe: Troupe, seed: int, fixture_id: str) -> Stage:
    """The scene with a cast that depends on the seed and the fixture's id."""
    return Stage(scene, troupe, Prng(seed, fixture_id))


def build_retrieval(family: Family, universe: tuple[Entity, ...], seed: int) -> list[Pair]:
    """One fixture per scene, numbered from 1."""
    troupe = Troupe(universe)
    return [
        _build_one(family, number, stage_scene(scene, troupe, seed, family.name(number)))
        for number, scene in enumerate(family.scenes, start=1)
    ]


def _build_one(family: Family, number: int, stage: Stage) -> Pair:
    plan = Plan(
        fixture_id=family.name(number),
        suites=family.suites,
        category=family.category,
        holdout=number in family.holdout,
    )
    return stage.session(plan, stage.scene.lines)
