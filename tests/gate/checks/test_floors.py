"""A floor holds up to its bound, and one that bounds nothing is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.gate.checks.runs import WORSE
from tests.gate.documents import POLICY, PUSH, baseline, compare

from brainbench_gate.checks import floors
from brainbench_gate.findings import Status
from brainbench_gate.rules import Verdict
from brainbench_schema.errors import InvalidInputError


@pytest.mark.parametrize(
    ("bounds", "crossed"),
    [
        ({"push_recall": 0.75}, 0),
        ({"push_recall": 0.7501}, 1),
        ({PUSH: {"push_recall": 0.75}}, 0),
        ({PUSH: {"push_recall": 0.76, "push_precision": 1}}, 1),
        ({"false_fire_rate": 0.2}, 0),
        ({"false_fire_rate": 0.1999}, 1),
        ({"unknown_metric": 0.4}, 0),
        ({"unknown_metric": 0.6}, 1),
    ],
)
def test_a_floor_holds_up_to_its_bound(
    bounds: dict[str, float | dict[str, float]], crossed: int
) -> None:
    """For what is better lower it is a ceiling; what nobody declared is better higher."""
    metrics = {"push_precision": 1, "push_recall": 0.75, "false_fire_rate": 0.2}
    document = baseline({PUSH: {**metrics, "unknown_metric": 0.5}})
    policy = replace(POLICY, floors=bounds)
    assert crossed == len(list(floors.find_crossed(policy, document)))


def test_a_floor_follows_the_direction_of_the_policy() -> None:
    """More metrics can be gated, lower ones too."""
    policy = replace(POLICY, floors={"cost": 1}, gated={"cost": "lower"})
    [found] = floors.find_crossed(policy, baseline({PUSH: {"cost": 2}}))
    assert (True, 2, 1) == (found.lower_is_better, found.value, found.bound)


@pytest.mark.parametrize(
    "bounds", [{"nope": 1}, {"codex/nope": {"push_recall": 1}}, {PUSH: {"x": 1}}]
)
def test_a_floor_that_bounds_nothing_is_refused(
    bounds: dict[str, float | dict[str, float]],
) -> None:
    """By file and pointer."""
    policy = replace(POLICY, floors=bounds)
    assert [] == list(floors.find_crossed(policy, baseline()))
    with pytest.raises(InvalidInputError, match=r"brainbench\.yml#/floors/"):
        floors.check(compare(policy=policy))


def test_crossing_a_floor_is_a_regression() -> None:
    """As far as main is beyond it already it is a note."""
    policy = replace(POLICY, floors={"push_recall": 0.75})
    assert "every bound holds" == floors.check(compare(policy=policy)).text
    assert "the policy sets none" == floors.check(compare()).text
    found = floors.check(compare(run=WORSE, policy=policy))
    assert (Verdict.REGRESSION, "floor") == (found.verdict, found.reason)
    same = floors.check(compare(main=WORSE, run=WORSE, policy=policy))
    assert Status.NOTE is same.status
    assert (
        Verdict.REGRESSION
        is floors.check(compare(run=WORSE, policy=policy, forget_main=True)).verdict
    )


@pytest.mark.parametrize(
    ("lower", "value", "bound", "same", "no_worse"),
    [
        (False, 0.5, 0.7, True, True),
        (False, 0.6, 0.7, True, True),
        (False, 0.4, 0.7, True, False),
        (False, 0.5, 0.8, True, False),
        (True, 0.5, 0.7, True, True),
        (True, 0.6, 0.7, True, False),
        (True, 0.5, 0.6, True, False),
        (False, 0.5, 0.7, False, False),
    ],
)
def test_no_worse_than_what_is_known(
    lower: bool, value: float, bound: float, same: bool, no_worse: bool
) -> None:
    """Neither the value nor the bound moved for the worse, in the same place."""
    known = floors.Crossing(cell=PUSH, metric="m", value=0.5, bound=0.7, lower_is_better=lower)
    found = replace(known, value=value, bound=bound, metric="m" if same else "n")
    assert no_worse == found.is_no_worse(known)
