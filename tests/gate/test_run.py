"""The run: two grounds in, one verdict out, whatever of them can't be measured."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest
from tests.gate.documents import (
    BLOB,
    FILES,
    OTHER_FILES,
    REASON,
    TWO,
    FixedBench,
    baseline,
    ground_of,
    run_of,
)

from brainbench_gate.rules import Verdict
from brainbench_gate.run import is_fresh, judge_change
from brainbench_schema.errors import MemorySystemError, SystemStartError

if TYPE_CHECKING:
    from brainbench_gate.measured import CorpusFiles, Measured, Survey
    from brainbench_gate.verdict import BenchmarkVerdict
    from brainbench_schema.policy import Policy


def test_a_bare_run_is_judged_on_default_terms() -> None:
    """Nothing of a repository is needed."""
    run = run_of()
    ground = ground_of(run)
    verdict, measured = judge_change(ground, ground, FixedBench(runs=[(FILES, run)]))
    assert (Verdict.PASS, run) == (verdict.verdict, measured)
    stale = (
        replace(ground, items=replace(ground.items, fixtures_hash=TWO)) if ground.items else ground
    )
    verdict, _ = judge_change(stale, stale, FixedBench(runs=[(FILES, run)]))
    [committed] = [finding for finding in verdict.checks if finding.name == "committed-files"]
    assert "its history is not known here" in committed.text


def test_without_main_nothing_is_measured_on_its_ground() -> None:
    """A stale one, on changed ground."""
    run = run_of()
    base = ground_of(run_of(baseline(fixtures_hash=TWO)))
    new = run_of(baseline(fixtures_hash=TWO))
    tree = ground_of(
        new, corpus=OTHER_FILES, against=BLOB, justification="stale-main: two blessings merged"
    )
    bench = FixedBench(runs=[(OTHER_FILES, new), (FILES, run)])
    verdict, _ = judge_change(tree, base, bench)
    assert (Verdict.PASS, "not-measured") == (verdict.verdict, verdict.reason)


def test_an_entry_that_fails_alike_on_both_grounds_is_raised() -> None:
    """It is not gone: the code fails."""
    new = run_of(baseline(fixtures_hash=TWO))
    tree = ground_of(new, corpus=OTHER_FILES)
    bench = FixedBench(runs=[(OTHER_FILES, new), (FILES, MemorySystemError("crashed"))])
    with pytest.raises(MemorySystemError):
        judge_change(tree, ground_of(run_of()), bench)


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedBench:
    """Base's entry fails; the tree's own gives a run."""

    run: Measured
    failure: Exception

    def measure(self, policy: Policy, corpus: CorpusFiles) -> Measured:  # noqa: ARG002
        """Tell the two entries apart by name."""
        if policy.system != "moved":
            raise self.failure
        return self.run

    def survey(self, policy: Policy, corpus: CorpusFiles) -> Survey:  # noqa: ARG002
        """The run's."""
        return self.run.survey


def judge_moved(failure: Exception) -> BenchmarkVerdict:
    """Judge a tree whose system is another one, where base's fails like this."""
    run = run_of()
    tree, base = ground_of(run), ground_of(run)
    assert tree.policy is not None
    moved = replace(tree, policy=replace(tree.policy, system="moved"))
    verdict, _ = judge_change(moved, base, MovedBench(run=run, failure=failure))
    return verdict


def test_only_an_entry_that_can_not_start_is_gone() -> None:
    """One that starts and then fails is broken code, and nothing stands in for it."""
    told = [line for check in judge_moved(SystemStartError("not there")).checks
            for line in check.lines]  # fmt: skip
    assert any("can't start here: not there" in line for line in told)
    with pytest.raises(MemorySystemError, match="turn 3"):
        judge_moved(MemorySystemError("crashed at turn 3"))


@pytest.mark.parametrize(
    ("items", "own", "base", "fresh"),
    [(False, REASON, REASON, False), (False, REASON, "another", True), (True, REASON, None, True)],
)
def test_freshness_without_items_or_blob(
    items: bool, own: str, base: str | None, fresh: bool
) -> None:
    """The same string as main's is stale; without a base baseline nothing can be."""
    worse = run_of(baseline({"codex/push": {"push_recall": 0.5}}))
    tree = ground_of(worse, justification=own)
    main = ground_of(run_of(), justification=base)
    if not items:
        tree, main = replace(tree, items=None), replace(main, items=None)
    else:
        main = replace(main, baseline=None, baseline_blob=None)
    assert fresh == is_fresh(tree, main, lambda one: True)
