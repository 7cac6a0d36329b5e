"""What holds for any pair of documents: checks only make stricter, and order never matters."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.gate.documents import (
    BLOB,
    FILES,
    ONE,
    OTHER_FILES,
    POLICY,
    REASON,
    TWO,
    FixedBench,
    baseline,
    ground_of,
    run_of,
    survey,
)

from brainbench_gate.baseline import read_numbers
from brainbench_gate.checks import CHECKS
from brainbench_gate.findings import Finding, Status
from brainbench_gate.noise import settle_value
from brainbench_gate.rules import GATED, ISOLATION, Breach, Judgement, Mode, Verdict, judge
from brainbench_gate.run import judge_change
from brainbench_gate.verdict import SEVERITY, compose
from brainbench_schema.baseline import Baseline, Counts, parse_baseline
from brainbench_schema.errors import BrainbenchError
from brainbench_schema.result import Skipped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from brainbench_gate.ground import Ground
    from brainbench_gate.measured import Measured

CELLS = ("codex/push", "codex/know-to-ask", "openclaw/push")
METRICS = ("push_precision", "push_recall", "false_fire_rate", "avg_injected_tokens")
STRAY = "f#1+x"
ITEMS = ("f#1:a", "f#2:b", "f#3:c", "f#4:d", STRAY)
POLICIES = replace(POLICY, harnesses=("codex", "openclaw"), suites=("push", "know-to-ask"))
RATES = st.integers(0, 4).map(lambda quarter: quarter / 4)


@st.composite
def documents(draw: st.DrawFn, *, fixtures_hash: str = ONE, leaks: bool = False) -> Baseline:
    """A baseline of any of the cells, with any of the metrics."""
    cells = draw(st.lists(st.sampled_from(CELLS), unique=True, min_size=1))
    metrics = {}
    counts = {}
    for cell in cells:
        names = draw(st.lists(st.sampled_from(METRICS), unique=True))
        metrics[cell] = {name: draw(RATES) for name in names}
        if leaks and draw(st.booleans()):
            metrics[cell][ISOLATION] = draw(st.integers(0, 1))
        total = draw(st.integers(3, 5))
        counts[cell] = (total, draw(st.integers(0, total)))
    made = baseline(metrics, counts, fixtures_hash=fixtures_hash)
    config = replace(made.config, harnesses=("codex", "openclaw"), suites=("know-to-ask", "push"))
    return replace(made, config=config)


@st.composite
def runs(draw: st.DrawFn, *, fixtures_hash: str = ONE, leaks: bool = True) -> Measured:
    """A run whose counts are those of its failed items."""
    document = draw(documents(fixtures_hash=fixtures_hash, leaks=leaks))
    failed = {cell: draw(st.lists(st.sampled_from(ITEMS), unique=True)) for cell in document.counts}
    counts = {
        cell: Counts(gold_total=4, gold_failed=len(set(ids) - {STRAY}))
        for cell, ids in failed.items()
    }
    able = draw(st.sampled_from([frozenset({"push"}), frozenset({"push", "sources"})]))
    surveyed = survey(fixtures_hash=fixtures_hash)
    return run_of(
        replace(document, counts=counts),
        failed,
        capabilities=able,
        surveyed=replace(surveyed, items=dict.fromkeys(POLICIES.suites, surveyed.items["push"])),
        skipped=tuple(
            Skipped(suite=suite, harness=harness, reason="no items")
            for harness in POLICIES.harnesses
            for suite in POLICIES.suites
            if f"{harness}/{suite}" not in counts
        ),
    )


@st.composite
def grounds(draw: st.DrawFn) -> tuple[Ground, Ground, FixedBench]:
    """A tree, a base and what is measured of both; files of the tree may be anything."""
    main, run = draw(runs(leaks=False)), draw(runs())
    policy = replace(
        POLICIES,
        floors=draw(st.sampled_from([{}, {"push_recall": 0.5}])),
        stale_baseline=draw(st.sampled_from(["note", "fail"])),
    )
    base = ground_of(main, policy=policy)
    moved = draw(st.booleans())
    new = draw(runs(fixtures_hash=TWO)) if moved else run
    own = draw(st.sampled_from([main, run, new]))
    tree = ground_of(
        own,
        policy=policy,
        corpus=OTHER_FILES if moved else FILES,
        justification=draw(st.sampled_from([None, "fix", REASON])),
        against=draw(st.sampled_from([BLOB, None])),
    )
    tree = draw(st.sampled_from([tree, replace(tree, items=base.items), base]))
    return (
        replace(tree, corpus=OTHER_FILES if moved else FILES),
        base,
        FixedBench(runs=[(OTHER_FILES, new), (FILES, run)] if moved else [(FILES, run)]),
    )


def severity(verdict: Verdict) -> int:
    """Its place in the order of severity."""
    return SEVERITY.index(verdict)


def decide(tree: Ground, base: Ground, bench: FixedBench, checks: tuple[Any, ...]) -> int:
    """How severe a judgement with only these checks is; a refusal is beyond all verdicts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("brainbench_gate.run.CHECKS", checks)
        try:
            verdict, _ = judge_change(tree, base, bench)
        except BrainbenchError:
            return len(SEVERITY)
    return severity(verdict.verdict)


