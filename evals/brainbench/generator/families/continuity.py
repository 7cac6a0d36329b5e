"""Continuity: a writer's session that decides something, a reader's session that needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assembly import Pair, Plan
from script import read_scenes

from families.frame import pick_holdout, stage_scene

if TYPE_CHECKING:
    from casting import Company
    from script import Scene

CATEGORY = "continuity"


def build(company: Company, seed: int) -> list[Pair]:
    """15 pairs: 30 fixtures; a pair is held out together."""
    scenes = read_scenes(CATEGORY)
    held_out = pick_holdout(seed, CATEGORY, len(scenes), 2)
    pairs: list[Pair] = []
    for number, scene in enumerate(scenes, start=1):
        pairs += _build_pair(scene, company, seed, number, holdout=number in held_out)
    return pairs


def _build_pair(
    scene: Scene, company: Company, seed: int, number: int, *, holdout: bool
) -> list[Pair]:
    pair_id = f"cont-{number:03}"
    stage = stage_scene(scene, company, seed, pair_id)
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
