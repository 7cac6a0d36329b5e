"""Adversarial: five traps, three fixtures each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from script import read_scenes

from families.frame import Family, build_retrieval, pick_holdout

if TYPE_CHECKING:
    from assembly import Pair
    from universe import Entity

TRAPS = (
    ("suppression", "adv-suppress"),
    ("near_miss", "adv-near"),
    ("stale", "adv-stale"),
    ("injection", "adv-inject"),
    ("alias", "adv-alias"),
)
SIZE = 3


def build(universe: tuple[Entity, ...], seed: int) -> list[Pair]:
    """15 fixtures; two are held out, from anywhere among them."""
    held_out = pick_holdout(seed, "adversarial", SIZE * len(TRAPS), 2)
    pairs: list[Pair] = []
    for index, (trap, prefix) in enumerate(TRAPS):
        own = frozenset(number - SIZE * index for number in held_out)
        pairs += build_retrieval(
            Family(
                scenes=read_scenes(f"adversarial_{trap}"),
                prefix=prefix,
                suites=("know-to-ask", "push"),
                category=f"adversarial-{trap.replace('_', '-')}",
                holdout=own,
            ),
            universe,
            seed,
        )
    return pairs
