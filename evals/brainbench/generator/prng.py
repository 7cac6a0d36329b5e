"""Seeded choices whose results never depend on the Python version."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


class Prng:
    """Choices on top of `random.Random.random`, the one method with a documented fixed output."""

    def __init__(self, *seed_parts: object) -> None:
        """Seed from the parts' text; equal parts give equal sequences."""
        text = "/".join(str(part) for part in seed_parts)
        self._random = random.Random(int.from_bytes(text.encode()))  # noqa: S311 - not a secret

    def below(self, bound: int) -> int:
        """An integer from 0 up to, not including, `bound`."""
        return int(self._random.random() * bound)

    def between(self, low: int, high: int) -> int:
        """An integer from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def chance(self, probability: float) -> bool:
        """True with the given probability, 0 to 1."""
        return self._random.random() < probability

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """A new list of the items in Fisher-Yates order."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """At most `count` different items."""
        return self.shuffled(items)[:count]
