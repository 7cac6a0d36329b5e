"""Times are read as sources write them, and entries sorted by them."""

from __future__ import annotations

import pytest

from brainbench_replay.recall.importers.times import read_slashed, read_spoken, sort_by_time


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12:05 am on 9 May, 2023", "2023-05-09T00:05:00Z"),
        ("12:30 pm on 1 December, 2022", "2022-12-01T12:30:00Z"),
        ("1:56 PM on 8 may 2023", "2023-05-08T13:56:00Z"),
    ],
)
def test_spoken_times(text: str, expected: str) -> None:
    assert read_spoken(text) == expected


@pytest.mark.parametrize(
    "text",
    ["13:00 pm on 8 May, 2023", "0:10 am on 8 May, 2023", "1:00 pm on 31 June, 2023", "8 Mai", ""],
)
def test_times_that_no_calendar_knows_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_spoken(text)


def test_slashed_times() -> None:
    assert read_slashed("2023/05/30 (Tue) 21:56") == "2023-05-30T21:56:00Z"
    with pytest.raises(ValueError, match="2023-05-30"):
        read_slashed("2023-05-30 21:56")


def test_sorting_keeps_ties_and_undated_entries_in_place() -> None:
    entries = [("2", "b"), (None, "after b"), ("1", "a"), ("2", "c")]
    assert [name for _, name in sort_by_time(entries)] == ["a", "b", "after b", "c"]
