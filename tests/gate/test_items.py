"""Gold items between two runs: told apart by id, and described by what was seen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.gate.documents import PUSH, run_of, survey, turn_row

from brainbench_gate.items import compare_items, describe_item, find_turn, is_stray
from brainbench_schema.result import ItemRow


def test_items_are_told_apart_over_the_union_of_ids() -> None:
    """Flipped, still failing, added, removed; wrong pushes on turns that came or left are none."""
    older, newer = survey("f#1:a", "f#2:b", "f#3:c"), survey("f#2:b", "f#3:c", "g#1:d", "g#2:e")
    before = {PUSH: ["f#1:a", "f#1+x", "f#2:b", "f#3+z"]}
    after = {PUSH: ["f#2:b", "f#3:c", "f#3+y", "g#1:d", "g#1+x"]}
    [found] = compare_items(before, after, older=older, newer=newer)
    assert ("f#3+y", "f#3:c") == found.newly_failed
    assert ("f#3+z",) == found.newly_fixed
    assert ("f#2:b",) == found.still_failing
    assert ("g#1:d", "g#2:e") == found.added
    assert ("f#1:a",) == found.removed
    assert (("f#1:a",), ("g#1:d",)) == (found.removed_failing, found.added_failing)


def test_a_cell_of_one_run_only_came_or_left_as_a_whole() -> None:
    """None of its items flipped."""
    both = survey("f#1:a", "f#2:b")
    came, left = compare_items({PUSH: ["f#1:a"]}, {"a/push": ["f#2:b"]}, older=both, newer=both)
    assert ("a/push", (), ("f#2:b",), ("f#1:a", "f#2:b")) == (
        came.cell,
        came.newly_failed,
        came.added_failing,
        came.added,
    )
    assert ((), ("f#1:a",), ("f#1:a", "f#2:b")) == (
        left.newly_fixed,
        left.removed_failing,
        left.removed,
    )


def test_a_suite_that_no_corpus_knows_flips_all_the_same() -> None:
    """A foreign runner's, say."""
    [found] = compare_items({"x/y": []}, {"x/y": ["q1"]}, older=survey(), newer=survey())
    assert ("q1",) == found.newly_failed


@pytest.mark.parametrize(
    ("item", "turn", "stray"),
    [
        ("f#1", "f#1", False),
        ("f#1:people/a+b", "f#1", False),
        ("f#-1+people/a:b", "f#-1", True),
        ("f#1/2", "f#1", False),
        ("pair/decision", "", False),
    ],
)
def test_ids_tell_their_turn(item: str, turn: str, stray: bool) -> None:
    """Whatever characters a slug has."""
    assert (turn, stray) == (find_turn(item), is_stray(item))


@pytest.mark.parametrize(
    ("item", "gold", "slugs", "expected", "seen"),
    [
        ("f#1:a", {"should_retrieve": True, "gold_slugs": ["a"]}, (), "a", "nothing"),
        ("f#1+b", {"should_retrieve": False}, ("b",), "silence", "b"),
        ("f#1+b", None, ("b",), "silence", "b"),
        (
            "f#1",
            {"should_retrieve": True, "gold_slugs": ["a"], "acceptable_slugs": ["c"]},
            ("b", "d"),
            "a or c",
            "b, d",
        ),
    ],
)
def test_an_item_is_described_by_its_turn(
    item: str, gold: dict[str, object] | None, slugs: tuple[str, ...], expected: str, seen: str
) -> None:
    """Fixture, turn, harness, what should have come and what came."""
    run = run_of(rows=(turn_row(gold, *slugs),))
    found = describe_item(item, PUSH, run)
    assert (expected, seen, "f", "1", "codex") == (
        found.expected,
        found.seen,
        found.fixture_id,
        found.turn,
        found.harness,
    )
    assert "text of f#1:a" == found.text


def test_what_was_not_replayed_is_said_to_be() -> None:
    """Turns and probes alike; the fixture follows from the id."""
    turn = describe_item("f#9:a", PUSH, run_of())
    assert ("not replayed", "f", "9", "") == (turn.seen, turn.fixture_id, turn.turn, turn.text)
    probe = describe_item("pair/how", "codex/continuity", run_of())
    assert ("not replayed", "") == (probe.seen, probe.turn)


@pytest.mark.parametrize(
    ("suite", "evidence", "seen"),
    [
        ("write-back", {"found": True, "provenance": False}, "stored with wrong provenance"),
        ("write-back", {"found": False, "provenance": False}, "nothing"),
        ("write-back", {"found": True, "provenance": True}, "found"),
        ("continuity", {"slugs": [], "fact": None}, "nothing"),
        ("continuity", {"slugs": [], "fact": "x"}, "found"),
    ],
)
def test_a_probe_is_described_by_its_evidence(
    suite: str, evidence: dict[str, object], seen: str
) -> None:
    """And by the fixture of its row."""
    row = ItemRow(
        fixture_id="reader",
        harness="codex",
        suite=suite,
        item="f#1/1",
        passed=False,
        evidence=evidence,
    )
    run = run_of()
    run = replace(run, result=replace(run.result, item_rows=(row,)))
    found = describe_item("f#1/1", f"codex/{suite}", run)
    assert (seen, "reader") == (found.seen, found.fixture_id)