@settings(max_examples=150, deadline=None)
@given(case=grounds(), kept=st.sets(st.integers(0, len(CHECKS) - 1)))
def test_no_check_makes_a_verdict_laxer(
    case: tuple[Ground, Ground, FixedBench], kept: set[int]
) -> None:
    """All checks are at least as strict as any part of them."""
    part = tuple(check for place, check in enumerate(CHECKS) if place in kept)
    assert decide(*case, CHECKS) >= decide(*case, part)


@settings(max_examples=150, deadline=None)
@given(case=grounds())
def test_the_gate_is_never_laxer_than_the_core_rules(
    case: tuple[Ground, Ground, FixedBench],
) -> None:
    """On unchanged ground, with the same documents."""
    tree, base, bench = case
    assert base.baseline is not None
    assume(tree.corpus == base.corpus)
    current = read_numbers(bench.measure(POLICIES, FILES))
    core = judge(current, base.baseline, tree.baseline)
    assert decide(tree, base, bench, CHECKS) >= severity(core.verdict)


@given(
    verdict=st.sampled_from(Verdict),
    found=st.lists(st.tuples(st.sampled_from(Verdict), st.booleans()), max_size=4),
    text=st.sampled_from([None, REASON]),
)
def test_findings_only_add_severity(
    verdict: Verdict, found: list[tuple[Verdict, bool]], text: str | None
) -> None:
    """Whatever a check says."""
    core = Judgement(verdict=verdict, mode=Mode.SAME_HASH, reason="core", breaches=(), notes=())
    breach = Breach(cell="codex/push", metric="push_recall", baseline=1, current=0)
    findings = [
        Finding(
            name="any",
            status=Status.NOTE,
            text="any",
            verdict=each,
            reason="any",
            breaches=(breach,) if adverse else (),
        )
        for each, adverse in found
    ]
    composed = compose("x", core, findings, breaches=[], justification=text, fresh=True)
    assert severity(composed.verdict) >= max(map(severity, [verdict, *(v for v, _ in found)]))


@given(document=documents(), committed=st.booleans(), reason=st.sampled_from([None, REASON]))
def test_a_document_judged_against_itself_passes(
    document: Baseline, committed: bool, reason: str | None
) -> None:
    """With or without a committed file."""
    own = replace(document, justification=reason) if committed else None
    assert Verdict.PASS is judge(document, document, own).verdict


@settings(max_examples=100, deadline=None)
@given(run=runs(leaks=False))
def test_a_run_judged_against_itself_passes_the_gate(run: Measured) -> None:
    """All checks included."""
    same = ground_of(run, policy=POLICIES)
    assert 0 == decide(same, same, FixedBench(runs=[(FILES, run)]), CHECKS)


@given(
    main=documents(),
    current=documents(leaks=True),
    hashes=st.sampled_from([ONE, TWO]),
    seed=st.integers(0, 1000),
)
def test_the_order_of_cells_never_matters(
    main: Baseline, current: Baseline, hashes: str, seed: int
) -> None:
    """Judgements and serialised bytes are the same."""
    current = replace(current, fixtures_hash=hashes)
    mixed = _shuffle(current, seed)
    for committed in (None, current):
        assert judge(current, main, committed) == judge(mixed, _shuffle(main, seed), committed)
    assert current.serialize() == mixed.serialize()
    assert current == parse_baseline(mixed.serialize(), "mixed")


def _shuffle(document: Baseline, seed: int) -> Baseline:
    order = random.Random(seed)

    def mix(entries: Mapping[str, Any]) -> dict[str, Any]:
        names = list(entries)
        order.shuffle(names)
        return {name: entries[name] for name in names}

    cells = {cell: mix(metrics) for cell, metrics in mix(document.cells).items()}
    return replace(document, cells=cells, counts=mix(document.counts))


@given(
    main=documents(), current=documents(leaks=True), cell=st.integers(0, 2), committed=st.booleans()
)
def test_more_failures_never_turn_a_regression_into_a_pass(
    main: Baseline, current: Baseline, cell: int, committed: bool
) -> None:
    """Worse counts and worse rates are never judged more laxly."""
    own = main if committed else None
    name = sorted(current.counts)[cell % len(current.counts)]
    counts = current.counts[name]
    worse = replace(
        current,
        counts={
            **current.counts,
            name: Counts(gold_total=counts.gold_total, gold_failed=counts.gold_total),
        },
        cells={
            **current.cells,
            name: {metric: _worst(metric, value) for metric, value in current.cells[name].items()},
        },
    )
    before, after = judge(current, main, own), judge(worse, main, own)
    assert severity(after.verdict) >= severity(before.verdict)
    kept = {(breach.cell, breach.metric) for breach in after.breaches}
    assert {(breach.cell, breach.metric) for breach in before.breaches} <= kept


def _worst(metric: str, value: float) -> float:
    return {"higher": 0, "lower": 1}.get(GATED.get(metric, ""), value)


@given(
    values=st.lists(RATES, min_size=1, max_size=5),
    accepted=st.lists(st.none() | RATES, max_size=2),
)
def test_a_settled_value_lies_within_the_spread(
    values: list[float], accepted: list[float | None]
) -> None:
    """Whatever was accepted before."""
    assert min(values) <= settle_value(values, accepted) <= max(values)
