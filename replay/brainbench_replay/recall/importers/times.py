"""Times as sources write them, and sessions in order of time."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")

_SLASHED = re.compile(r"(\d{4})/(\d{2})/(\d{2}) \(\w{3}\) (\d{2}):(\d{2})", re.ASCII)
_SPOKEN = re.compile(r"(\d{1,2}):(\d{2}) ?([ap]m) on (\d{1,2}) (\w+),? (\d{4})", re.I | re.ASCII)
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip


def read_slashed(text: str) -> str:
    """Read ``2023/05/30 (Tue) 21:56`` as RFC 3339; no source gives a zone, so UTC is written.

    Raises:
        ValueError: It isn't such a time.
    """
    match = _SLASHED.fullmatch(text.strip())
    if not match:
        raise ValueError(f"{text!r} is not a time such as 2023/05/30 (Tue) 21:56")
    return _write(*map(int, match.groups()))


def read_spoken(text: str) -> str:
    """Read ``1:56 pm on 8 May, 2023`` as RFC 3339, in UTC.

    Raises:
        ValueError: It isn't such a time.
    """
    match = _SPOKEN.fullmatch(text.strip())
    if not match or match[5].lower() not in _MONTHS or not 1 <= int(match[1]) <= 12:
        raise ValueError(f"{text!r} is not a time such as 1:56 pm on 8 May, 2023")
    hour = int(match[1]) % 12 + (12 if match[3].lower() == "pm" else 0)
    month = _MONTHS.index(match[5].lower()) + 1
    return _write(int(match[6]), month, int(match[4]), hour, int(match[2]))


def sort_by_time(entries: Sequence[tuple[str | None, T]]) -> list[tuple[str | None, T]]:
    """Bring dated entries into order of time; equal times keep their order.

    An entry without a time stays behind the one that it follows.
    """
    keys = []
    newest = ""
    for timestamp, _ in entries:
        newest = timestamp or newest
        keys.append(newest)
    order = sorted(range(len(entries)), key=lambda index: keys[index])
    return [entries[index] for index in order]


def _write(year: int, month: int, day: int, hour: int, minute: int) -> str:
    moment = datetime(year, month, day, hour, minute, tzinfo=UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
