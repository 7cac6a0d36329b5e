"""Continuity: a writer's session that decides something, a reader's session that needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assembly import Pair, Plan
from casting import Troupe
from script import read_scenes

from families.frame import pick_holdout, stage_scene

if TYPE_CHECKING:
    from script import Scene
    from universe import Entity

CATEGORY = "continuity"


def build(universe: tuple[Entity, ...], seed: int) -> list[Pair]:
    """15 pairs: 30 fixtures; a pair is held out together."""
    scenes = read_scenes(CATEGORY)
    troupe = Troupe(universe)
    held_out = pick_holdout(seed, CATEGORY, len(scenes), 2)
    pairs: list[Pair] = []
    for number, scene in enumerate(scenes, start=1):
        pairs += _build_pair(scene, troupe, seed, number, holdout=number in held_out)
    return pairs


def _build_pair(
    scene: Scene, troupe: Troupe, seed: int, number: int, *, holdout: bool
) -> list[Pair]:
    pair_id = f"cont-{number:03}"
    stage = stage_scene(scene, troupe, seed, pair_id)
    writer = Plan(
        fixture_id=f"{pair_id}-writer",
        suites=("write-back", CATEGORY),
        category=CATEGORY,
        holdout=holdout,
        timed=True,
        bystanders=1,
        continuity={"pair_id": pair_id, "pair_role": "writer"},
    )
    reader = Plan(
        fixture_id=f"{pair_id}-reader",
        suites=(CATEGORY,),
        category=CATEGORY,
        holdout=holdout,
        bystanders=0,
        continuity={"pair_id": pair_id, "pair_role": "reader"},
    )
    return [
        stage.session(writer, scene.lines),
        stage.session(reader, scene.reader, with_pages=False),
    ]
