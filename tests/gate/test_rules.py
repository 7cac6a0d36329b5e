"""The core rules, one by one: passing, failing, boundary, missing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.gate.documents import ONE, PUSH, TWO, baseline

from brainbench_gate.movements import describe_moves, find_movements
from brainbench_gate.rules import (
    GATED,
    ISOLATION,
    Breach,
    Judgement,
    Mode,
    Verdict,
    find_breaches,
    judge,
)
from brainbench_schema.baseline import Config

MAIN = baseline()
WORSE = baseline({PUSH: {"push_precision": 1, "push_recall": 0.5}}, {PUSH: (4, 2)})
BETTER = baseline({PUSH: {"push_precision": 1, "push_recall": 1}}, {PUSH: (4, 0)})


def test_rule_1_a_leak_is_a_breach_whatever_main_says() -> None:
    """Reported with baseline 0, on main as well; none is fine, and so is a missing count."""
    leaky = baseline({PUSH: {ISOLATION: 2}})
    assert [Breach(cell=PUSH, metric=ISOLATION, baseline=0, current=2)] == list(
        find_breaches(leaky, leaky)
    )
    assert [] == list(find_breaches(baseline({PUSH: {ISOLATION: 0}}), leaky))
    assert [] == list(find_breaches(MAIN, MAIN))


def test_rule_1_applies_where_nothing_else_can_be_compared() -> None:
    """Another config hides no leak."""
    leaky = baseline({PUSH: {ISOLATION: 1}})
    other = replace(leaky, config=replace(leaky.config, llm=True))
    assert [ISOLATION] == [breach.metric for breach in find_breaches(leaky, other)]


@pytest.mark.parametrize(
    "change",
    [
        {"include_holdout": True},
        {"llm": True},
        {"harnesses": ("codex", "openclaw")},
        {"suites": ("push", "write-back")},
    ],
)
def test_rule_2_runs_of_other_coverage_are_not_compared(change: dict[str, object]) -> None:
    """Each part of the config counts; the order of its names doesn't."""
    other = Config.from_json({**MAIN.config.to_json(), **change})
    found = judge(replace(MAIN, config=other), MAIN, None)
    assert (Verdict.INCONCLUSIVE, "config-differs") == (found.verdict, found.reason)


def test_rule_3_a_missing_cell_is_a_breach() -> None:
    """Told as its failed count, with nothing in its place; a new cell is none."""
    two = baseline({PUSH: {}, "codex/write-back": {}}, {PUSH: (4, 1), "codex/write-back": (2, 0)})
    one = replace(MAIN, config=two.config)
    gone = [Breach(cell="codex/write-back", metric="gold_failed", baseline=0, current=None)]
    assert gone == list(find_breaches(one, two))
    assert [] == list(find_breaches(two, one))


@pytest.mark.parametrize(
    ("counts", "fixtures_hash", "metrics"),
    [
        ((4, 1), ONE, []),
        ((4, 0), ONE, []),
        ((4, 2), ONE, ["gold_failed"]),
        ((5, 1), ONE, ["gold_total"]),
        ((3, 1), ONE, ["gold_total"]),
        ((4, 2), TWO, []),
        ((5, 3), TWO, []),
        ((3, 0), TWO, ["gold_total"]),
    ],
)
def test_rule_3_counts(counts: tuple[int, int], fixtures_hash: str, metrics: list[str]) -> None:
    """Same corpus: no more failures, and exactly as many items; another: no fewer items."""
    current = baseline(None, {PUSH: counts}, fixtures_hash=fixtures_hash)
    assert metrics == [breach.metric for breach in find_breaches(current, MAIN)]


@pytest.mark.parametrize("metric", GATED)
@pytest.mark.parametrize("fixtures_hash", [ONE, TWO])
def test_rule_3_gated_metrics(metric: str, fixtures_hash: str) -> None:
    """An adverse move is a breach in both modes, of the smallest step; others are none."""
    main = baseline({PUSH: {metric: 0.5}})
    step = 0.0001 if GATED[metric] == "lower" else -0.0001
    for moved, breaches in ((step, 1), (0, 0), (-step, 0)):
        current = baseline({PUSH: {metric: 0.5 + moved}}, fixtures_hash=fixtures_hash)
        assert breaches == len(list(find_breaches(current, main)))
    bare = baseline({PUSH: {}})
    assert [] == list(find_breaches(bare, main))
    assert [] == list(find_breaches(main, bare))


