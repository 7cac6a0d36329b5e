"""What holds for any pair of documents: checks only make stricter, and order never matters."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
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
    baseline,
    ground_of,
    run_of,
    survey,
)

from brainbench_gate.baseline import read_numbers
from brainbench_gate.checks import CHECKS
from brainbench_gate.checks.changed_ground import measuring_keys
from brainbench_gate.findings import Finding, Status
from brainbench_gate.noise import settle_value
from brainbench_gate.rules import GATED, ISOLATION, Breach, Judgement, Mode, Verdict, judge
from brainbench_gate.run import Terms, judge_change
from brainbench_gate.verdict import SEVERITY, compose
from brainbench_schema.baseline import Baseline, Counts, parse_baseline
from brainbench_schema.errors import BrainbenchError, UsageError
from brainbench_schema.result import Skipped

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from brainbench_gate.findings import Comparison
    from brainbench_gate.ground import Ground
    from brainbench_gate.measured import CorpusFiles, Measured, Survey
    from brainbench_gate.verdict import BenchmarkVerdict
    from brainbench_schema.policy import Policy

    Check = Callable[[Comparison], Finding]

CELLS = ("codex/push", "codex/know-to-ask", "openclaw/push")
METRICS = ("push_precision", "push_recall", "false_fire_rate", "avg_injected_tokens")
STRAY = "f#1+x"
ITEMS = ("f#1:a", "f#2:b", "f#3:c", "f#4:d", STRAY)
STATED = "policy, measure, stale-main, broken-base: the ground is laid anew, with everybody's word"
CALLERS = (".github/workflows/gate.yml is changed",)
POLICIES = replace(POLICY, harnesses=("codex", "openclaw"), suites=("push", "know-to-ask"))
RATES = st.integers(0, 4).map(lambda quarter: quarter / 4)


@st.composite
def documents(
    draw: st.DrawFn, *, fixtures_hash: str = ONE, leaks: bool = False, policy: Policy = POLICIES
) -> Baseline:
    """A baseline of any of a policy's cells, with any of the metrics."""
    known = [cell for cell in CELLS if cell in list_cells(policy)]
    cells = draw(st.lists(st.sampled_from(known), unique=True, min_size=1))
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
    harnesses, suites = tuple(sorted(policy.harnesses)), tuple(sorted(policy.suites))
    return replace(made, config=replace(made.config, harnesses=harnesses, suites=suites))


def list_cells(policy: Policy) -> list[str]:
    """The cells that a policy asks for."""
    return [f"{harness}/{suite}" for harness in policy.harnesses for suite in policy.suites]


