"""What of base still stands: only what both its files count can be stale."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.gate.documents import POLICY, baseline, ground_of, run_of

from brainbench_gate.standing import find_stale


def test_a_foreign_suite_is_not_counted() -> None:
    """Nor is a cell without an item list."""
    run = run_of(baseline({"codex/answers": {"f1": 1}}), {"codex/answers": ("q",)})
    ground = ground_of(run)
    assert "" == find_stale(ground.baseline, ground.items, None, run.survey)
    assert "" == find_stale(None, None, None, run.survey)


@pytest.mark.parametrize(
    ("main", "policy"),
    [
        ({}, {"suites": ("push", "know-to-ask")}),
        ({}, {"harnesses": ("codex", "openclaw")}),
        ({"suites": ("know-to-ask", "push")}, {}),
        ({"harnesses": ("codex", "openclaw")}, {}),
        ({"include_holdout": True}, {}),
    ],
    ids=str,
)
def test_a_baseline_of_other_cells_than_the_policy_asks_for_is_stale(
    main: dict[str, Any], policy: dict[str, Any]
) -> None:
    """Two pull requests that merged one after the other: a policy, and a baseline from before."""
    run = run_of()
    ground = ground_of(run)
    assert ground.baseline is not None
    other = replace(ground.baseline, config=replace(ground.baseline.config, **main))
    asked = replace(POLICY, **policy)
    told = find_stale(other, None, asked, run.survey)
    assert "base's baseline covers other harnesses or suites than base's own policy" == told
    assert "" == find_stale(other, None, None, run.survey)


def test_the_order_in_which_a_policy_names_cells_is_nothing() -> None:
    """A baseline has them sorted."""
    config = replace(baseline().config, harnesses=("codex", "openclaw"))
    main = replace(baseline(), config=config)
    asked = replace(POLICY, harnesses=("openclaw", "codex"))
    assert "" == find_stale(main, None, asked, run_of().survey)
