"""Rounding and writing of numbers."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainbench_schema.numbers import format_number, round4, settle


@given(st.floats(0, 1))
def test_round4_is_idempotent_and_near(value: float) -> None:
    """Rounding moves a rate by at most half of the last place, and only once."""
    rounded = round4(value)

    assert rounded == round4(rounded)
    assert abs(rounded - value) <= 0.000_05 + 1e-12


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_round4_refuses_what_is_no_number(value: float) -> None:
    """What isn't finite is an error, never a score."""
    with pytest.raises(ValueError, match="not a finite number"):
        round4(value)


def test_minus_zero_is_zero() -> None:
    """Minus zero becomes the integer 0."""
    assert "0" == repr(round4(-0.0))


def test_settle_leaves_large_floats() -> None:
    """A float beyond the exact integers stays a float."""
    assert isinstance(settle(2.0**60), float)


@pytest.mark.parametrize(("value", "text"), [(1.0, "1"), (0.1234, "0.1234"), (0, "0")])
def test_format_number(value: float, text: str) -> None:
    """Integers are written without a point."""
    assert text == format_number(value)
