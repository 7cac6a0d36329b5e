"""Every metric against cases computed by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.recall.making import answer, memory, query, session, value

from brainbench_replay.recall.metrics import (
    Measure,
    build_cells,
    is_exact,
    measure,
    measure_latency,
)
from brainbench_replay.recall.similarity import Lexical

THREE = (memory("m1", "01"), memory("m2", "02"), memory("m3", "03"))


@pytest.mark.parametrize(
    ("given", "expected", "exact"),
    [
        ("Paris", "Paris", True),
        ("  paris\n", "PARIS", True),
        ("STRASSE", "straße", True),  # full case folding, not lower case
        ("ΣΊΣΥΦΟΣ", "σίσυφος", True),
        ("Paris, France", "Paris", False),
        ("", "Paris", False),
        ("   ", "Paris", False),
        (None, "Paris", False),
    ],
)
def test_exact_match_folds_case_and_strips(
    given: str | None, expected: str, *, exact: bool
) -> None:
    assert is_exact({"answer": given, "expected": [expected]}) is exact


def test_a_blank_answer_is_never_right_even_where_blank_is_expected() -> None:
    assert not is_exact({"answer": "", "expected": [""]})


def test_any_of_several_golds_counts() -> None:
    one = session(memory("m1"), queries=[query("retrieval", ["m1"], expected_answer=["x", "Y"])])
    row = answer(one, {"memory_id": "m1", "text": "long text", "answer": "y"})
    assert value(row, "exact_match") == 1
    assert value(row, "semantic_placeholder_score") == 1


def test_the_answer_field_comes_before_the_text_even_when_empty() -> None:
    one = session(memory("m1"), queries=[query("retrieval", ["m1"])])
    row = answer(one, {"memory_id": "m1", "text": "text of m1", "answer": ""})
    assert row.evidence["answer"] == ""
    assert value(row, "exact_match") == 0


def test_the_answer_is_read_from_the_first_memory_only() -> None:
    one = session(*THREE, queries=[query("retrieval", ["m1"])])
    assert value(answer(one, "m1", "m2"), "exact_match") == 1
    assert value(answer(one, "m2", "m1"), "exact_match") == 0


@pytest.mark.parametrize("kind", ["rubric", "abstain"])
def test_rubrics_and_abstentions_are_no_texts_to_compare_with(kind: str) -> None:
    one = session(memory("m1"), queries=[query("retrieval", ["m1"], answer_kind=kind)])
    row = answer(one, "m1")
    assert value(row, "exact_match") is None
    assert value(row, "evidence_recall") == 1


def test_a_query_without_an_expected_answer_is_left_out_of_answer_metrics() -> None:
    one = session(memory("m1"), queries=[query("retrieval", ["m1"], expected_answer=None)])
    assert measure([answer(one, "m1")])["exact_match"] == Measure(part=0, whole=0)


def test_lexical_cosine_counts_words() -> None:
    """(1·1 + 1·1) / (√2 · √5): 'a b' against 'a b b', where b counts twice: (1 + 2) / √10."""
    assert Lexical()("A b", "a b b") == pytest.approx(3 / 10**0.5)
    assert Lexical()("same words", "words SAME") == 1
    assert Lexical()("one", "two") == 0
    assert Lexical()("", "two") == 0


def test_substring_match_stands_beside_the_length_that_games_it() -> None:
    one = session(memory("m1"), queries=[query("retrieval", ["m1"], expected_answer="blue")])
    row = answer(one, {"memory_id": "m1", "text": "red green BLUE"})
    assert value(row, "exact_match") == 0
    assert value(row, "substring_match") == 1
    assert value(row, "answer_chars") == 14


@pytest.mark.parametrize(
    ("returned", "recall", "passed"),
    [
        (["m1", "m2"], 1, True),
        (["m3", "m2", "m1"], 1, True),
        (["m1"], 0.5, False),
        (["m3"], 0, False),
        ([], 0, False),
        (["m1", "m1"], 0.5, False),  # a memory that comes twice counts once
    ],
)
def test_retrieval_fails_when_a_required_memory_is_missing(
    returned: list[str], recall: float, *, passed: bool
) -> None:
    one = session(*THREE, queries=[query("retrieval", ["m1", "m2"])])
    row = answer(one, *returned)
    assert (value(row, "evidence_recall"), row.passed) == (recall, passed)


@pytest.mark.parametrize(
    ("returned", "score"),
    [
        (["m1", "m2", "m3"], 1),
        (["m1", "m3"], 1),  # two of three, in order
        (["m3", "m1"], 0),
        (["m1"], 0),  # one memory has no order
        ([], 0),
        (["m2", "m1", "m3"], 0),
    ],
)
def test_temporal_order_needs_two_required_memories_in_order(
    returned: list[str], score: int
) -> None:
    one = session(*THREE, queries=[query("temporal", ["m1", "m2", "m3"])])
    row = answer(one, *returned)
    assert (value(row, "temporal_order_score"), row.passed) == (score, bool(score))


def test_other_memories_between_them_do_not_count() -> None:
    one = session(*THREE, queries=[query("temporal", ["m1", "m2"])])
    assert value(answer(one, "m3", "m1", "m2"), "temporal_order_score") == 1


def test_equal_times_are_in_order_either_way() -> None:
    one = session(memory("m1", "01"), memory("m2", "01"), queries=[query("temporal", ["m1", "m2"])])
    assert value(answer(one, "m2", "m1"), "temporal_order_score") == 1


def test_without_timestamps_the_order_of_the_session_counts() -> None:
    one = session(memory("m1"), memory("m2", "01"), queries=[query("temporal", ["m1", "m2"])])
    assert value(answer(one, "m1", "m2"), "temporal_order_score") == 1
    assert value(answer(one, "m2", "m1"), "temporal_order_score") == 0


def test_one_required_memory_has_no_order_but_must_come() -> None:
    """Such a query is judged as an item, and left out of the order score."""
    one = session(*THREE, queries=[query("temporal", ["m2"])])
    assert answer(one, "m2").passed
    assert not answer(one, "m1").passed
    assert value(answer(one, "m2"), "temporal_order_score") is None


REVISED = (
    memory("m1", "01"),
    memory("m2", "02", supersedes="m1"),
    memory("m3", "03", supersedes="m2"),
    memory("m4", "04"),
)


@pytest.mark.parametrize(
    ("returned", "first", "anywhere"),
    [
        (["m3"], 1, 1),
        (["m2", "m3"], 0, 1),
        (["m4", "m3"], 0, 1),
        (["m1"], 0, 0),
        ([], 0, 0),
    ],
)
def test_contradiction_asks_for_the_latest_revision_first(
    returned: list[str], first: int, anywhere: int
) -> None:
    one = session(*REVISED, queries=[query("contradiction", ["m1", "m2", "m3"])])
    row = answer(one, *returned)
    assert value(row, "contradiction_resolution_score") == first
    assert value(row, "contradiction_returned_rate") == anywhere
    assert row.passed is bool(first)


def test_a_retraction_is_the_latest_revision_too() -> None:
    """It takes the fact back without a new value; what was taken back is outdated."""
    taken_back = memory("m2", "02", supersedes="m1", text="No longer so.")
    gold = query("contradiction", ["m2"], expected_answer="No longer so.")
    one = session(memory("m1", "01"), taken_back, queries=[gold])
    assert answer(one, {"memory_id": "m2", "text": "No longer so."}).passed
    assert not answer(one, "m1").passed
    assert not answer(one).passed


def test_without_a_chain_time_tells_the_latest_and_ties_leave_both() -> None:
    gold = [query("contradiction", ["m1", "m2"])]
    apart = session(memory("m1", "01"), memory("m2", "02"), queries=gold)
    assert not answer(apart, "m1").passed
    assert answer(apart, "m2").passed
    tied = session(memory("m1", "01"), memory("m2", "01"), queries=gold)
    assert answer(tied, "m1").passed
    assert answer(tied, "m2").passed
    chained = session(memory("m1", "01"), memory("m2", "01", supersedes="m1"), queries=gold)
    assert not answer(chained, "m1").passed


@pytest.mark.parametrize(
    ("returned", "rate"),
    [
        ({"memory_id": "m1", "text": "old", "superseded": True}, 1),
        ({"memory_id": "m1", "text": "old", "superseded": "yes"}, 0),
        ({"memory_id": "m1", "text": "old"}, 0),
        ({"memory_id": "m3", "text": "new", "superseded": True}, 0),  # it is not outdated
        ({"memory_id": "m4", "text": "else", "superseded": True}, 0),
    ],
)
def test_flagged_means_an_outdated_memory_marked_as_superseded(
    returned: dict[str, Any], rate: int
) -> None:
    one = session(*REVISED, queries=[query("contradiction", ["m3"])])
    assert value(answer(one, returned), "flagged_rate") == rate


@pytest.mark.parametrize("query_type", ["retrieval", "temporal", "contradiction"])
def test_a_query_without_evidence_is_never_right_by_default(query_type: str) -> None:
    one = session(*THREE, queries=[query(query_type, None)])
    row = answer(one, "m1")
    found = measure([row])
    for metric in ("evidence_recall", "temporal_order_score", "contradiction_resolution_score"):
        assert found[metric].whole == 0
    [cell] = build_cells([row])
    assert (cell.gold_total, cell.gold_failed) == (0, 0)
    assert "evidence_recall" not in cell.metrics
    assert cell.metrics["exact_match"] == 1


def test_a_memory_of_the_adapters_own_making_needs_no_id() -> None:
    one = session(*THREE, queries=[query("retrieval", ["m1"])])
    row = answer(one, {"text": "a summary", "answer": "text of m1"})
    assert value(row, "exact_match") == 1
    assert value(row, "evidence_recall") == 0


def test_evidence_recall_is_over_memories_not_over_queries() -> None:
    """One of one and one of three: 2 / 4, not the mean of 1 and 1/3."""
    one = session(*THREE, queries=[query("retrieval", ["m1"])])
    many = session(*THREE, queries=[query("retrieval", ["m1", "m2", "m3"])])
    found = measure([answer(one, "m1"), answer(many, "m1")])
    assert found["evidence_recall"] == Measure(part=2, whole=4)


def test_latency_percentiles_are_by_nearest_rank() -> None:
    one = session(*THREE, queries=[query("retrieval", ["m1"])])
    row = answer(one)
    rows = [replace(row, evidence={**row.evidence, "latency_ms": ms}) for ms in range(100, 0, -1)]
    took = measure_latency(rows)
    assert (took.mean, took.p50, took.p95, took.p99) == (50.5, 50, 95, 99)
    with pytest.raises(ValueError, match="no row"):
        measure_latency([])
