"""Multi-source: pages of several sources, of which only the active one may show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from script import read_scenes

from families.frame import Family, build_retrieval, pick_holdout

if TYPE_CHECKING:
    from assembly import Pair
    from universe import Entity


def build(universe: tuple[Entity, ...], seed: int) -> list[Pair]:
    """10 fixtures."""
    scenes = read_scenes("multi_source")
    return build_retrieval(
        Family(
            scenes=scenes,
            prefix="multi",
            suites=("know-to-ask", "push"),
            category="multi-source",
            holdout=pick_holdout(seed, "multi", len(scenes), 2),
        ),
        universe,
        seed,
    )