def test_rule_3_other_metrics_are_reported_only() -> None:
    """Unless the policy gates them, in the direction that it says."""
    main, more = (baseline({PUSH: {"answer_f1": value}}) for value in (0.5, 0.6))
    assert [] == list(find_breaches(more, main))
    assert 1 == len(list(find_breaches(more, main, gated={"answer_f1": "lower"})))
    assert [] == list(find_breaches(more, main, gated={"answer_f1": "higher"}))


def test_rule_4_another_corpus_needs_a_baseline_that_the_run_backs() -> None:
    """Missing, other, equal; worse ones need a reason or an allowance."""
    moved = replace(MAIN, fixtures_hash=TWO)
    worse = replace(WORSE, fixtures_hash=TWO)
    cases = {
        "baseline-missing": judge(moved, MAIN, None),
        "baseline-not-backed": judge(moved, MAIN, worse),
        "held": judge(moved, MAIN, replace(moved, justification="any")),
        "regression": judge(worse, MAIN, worse),
        "justified": judge(worse, MAIN, replace(worse, justification="any")),
        "allowed": judge(worse, MAIN, worse, allowance="any"),
    }
    for reason, found in cases.items():
        assert (reason, Mode.CORPUS_BLESS) == (found.reason, found.mode)
    assert ("worse, with a reason to review: any",) == cases["justified"].notes


def test_rule_5_an_edited_baseline_is_backed_by_the_run() -> None:
    """Whatever hash it carries; its reason counts only then."""
    edited = replace(WORSE, justification="any")
    assert "justified" == judge(WORSE, MAIN, edited).reason
    assert "regression" == judge(WORSE, MAIN, WORSE).reason
    assert "baseline-not-backed" == judge(MAIN, MAIN, edited).reason
    assert "baseline-not-backed" == judge(WORSE, MAIN, replace(edited, fixtures_hash=TWO)).reason
    assert "held" == judge(BETTER, MAIN, BETTER).reason


def test_rule_6_otherwise_breaches_decide() -> None:
    """A committed file that is main's own brings no reason along."""
    own = replace(MAIN, justification="any")
    assert (Verdict.PASS, "held") == _short(judge(MAIN, MAIN, None))
    assert (Verdict.REGRESSION, "regression") == _short(judge(WORSE, MAIN, None))
    assert (Verdict.REGRESSION, "regression") == _short(judge(WORSE, MAIN, own))
    assert (Verdict.PASS, "allowed") == _short(judge(WORSE, MAIN, None, allowance="trial"))
    assert (Verdict.REGRESSION, "regression") == _short(judge(WORSE, MAIN, None, allowance=""))


def _short(found: Judgement) -> tuple[Verdict, str]:
    return found.verdict, found.reason


def test_a_leak_let_through_by_a_reason_says_that_the_gate_accepts_none() -> None:
    """`compare` knows the core rules only."""
    leaky = replace(WORSE, cells={PUSH: {**WORSE.cells[PUSH], ISOLATION: 1}}, justification="any")
    found = judge(leaky, MAIN, leaky)
    assert Verdict.PASS is found.verdict
    assert any("`brainbench gate` accepts none" in note for note in found.notes)


def test_movements_are_sorted_and_complete() -> None:
    """Counts first, then rates; cells and metrics by name; equal documents give none."""
    older = baseline({"a/x": {"m": 1}, "b/y": {"m": 1, "n": 2}}, {"a/x": (1, 0), "b/y": (2, 0)})
    newer = baseline({"b/y": {"m": 3, "o": 2}, "c/z": {}}, {"b/y": (2, 1), "c/z": (1, 1)})
    found = [(move.section, move.cell, move.name) for move in find_movements(older, newer)]
    assert [
        ("counts", "a/x", ""),
        ("counts", "b/y", "gold_failed"),
        ("counts", "c/z", ""),
        ("cells", "a/x", ""),
        ("cells", "b/y", "m"),
        ("cells", "b/y", "n"),
        ("cells", "b/y", "o"),
        ("cells", "c/z", ""),
    ] == found
    assert [] == find_movements(older, older)


def test_moves_are_told_one_a_line() -> None:
    """Corpus and coverage too; a cell that came or went is told once."""
    older = baseline({"a/x": {"m": 1}, "b/y": {"m": 1}}, {"a/x": (1, 0), "b/y": (2, 0)})
    newer = replace(
        baseline({"b/y": {"m": 0.5, "o": 2}, "c/z": {}}, {"b/y": (2, 0), "c/z": (1, 1)}),
        fixtures_hash=TWO,
    )
    assert [
        "corpus: 111111111111 → 222222222222",
        "config: other harnesses, suites or holdout",
        "a/x: gone",
        "c/z: new",
        "b/y m: 1 → 0.5",
        "b/y o: nothing → 2",
    ] == list(describe_moves(older, newer))
