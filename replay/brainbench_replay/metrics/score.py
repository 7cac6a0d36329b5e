"""What a suite's rows come to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Counts and rates of one cell. Rates are unrounded.

    Attributes:
        failed: Ids of the gold items that failed; as many as `gold_failed`.
        wrong: Ids of adverse findings outside the counts: pages pushed wrongly.
        empty: Metrics whose denominator was zero, so that the value is the formula's convention.
    """

    gold_total: int
    gold_failed: int
    metrics: dict[str, float]
    failed: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    empty: frozenset[str] = frozenset()


def rate(part: int, whole: int, *, empty: float) -> float:
    """Divide, or give a formula's convention for an empty denominator."""
    return part / whole if whole else empty
