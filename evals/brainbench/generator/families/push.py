"""Push: turns that need several pages at once, so that the pointer budget shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from script import read_scenes

from families.frame import Family, build_retrieval, pick_holdout

if TYPE_CHECKING:
    from assembly import Pair
    from universe import Entity


def build(universe: tuple[Entity, ...], seed: int) -> list[Pair]:
    """20 fixtures."""
    scenes = read_scenes("push")
    return build_retrieval(
        Family(
            scenes=scenes,
            prefix="push",
            suites=("push",),
            category="push",
            holdout=pick_holdout(seed, "push", len(scenes), 3),
        ),
        universe,
        seed,
    )
