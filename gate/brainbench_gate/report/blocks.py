"""Blocks of Markdown lines, and the one place that makes them fit. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Lines that stand together. A block is cut between `lines` and nowhere else.

    Attributes:
        head: Lines before, such as a table's header.
        tail: Lines after, such as the end of a fold.
        rest: Written where lines were left out; ``{count}`` of them.
    """

    head: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()
    rest: str = "… and {count} more, in the job summary"

    def cut(self, shown: int) -> Block:
        """Keep the first lines and say how many are left out."""
        left = len(self.lines) - shown
        if left <= 0:
            return self
        told = ("", self.rest.format(count=f"{left:,}"))
        return replace(self, lines=self.lines[:shown], tail=(*told, *self.tail))

    @property
    def text(self) -> str:
        """The block as Markdown."""
        return "\n".join((*self.head, *self.lines, *self.tail))


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How large a rendered text may become.

    Attributes:
        measure: Size of a text, in the unit of the limit.
    """

    limit: int
    measure: Callable[[str], int]

    def fits(self, text: str) -> bool:
        """Tell whether a text is small enough."""
        return self.measure(text) <= self.limit


def count_characters(text: str) -> int:
    """Count UTF-16 units: at least as many as characters, however they are counted."""
    return len(text.encode("utf-16-le")) // 2


def count_bytes(text: str) -> int:
    """Count UTF-8 bytes."""
    return len(text.encode())


def fit(blocks: Iterable[Block], budget: Budget) -> str:
    """Join blocks in order of importance: each whole, else cut, else left out."""
    written = ""
    for block in blocks:
        before = f"{written}\n\n" if written else ""
        written = _longest(before, block, budget) or written
    return f"{written}\n"


def _longest(before: str, block: Block, budget: Budget) -> str:
    """Find the most lines that fit by halving; empty where not even one does."""
    whole = f"{before}{block.text}\n"
    if budget.fits(whole):
        return whole.removesuffix("\n")
    low, high = 0, len(block.lines)
    while low < high - 1:
        middle = (low + high) // 2
        if budget.fits(f"{before}{block.cut(middle).text}\n"):
            low = middle
        else:
            high = middle
    return f"{before}{block.cut(low).text}" if low else ""
