"""A result that was measured elsewhere is held against its dataset."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.recall.making import FACTS

from brainbench_replay.recall.adapters.registry import Setting
from brainbench_replay.recall.audit import list_discrepancies
from brainbench_replay.recall.dataset import read_sessions
from brainbench_replay.recall.run import Plan, measure_recall, survey
from brainbench_schema.result import parse_result

if TYPE_CHECKING:
    from brainbench_schema.result import Result

DATASET = Path(__file__).parents[2] / "evals" / "braincore" / "synthetic_benchmark.jsonl"


@pytest.fixture(scope="module")
def result() -> Result:
    """A result of the baseline, as it is read from a file."""
    plan = Plan(adapter="keyword", dataset=DATASET)
    measured = measure_recall(plan, survey(plan), Setting(), FACTS)
    return parse_result(measured.serialize(), "result.json")


def _audit(result: Result) -> list[str]:
    return list_discrepancies(result, read_sessions(DATASET))


def _with_row(result: Result, place: int, **changes: Any) -> Result:
    rows = list(result.item_rows)
    rows[place] = replace(rows[place], **changes)
    return replace(result, item_rows=tuple(rows))


def _with_evidence(result: Result, place: int, **changes: Any) -> Result:
    return _with_row(result, place, evidence={**result.item_rows[place].evidence, **changes})


def _failed_place(result: Result) -> int:
    return next(place for place, row in enumerate(result.item_rows) if not row.passed)


def test_an_honest_result_holds_together(result: Result) -> None:
    assert _audit(result) == []


def test_a_failure_called_a_pass_is_found(result: Result) -> None:
    place = _failed_place(result)
    item = result.item_rows[place].item
    told = _audit(_with_row(result, place, passed=True))
    assert told == [f"{item}: passed is not what its evidence says"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"required": None}, "the gold is not the dataset's"),
        ({"expected": ["x"]}, "the gold is not the dataset's"),
        ({"found": ["m99"]}, "what was found can't be"),
        ({"returned": 0, "found": ["m01", "m02"]}, "what was found can't be"),
        ({"found": None}, "what was found can't be"),
    ],
)
def test_evidence_that_does_not_fit_is_found(
    result: Result, changes: dict[str, Any], message: str
) -> None:
    place = _failed_place(result)
    assert message in _audit(_with_evidence(result, place, **changes))[0]


def test_a_missing_a_strange_and_a_doubled_row_are_found(result: Result) -> None:
    first, *rest = result.item_rows
    assert _audit(replace(result, item_rows=tuple(rest))) == [f"{first.item}: has no row"]
    strange = replace(first, item="x/q1")
    told = _audit(replace(result, item_rows=(*result.item_rows, strange)))
    assert told == ["x/q1: is no query of the dataset"]
    assert "an item has two rows" in _audit(replace(result, item_rows=(first, first, *rest)))


def test_rows_of_another_adapter_are_found(result: Result) -> None:
    assert _audit(_with_row(result, 0, harness="other")) == ["rows are of other, not of keyword"]


def test_cells_that_rows_do_not_come_to_are_found(result: Result) -> None:
    first, *rest = result.cells
    better = replace(first, gold_failed=0)
    told = _audit(replace(result, cells=(better, *rest)))
    assert told == ["the cells are not what the rows come to"]
