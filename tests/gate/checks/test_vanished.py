"""A metric that a cell carried on main has not vanished."""

from __future__ import annotations

import pytest
from tests.gate.documents import PUSH, TWO, baseline, compare, run_of, survey

from brainbench_gate.checks import vanished
from brainbench_gate.findings import Status


def test_a_vanished_metric_is_a_breach() -> None:
    """Of the cell that carried it; others may go."""
    less = run_of(baseline({PUSH: {"push_precision": 1}}))
    found = vanished.check(compare(run=less))
    assert [(PUSH, "push_recall", 0.75, None)] == [
        (breach.cell, breach.metric, breach.baseline, breach.current) for breach in found.breaches
    ]
    tokens = run_of(baseline({PUSH: {"avg_injected_tokens": 3}}))
    assert () == vanished.check(compare(main=tokens, run=run_of(baseline({PUSH: {}})))).breaches


def test_a_metric_of_a_vanished_cell_is_the_rules_to_tell() -> None:
    """They say it once."""
    gone = run_of(baseline({}, {}), {})
    assert () == vanished.check(compare(run=gone)).breaches


def test_a_metric_may_vanish_between_the_grounds_neither() -> None:
    """The tree's run is held to the one on base's ground."""
    less = run_of(baseline({PUSH: {"push_precision": 1}}, fixtures_hash=TWO))
    assert ["push_recall"] == [
        breach.metric for breach in vanished.check(compare(new_run=less)).breaches
    ]


def test_a_value_of_an_empty_denominator_may_vanish() -> None:
    """It was no measurement."""
    empty = run_of(baseline({PUSH: {"push_precision": 1, "push_recall": 0}}))
    rest = run_of(baseline({PUSH: {"push_recall": 0}}))
    assert () == vanished.check(compare(main=empty, run=rest)).breaches


def test_without_main_nothing_can_vanish() -> None:
    """It is told as not measured."""
    assert Status.NOTE is vanished.check(compare(forget_main=True)).status


@pytest.mark.parametrize(
    ("metric", "metrics", "empty", "was"),
    [
        ("provenance_accuracy", {"write_back_fidelity": 0, "provenance_accuracy": 1}, (), True),
        ("provenance_accuracy", {"write_back_fidelity": 0.5, "provenance_accuracy": 1}, (), False),
        ("push_precision", {"push_precision": 1, "push_recall": 0}, (), True),
        ("push_precision", {"push_precision": 0.9, "push_recall": 0}, (), False),
        ("push_precision", {"push_precision": 1, "push_recall": 0.1}, (), False),
        ("push_recall", {"push_recall": 1}, ("push_recall",), True),
        ("push_recall", {"push_recall": 1}, (), False),
    ],
)
def test_an_empty_denominator_is_no_value(
    metric: str, metrics: dict[str, float], empty: tuple[str, ...], was: bool
) -> None:
    """The formula's convention may go."""
    assert was == vanished.was_empty(metric, metrics, survey(empty=empty))
    if metric == "push_recall":
        assert not vanished.was_empty(metric, metrics, None)
