"""A corpus dealt out to several runs; the halves of a continuity pair stay together."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from brainbench_schema.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brainbench_replay.corpus import Case

_SHARD = re.compile(r"([1-9]\d{0,3})/([1-9]\d{0,3})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """One of several runs: number `index` of `count`, from 1."""

    index: int
    count: int

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


def parse_shard(text: str) -> Shard:
    """Read ``I/N``.

    Raises:
        UsageError: It is something else, or I is more than N.
    """
    match = _SHARD.fullmatch(text)
    if match is None or int(match[1]) > int(match[2]):
        raise UsageError(
            f"{text!r} is no shard", where="--shard", advice="write I/N, such as 1/4 for the first"
        )
    return Shard(index=int(match[1]), count=int(match[2]))


def select_shard(cases: Sequence[Case], shard: Shard) -> tuple[Case, ...]:
    """Give the cases of one shard, in the order of the corpus.

    Raises:
        UsageError: It would hold none.
    """
    groups = number_groups(cases)
    chosen = tuple(
        case
        for case, group in zip(cases, groups, strict=True)
        if group % shard.count == shard.index - 1
    )
    if not chosen:
        raise UsageError(
            f"shard {shard} holds no fixture",
            where="--shard",
            advice=f"the corpus can be dealt out to {len(set(groups))} at most",
        )
    return chosen


def number_groups(cases: Sequence[Case]) -> list[int]:
    """Number the parts that can't be parted: single fixtures, and pairs."""
    numbers: dict[tuple[str, str], int] = {}
    found = []
    for case in cases:
        pair, name = case.fixture.continuity, case.fixture.fixture_id
        key = ("pair", pair.pair_id) if pair else ("fixture", name)
        found.append(numbers.setdefault(key, len(numbers)))
    return found
