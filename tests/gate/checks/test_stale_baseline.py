"""A gain that the committed baseline lacks is noted, or fails where the policy says so."""

from __future__ import annotations

from dataclasses import replace

from tests.gate.checks.runs import BETTER, MAIN, NEW, WORSE
from tests.gate.documents import BLOB, POLICY, PUSH, baseline, compare, ground_of, run_of

from brainbench_gate.checks import stale_baseline
from brainbench_gate.findings import Status
from brainbench_gate.rules import Verdict


def test_a_gain_is_noted_or_fails() -> None:
    """In numbers and in items, against what is committed."""
    found = stale_baseline.check(compare(run=BETTER))
    assert Status.NOTE is found.status
    assert ("codex/push push_recall 0.75 → 1", "fixed: f#1:a (codex/push)") == found.lines
    strict = replace(POLICY, stale_baseline="fail")
    failing = stale_baseline.check(compare(run=BETTER, policy=strict))
    assert (Verdict.INCONCLUSIVE, "stale-baseline") == (failing.verdict, failing.reason)
    assert Status.PASS is stale_baseline.check(compare(run=WORSE)).status


def test_a_banked_gain_is_none() -> None:
    """The committed files hold it."""
    banked = ground_of(BETTER, against=BLOB)
    assert Status.PASS is stale_baseline.check(compare(run=BETTER, tree=banked)).status


def test_without_a_committed_baseline_main_is_compared_with() -> None:
    """On the same corpus only."""
    bare = replace(ground_of(MAIN), baseline=None, items=None)
    lines = stale_baseline.check(compare(run=BETTER, tree=bare)).lines
    assert ("codex/push push_recall 0.75 → 1",) == lines
    assert () == stale_baseline.check(compare(tree=bare, new_run=NEW)).lines
    assert () == stale_baseline.check(compare(run=BETTER, tree=bare, forget_main=True)).lines


def test_ungated_and_new_metrics_are_no_gain() -> None:
    """Nor is a lower value of what is better higher."""
    main = run_of(baseline({PUSH: {"avg_injected_tokens": 5, "false_fire_rate": 0.5}}))
    run = run_of(
        baseline({PUSH: {"avg_injected_tokens": 1, "false_fire_rate": 0.4, "push_recall": 1}})
    )
    lines = stale_baseline.check(compare(main=main, run=run)).lines
    assert ("codex/push false_fire_rate 0.5 → 0.4",) == lines


def test_on_changed_ground_items_are_not_asked_for() -> None:
    """They are of another corpus."""
    new = run_of(
        baseline({PUSH: {"push_precision": 1, "push_recall": 1}}, {PUSH: (4, 0)}), {PUSH: ()}
    )
    lines = stale_baseline.check(compare(run=BETTER, new_run=new)).lines
    assert ("codex/push push_recall 0.75 → 1",) == lines
