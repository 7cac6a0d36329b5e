"""Which of two memories is later."""

from __future__ import annotations

import pytest

from brainbench_replay.recall.timeline import Moment, find_latest, is_chronological, is_later

NOON = "2031-01-01T12:00:00Z"
LATER = "2031-01-01T12:00:01Z"


def _at(position: int, timestamp: str | None) -> Moment:
    return Moment(position=position, timestamp=timestamp)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (_at(0, LATER), _at(1, NOON), True),
        (_at(1, NOON), _at(0, LATER), False),
        (_at(1, NOON), _at(0, NOON), False),  # a tie in time is in order either way
        (_at(1, "2031-01-01T13:00:00+01:00"), _at(0, NOON), False),  # the same time elsewhere
        (_at(1, None), _at(0, NOON), True),  # no time: the place in the session decides
        (_at(0, None), _at(1, NOON), False),
        (_at(1, None), _at(0, None), True),
    ],
)
def test_times_decide_where_both_are_known_else_places(
    one: Moment, other: Moment, *, expected: bool
) -> None:
    assert is_later(one, other) is expected


def test_all_pairs_are_looked_at() -> None:
    """Each neighbour is in order here, the ends are not."""
    first, undated, last = _at(0, NOON), _at(5, None), _at(9, LATER)
    assert is_chronological([first, undated, last])
    assert not is_chronological([_at(6, LATER), _at(8, None), _at(9, NOON)])


def test_nothing_and_one_are_in_order() -> None:
    assert is_chronological([])
    assert is_chronological([_at(3, None)])


def test_the_latest_is_what_nothing_supersedes() -> None:
    moments = {"a": _at(0, NOON), "b": _at(1, NOON)}
    assert find_latest(["a", "b"], moments, frozenset({"a"})) == ("b",)


def test_equal_times_without_a_chain_leave_both() -> None:
    moments = {"a": _at(0, NOON), "b": _at(1, NOON)}
    assert find_latest(["a", "b"], moments, frozenset()) == ("a", "b")


def test_without_times_the_last_in_the_session_is_the_latest() -> None:
    moments = {"a": _at(0, None), "b": _at(1, None)}
    assert find_latest(["b", "a"], moments, frozenset()) == ("b",)
