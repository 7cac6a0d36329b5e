"""Ancestry from raw parents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from brainbench_gate.base.history import is_ancestor, merge_base
from brainbench_gate.base.objects import Commit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def reader(
    graph: Mapping[str, str], times: Mapping[str, int] | None = None
) -> Callable[[str], Commit]:
    """Commits named by one letter; each is younger than those written before it."""
    order = {name: place for place, name in enumerate(graph)}

    def read(name: str) -> Commit:
        return Commit("", tuple(graph[name]), (times or order)[name])

    return read


LINE = {"a": "", "b": "a", "c": "b"}
FORK = {"a": "", "b": "a", "m": "b", "t": "b", "n": "m", "u": "t"}


def test_a_commit_is_its_own_ancestor() -> None:
    """Identity counts as ancestry."""
    assert is_ancestor(reader(LINE), "b", "b")


@pytest.mark.parametrize(
    ("ancestor", "expected"), [("a", True), ("b", True), ("u", False), ("n", True)]
)
def test_ancestry_follows_parents(ancestor: str, expected: bool) -> None:
    """What lies on another branch is no ancestor."""
    assert is_ancestor(reader(FORK), ancestor, "n") is expected


def test_ancestry_is_found_through_a_second_parent() -> None:
    """A merged branch lies behind the merge."""
    assert is_ancestor(reader({**FORK, "x": "nu"}), "t", "x")


def test_ancestry_does_not_read_behind_the_commit_looked_for() -> None:
    """A shallow clone that ends at the base commit is deep enough."""
    read = reader({"c": "b"})
    assert is_ancestor(read, "b", "c")


@pytest.mark.parametrize(
    ("head", "expected"), [("u", "b"), ("t", "b"), ("b", "b"), ("a", "a"), ("n", "n"), ("m", "m")]
)
def test_merge_base_is_where_the_branch_left_the_trunk(head: str, expected: str) -> None:
    """Also where head is the trunk itself or lies behind it."""
    assert merge_base(reader(FORK), head, "n") == expected


def test_merge_base_moves_when_the_trunk_is_merged_into_the_branch() -> None:
    """The newest common commit applies."""
    assert merge_base(reader({**FORK, "v": "um", "w": "v"}), "w", "n") == "m"


def test_unrelated_histories_have_no_merge_base() -> None:
    """Nothing is guessed."""
    assert merge_base(reader({**LINE, "x": "", "y": "x"}), "y", "c") is None


def test_criss_cross_merges_give_the_base_on_the_trunks_first_parents() -> None:
    """Two equally good bases: the one that the trunk itself once was."""
    graph = {"a": "", "m": "a", "t": "a", "n": "mt", "u": "tm"}
    assert merge_base(reader(graph), "u", "n") == "m"


def test_criss_cross_merges_away_from_the_trunk_give_the_newest_base() -> None:
    """Neither of the two bases was ever the trunk."""
    graph = {"a": "", "b": "", "x": "", "n": "xab", "y": "", "u": "yab"}
    assert merge_base(reader(graph), "u", "n") == "b"


@pytest.mark.parametrize("times", [dict.fromkeys(FORK, 0), {n: -i for i, n in enumerate(FORK)}])
def test_merge_base_does_not_depend_on_the_clocks(times: dict[str, int]) -> None:
    """Equal and reversed dates give the same commit."""
    assert merge_base(reader(FORK, times), "u", "n") == "b"
