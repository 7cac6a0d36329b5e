"""Seeded choices whose results never depend on the Python version."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


class Dice:
    """Choices on top of `random.Random.random`, the one method with a documented fixed output."""

    def __init__(self, seed: int, session: int) -> None:
        """Equal seeds and sessions give equal choices."""
        self._random = random.Random(seed * 1_000_003 + session)  # noqa: S311 - not a secret

    def between(self, low: int, high: int) -> int:
        """Give an integer from `low` to `high`, both included."""
        return low + int(self._random.random() * (high - low + 1))

    def chance(self, probability: float) -> bool:
        """Give True with a probability from 0 to 1."""
        return self._random.random() < probability

    def pick(self, items: Sequence[T]) -> T:
        """Give one of the items."""
        return items[self.between(0, len(items) - 1)]

    def draw(self, items: Sequence[T], count: int) -> list[T]:
        """Give `count` different items in random order."""
        left = list(items)
        return [left.pop(self.between(0, len(left) - 1)) for _ in range(count)]

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """Give all items in random order."""
        return self.draw(items, len(items))
