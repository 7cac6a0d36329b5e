"""Several replays settled to one document, and replays that are asked to be equal."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest
from tests.gate.documents import (
    FILES,
    POLICY,
    PUSH,
    TWO,
    baseline,
    items_of,
    leaking,
    run_of,
)

from brainbench_gate.noise import Accepted, settle, settle_value
from brainbench_gate.repeats import find_differences, measure_ground
from brainbench_gate.rules import ISOLATION

if TYPE_CHECKING:
    from brainbench_gate.measured import CorpusFiles, Measured, Survey
    from brainbench_schema.baseline import Baseline
    from brainbench_schema.policy import Policy


def at(recall: float, failed: int, *items: str) -> Measured:
    """A run with this recall, these many failures, these failed items."""
    document = baseline({PUSH: {"push_recall": recall}}, {PUSH: (4, failed)})
    return run_of(document, {PUSH: items})


LOW, MID, HIGH = at(0.5, 2, "f#1:a", "f#2:b"), at(0.75, 1, "f#1:a"), at(1, 0)


def numbers(run: Measured) -> Baseline:
    """The settled numbers, which there have to be."""
    assert run.numbers is not None
    return run.numbers


@pytest.mark.parametrize(
    ("values", "accepted", "settled"),
    [
        ([1, 2, 3], [2.5], 2.5),
        ([1, 2, 3], [3], 3),
        ([1, 2, 3], [1], 1),
        ([1, 2, 3], [3.1, 1.5], 1.5),
        ([1, 2, 3], [None, 1.5], 1.5),
        ([1, 2, 3], [0, 4], 2),
        ([1, 2, 3], [], 2),
        ([4, 1, 3, 2], [], 2),
        ([2, 2], [3], 2),
    ],
)
def test_a_value_within_the_spread_stays(
    values: list[float], accepted: list[float | None], settled: float
) -> None:
    """Committed's first, then main's, else the median of what was seen."""
    assert settled == settle_value(values, accepted)


def test_one_replay_is_taken_as_it_is() -> None:
    """Nothing is settled."""
    assert MID is settle([MID], [Accepted(baseline=baseline())])


def test_metrics_counts_and_items_are_settled_each() -> None:
    """Within the spread the accepted ones stay, whatever the median is."""
    runs = [LOW, MID, HIGH]
    free = settle(runs)
    assert {"push_recall": 0.75} == numbers(free).cells[PUSH]
    assert (4, 1) == (numbers(free).counts[PUSH].gold_total, numbers(free).counts[PUSH].gold_failed)
    assert {PUSH: ("f#1:a",)} == free.failed
    held = settle(runs, [_accept(LOW)])
    assert {"push_recall": 0.5} == numbers(held).cells[PUSH]
    assert 2 == numbers(held).counts[PUSH].gold_failed
    assert LOW.failed == held.failed
    assert numbers(settle(runs, [_accept(LOW), _accept(HIGH)])) == numbers(held)


def test_what_all_replays_agree_on_is_not_taken_back() -> None:
    """An accepted value outside the spread has no say."""
    settled = settle([LOW, LOW, LOW], [_accept(HIGH)])
    assert 0.5 == numbers(settled).cells[PUSH]["push_recall"]
    assert LOW.failed == settled.failed
    assert () == settled.unstable


def test_a_baseline_of_other_ground_has_no_say() -> None:
    """Another corpus, or another coverage."""
    for other in (
        replace(baseline(), fixtures_hash=TWO),
        replace(baseline(), config=replace(baseline().config, llm=True)),
    ):
        accepted = [Accepted(baseline=replace(other, cells=HIGH_CELLS))]
        assert 0.75 == numbers(settle([LOW, MID, HIGH], accepted)).cells[PUSH]["push_recall"]


HIGH_CELLS: dict[str, dict[str, float]] = {PUSH: {"push_recall": 1}}


def test_an_accepted_baseline_without_the_cell_or_items_has_no_say_in_it() -> None:
    """The median and the majority decide."""
    bare = Accepted(baseline=baseline({}, {}), items=None)
    empty = Accepted(baseline=baseline({}, {}), items=replace(items_of(MID), cells={}))
    for accepted in ([bare], [empty]):
        found = settle([LOW, MID, MID], accepted)
        assert 0.75 == numbers(found).cells[PUSH]["push_recall"]
        assert {PUSH: ("f#1:a",)} == found.failed


def test_an_even_split_counts_as_a_failure() -> None:
    """Fail closed."""
    assert {PUSH: ("f#1:a",)} == settle([MID, HIGH]).failed


def test_leaks_take_the_maximum() -> None:
    """And the rows that show them stand for the run."""
    runs = [
        run_of(baseline({PUSH: {ISOLATION: leaks}}), rows=(leaking(),) * leaks)
        for leaks in (0, 2, 1)
    ]
    found = settle(runs, [_accept(runs[0])])
    assert 2 == numbers(found).cells[PUSH][ISOLATION]
    assert 2 == len(found.result.turn_rows)


def test_what_one_replay_lacks_was_not_measured() -> None:
    """Cells and metrics have to be in all of them."""
    more = run_of(baseline({PUSH: {"push_recall": 1, "x": 1}, "codex/write-back": {}}))
    less = run_of(baseline({PUSH: {"push_recall": 1}}), {PUSH: ()})
    found = settle([more, less])
    assert {PUSH: {"push_recall": 1}} == numbers(found).cells
    assert [PUSH] == list(found.failed)


def test_an_unstable_system_is_named_by_what_moved() -> None:
    """Numbers with their spread, items with how often they fail."""
    assert (
        "codex/push push_recall: 0.5 to 1",
        "f#1:a (codex/push): fails in 2 of 3",
        "f#2:b (codex/push): fails in 1 of 3",
    ) == settle([LOW, MID, HIGH]).unstable


def _accept(run: Measured) -> Accepted:
    return Accepted(baseline=baseline_of(run), items=items_of(run))


def baseline_of(run: Measured) -> Baseline:
    """The baseline of a run."""
    cell = run.result.cells[0]
    return baseline({PUSH: dict(cell.metrics)}, {PUSH: (cell.gold_total, cell.gold_failed)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequence:
    """A bench that gives one run after the other."""

    runs: list[Measured] = field(default_factory=list)

    def measure(self, policy: Policy, corpus: CorpusFiles) -> Measured:  # noqa: ARG002
        """Give the next run."""
        return self.runs.pop(0)

    def survey(self, policy: Policy, corpus: CorpusFiles) -> Survey:  # noqa: ARG002
        """Give the survey of the next run."""
        return self.runs[0].survey


def test_a_ground_is_measured_as_often_as_asked() -> None:
    """Once; as the policy says; and at least twice to verify."""
    bench = Sequence(runs=[LOW, MID, HIGH, LOW, MID, HIGH])
    once = measure_ground(bench, POLICY, FILES)
    assert (LOW, 5) == (once, len(bench.runs))
    thrice = measure_ground(bench, replace(POLICY, repeats=3), FILES)
    assert (0.75, None, 2) == (
        numbers(thrice).cells[PUSH]["push_recall"],
        thrice.differing,
        len(bench.runs),
    )
    verified = measure_ground(bench, POLICY, FILES, verify=True)
    assert (None, ("cells/0",)) == (verified.numbers, verified.differing)


def test_equal_replays_differ_in_nothing() -> None:
    """Time, latencies and the commit aside; all else counts, by its place."""
    one = run_of(rows=(leaking(),)).result
    later = replace(
        one,
        receipt=replace(one.receipt, ts="2026-01-01T00:00:00Z", harness_sha="c" * 40),
        turn_rows=(replace(one.turn_rows[0], latency_ms=5),),
    )
    assert [] == list(find_differences(one, later))
    other = replace(later, turn_rows=(replace(later.turn_rows[0], injected_tokens=9),))
    assert ["turn_rows/0"] == list(find_differences(one, other))
    assert ["turn_rows"] == list(find_differences(one, replace(one, turn_rows=())))
    assert ["_meta"] == list(find_differences(one, replace(one, versions={"x": "1"})))
