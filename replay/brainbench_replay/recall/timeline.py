"""Which of two memories is later, and which is the latest revision. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from brainbench_schema.schemas import parse_timestamp

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """When a memory was made: its place in the session, and its time where it is known."""

    position: int
    timestamp: str | None

    def to_json(self) -> dict[str, Any]:
        """Give the moment as a row's evidence holds it."""
        return {"position": self.position, "timestamp": self.timestamp}


def read_time(timestamp: str | None) -> datetime | None:
    """Read an RFC 3339 time, or give None for none."""
    return None if timestamp is None else parse_timestamp(timestamp)


def is_later(one: Moment, other: Moment) -> bool:
    """Tell whether one memory was made after another.

    Times decide where both are known, so that equal times are in order either way; else the
    place in the session does, which is chronological.
    """
    mine, theirs = read_time(one.timestamp), read_time(other.timestamp)
    if mine is not None and theirs is not None:
        return mine > theirs
    return one.position > other.position


def is_chronological(moments: Sequence[Moment]) -> bool:
    """Tell whether no memory stands before one that was made earlier. All pairs are looked at."""
    return not any(
        is_later(earlier, later)
        for place, earlier in enumerate(moments)
        for later in moments[place + 1 :]
    )


def find_latest(
    required: Sequence[str], moments: Mapping[str, Moment], superseded: frozenset[str]
) -> tuple[str, ...]:
    """Find the latest revision among a query's required memories.

    Args:
        required: Ids of the required memories.
        moments: Place in time by id.
        superseded: Ids that another memory of the session supersedes.

    Returns:
        Its id; several where equal times leave it open and none supersedes the other. Empty
        only where every required memory is superseded.
    """
    current = [memory_id for memory_id in required if memory_id not in superseded]
    return tuple(
        one
        for one in current
        if not any(is_later(moments[other], moments[one]) for other in current)
    )
