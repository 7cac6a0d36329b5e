"""The one place where rates are rounded and numbers are printed."""

from __future__ import annotations

import math


def round4(value: float) -> float:
    """Round to 4 decimals as every document carries it.

    ``floor(x * 10000 + 0.5) / 10000`` in binary floating point, which differs from both
    Python's `round` (half to even) and decimal half-up. Integral values come back as `int`,
    so that documents hold ``1`` and never ``1.0``; minus zero becomes 0.

    Args:
        value: Any finite number.

    Returns:
        The rounded number.

    Raises:
        ValueError: The value is not finite.
    """
    if not math.isfinite(value):
        raise ValueError(f"{value!r} is not a finite number")
    return settle(math.floor(value * 10_000 + 0.5) / 10_000)


def settle(value: float | int) -> float:
    """Give a number the one Python type that its value has: `int` where integral, else `float`."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value


def format_number(value: float) -> str:
    """Write a number as documents do: integers without a point, no exponent for rates."""
    return repr(settle(value))
