"""Write-back: conversations that hold facts worth keeping."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assembly import Pair, Plan, lengthened
from casting import Troupe
from script import read_scenes

from families.frame import pick_holdout, stage_scene

if TYPE_CHECKING:
    from universe import Entity


def build(universe: tuple[Entity, ...], seed: int) -> list[Pair]:
    """20 fixtures."""
    scenes = read_scenes("write_back")
    troupe = Troupe(universe)
    held_out = pick_holdout(seed, "wb", len(scenes), 3)
    pairs = []
    for number, scene in enumerate(scenes, start=1):
        plan = Plan(
            fixture_id=f"wb-{number:03}",
            suites=("write-back",),
            category="write-back",
            holdout=number in held_out,
            timed=True,
            bystanders=1,
        )
        stage = stage_scene(scene, troupe, seed, plan.fixture_id)
        pairs.append(stage.session(plan, lengthened(scene.lines, scene.length)))
    return pairs
