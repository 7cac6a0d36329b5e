"""Know-to-ask: conversations that need pages, and conversations that need none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from script import read_scenes

from families.frame import Family, build_retrieval, pick_holdout

if TYPE_CHECKING:
    from assembly import Pair
    from universe import Entity

SIDES = (("positive", "kta-pos", 4), ("negative", "kta-neg", 2))


def build(universe: tuple[Entity, ...], seed: int) -> list[Pair]:
    """25 positive fixtures, then 15 negative ones."""
    pairs: list[Pair] = []
    for side, prefix, held_out in SIDES:
        scenes = read_scenes(f"know_to_ask_{side}")
        pairs += build_retrieval(
            Family(
                scenes=scenes,
                prefix=prefix,
                suites=("know-to-ask",),
                category=f"know-to-ask-{side}",
                holdout=pick_holdout(seed, prefix, len(scenes), held_out),
            ),
            universe,
            seed,
        )
    return pairs