@st.composite
def runs(
    draw: st.DrawFn, *, fixtures_hash: str = ONE, leaks: bool = True, policy: Policy = POLICIES
) -> Measured:
    """A run whose counts are those of its failed items."""
    document = draw(documents(fixtures_hash=fixtures_hash, leaks=leaks, policy=policy))
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
        surveyed=replace(surveyed, items=dict.fromkeys(policy.suites, surveyed.items["push"])),
        skipped=tuple(
            Skipped(suite=suite, harness=harness, reason="no items")
            for harness, suite in (cell.split("/") for cell in list_cells(policy))
            if f"{harness}/{suite}" not in counts
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Both sides, what is measured of each, and what comes of neither.

    Attributes:
        own: The run on the tree's ground.
        on_base: The run on base's: the same one where that is the tree's too.
    """

    tree: Ground
    base: Ground
    own: Measured
    on_base: Measured
    terms: Terms

    def measure(self, policy: Policy, corpus: CorpusFiles) -> Measured:
        """Give the run of a ground."""
        assert self.tree.policy is not None
        same = measuring_keys(policy) == measuring_keys(self.tree.policy)
        return self.own if same and corpus == self.tree.corpus else self.on_base

    def survey(self, policy: Policy, corpus: CorpusFiles) -> Survey:
        """Give the survey of a ground."""
        return self.measure(policy, corpus).survey

    def judge(self, checks: tuple[Check, ...] = CHECKS) -> BenchmarkVerdict | None:
        """Judge with these checks alone; None where that is refused."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("brainbench_gate.run.CHECKS", checks)
            try:
                verdict, _ = judge_change(self.tree, self.base, self, self.terms)
            except BrainbenchError:
                return None
        return verdict

    def decide(self, checks: tuple[Check, ...] = CHECKS) -> int:
        """How severe a judgement with these checks is; a refusal is beyond all verdicts."""
        found = self.judge(checks)
        return len(SEVERITY) if found is None else severity(found.verdict)


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    """A policy that is strict in any way; what it measures is always the same."""
    return replace(
        POLICIES,
        floors=draw(st.sampled_from([{}, {"push_recall": 0.5}])),
        stale_baseline=draw(st.sampled_from(["note", "fail"])),
        first_landing=draw(st.sampled_from(["report", "fail"])),
    )


NARROWER: tuple[dict[str, Any], ...] = (
    {"suites": ("push",)},
    {"harnesses": ("codex",)},
    {"suites": ("push",), "harnesses": ("codex",), "floors": {}},
)


@st.composite
def cases(draw: st.DrawFn, *, still: bool = False, honest: bool = False) -> Case:
    """A tree, a base and what is measured of both; files of the tree may be anything.

    Args:
        still: Only grounds on which the same is measured, over a base that holds.
        honest: Only files that `bless` would write, or base's own.
    """
    base_policy = draw(policies())
    main, run = draw(runs(leaks=False)), draw(runs())
    policy = draw(st.sampled_from([base_policy, draw(policies())]))
    if not still:
        policy = replace(policy, **draw(st.sampled_from([{}, {}, *NARROWER])))
    corpus = OTHER_FILES if not still and draw(st.booleans()) else FILES
    own, moved_to = run, TWO if corpus == OTHER_FILES else ONE
    if corpus == OTHER_FILES or measuring_keys(policy) != measuring_keys(base_policy):
        own = draw(runs(fixtures_hash=moved_to, policy=policy))
    base = ground_of(main, policy=base_policy)
    made_of = own if honest else draw(st.sampled_from([main, run, own]))
    tree = draw(trees(base, made_of, honest=honest))
    return Case(
        tree=replace(tree, policy=policy, corpus=corpus),
        base=base if still else draw(bases(base)),
        own=own,
        on_base=run,
        terms=draw(terms()),
    )


@st.composite
def trees(draw: st.DrawFn, base: Ground, run: Measured, *, honest: bool) -> Ground:
    """A side whose files are of a run, are base's, or one of each."""
    tree = ground_of(
        run,
        justification=draw(st.sampled_from([None, "fix", REASON, STATED])),
        against=BLOB if honest else draw(st.sampled_from([BLOB, None])),
    )
    mixed = tree if honest else replace(tree, items=base.items)
    return draw(st.sampled_from([tree, mixed, base]))


@st.composite
def bases(draw: st.DrawFn, base: Ground) -> Ground:
    """Base as it is, or in a state that has to be named, or without a file."""
    assert base.baseline is not None
    assert base.items is not None
    unreadable: dict[str, BrainbenchError] = {
        "baselines/main.json": UsageError("is no baseline", where="baselines/main.json")
    }
    return draw(
        st.sampled_from(
            [
                base,
                base,
                replace(base, baseline=replace(base.baseline, fixtures_hash=TWO)),
                replace(base, items=replace(base.items, measure=base.items.measure - 1)),
                replace(base, baseline=None, items=None, broken=unreadable),
                replace(base, items=None),
            ]
        )
    )


@st.composite
def terms(draw: st.DrawFn) -> Terms:
    """What comes of neither side."""
    stood = draw(st.booleans())
    return Terms(
        grouped=draw(st.booleans()),
        callers=draw(st.sampled_from([(), CALLERS])),
        has_stood=lambda _: stood,
    )


def severity(verdict: Verdict) -> int:
    """Its place in the order of severity."""
    return SEVERITY.index(verdict)


@settings(max_examples=300, deadline=None)
@given(case=cases(), kept=st.sets(st.integers(0, len(CHECKS) - 1)))
def test_no_check_makes_a_verdict_laxer(case: Case, kept: set[int]) -> None:
    """All checks are at least as strict as any part of them."""
    part = tuple(check for place, check in enumerate(CHECKS) if place in kept)
    assert case.decide() >= case.decide(part)


@settings(max_examples=150, deadline=None)
@given(case=cases(still=True))
def test_the_gate_is_never_laxer_than_the_core_rules(case: Case) -> None:
    """On unchanged ground, with the same documents."""
    assert case.base.baseline is not None
    core = judge(read_numbers(case.own), case.base.baseline, case.tree.baseline)
    assert case.decide() >= severity(core.verdict)


@settings(max_examples=300, deadline=None)
@given(
    case=cases(honest=True),
    place=st.integers(0, 2),
    more=st.sets(st.sampled_from(ITEMS), min_size=1),
)
def test_more_failed_items_never_turn_a_regression_into_a_pass(
    case: Case, place: int, more: set[str]
) -> None:
    """Whatever is committed and whatever reason stands there; every breach stays one."""
    before = case.judge()
    assume(before is not None and before.verdict is Verdict.REGRESSION)
    assert before is not None
    worse = fail_more(case.own, place, more)
    on_base = worse if case.on_base is case.own else case.on_base
    after = replace(case, own=worse, on_base=on_base).judge()
    if after is not None:
        assert after.verdict is not Verdict.PASS
        assert list_places(before) <= list_places(after)


def fail_more(run: Measured, place: int, more: set[str]) -> Measured:
    """The same run with more failed items in one cell, and the worst rates there."""
    cells = sorted(run.failed)
    name = cells[place % len(cells)]
    failed = {*run.failed[name], *more}
    result = replace(
        run.result,
        cells=tuple(
            replace(
                cell,
                gold_failed=len(failed - {STRAY}),
                metrics={metric: _worst(metric, value) for metric, value in cell.metrics.items()},
            )
            if cell.key == name
            else cell
            for cell in run.result.cells
        ),
    )
    return replace(run, result=result, failed={**run.failed, name: tuple(sorted(failed))})


def list_places(verdict: BenchmarkVerdict) -> set[tuple[str, str]]:
    """Cell and number of each breach."""
    return {(breach.cell, breach.metric) for breach in verdict.breaches}


@settings(deadline=None)
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


@settings(deadline=None)
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
    assert 0 == Case(tree=same, base=same, own=run, on_base=run, terms=Terms()).decide()


@settings(deadline=None)
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


@settings(deadline=None)
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
