"""The gate's run, as one readable sequence: two grounds in, one verdict out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from brainbench_gate.baseline import build_items, read_numbers
from brainbench_gate.checks import CHECKS
from brainbench_gate.checks.changed_ground import measuring_keys
from brainbench_gate.findings import Comparison
from brainbench_gate.items import (
    CellItems,
    ItemDetail,
    compare_items,
    describe_item,
    join_items,
)
from brainbench_gate.landing import is_first_landing, judge_first_landing
from brainbench_gate.noise import Accepted
from brainbench_gate.refusals import (
    refuse_broken,
    refuse_deleted,
    refuse_own_floors,
    require_ground,
)
from brainbench_gate.repeats import measure_ground
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
from brainbench_gate.standing import Standing, settle_base
from brainbench_gate.verdict import BenchmarkVerdict, compose
from brainbench_schema.errors import SystemStartError, UsageError
from brainbench_schema.policy import POLICY_FILE, Policy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from brainbench_gate.ground import Ground
    from brainbench_gate.measured import Bench, Measured
    from brainbench_schema.baseline import Baseline, Items

NAME = "brainbench"
MAX_DETAILS = 200
"""Flipped items described in full; more are listed by id."""


def _no_cause() -> str:
    return "its history is not known here"


def _never(baseline: Baseline) -> bool:  # noqa: ARG001
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What of a judgement comes from neither side.

    Attributes:
        name: The benchmark's.
        policy_file: Where both sides' policy stands.
        grouped: Whether the run is of a merge group.
        find_cause: Names the change that left base as it is.
        has_stood: Tells whether a baseline, its reason included, was main's before.
        callers: Workflows that call the gate and are not base's, one line each.
        allowance: Reason of a local trial that lets breaches pass.
        verify: Whether each ground is replayed twice and has to repeat.
        recorded: Where the sides have no place of their own for a reason: the one recorded
            elsewhere, and whether it is fresh.
    """

    name: str = NAME
    policy_file: str = POLICY_FILE
    grouped: bool = False
    find_cause: Callable[[], str] = _no_cause
    has_stood: Callable[[Baseline], bool] = _never
    callers: tuple[str, ...] = ()
    allowance: str | None = None
    verify: bool = False
    recorded: tuple[str | None, bool] | None = None


def judge_change(
    tree: Ground, base: Ground, bench: Bench, terms: Terms | None = None
) -> tuple[BenchmarkVerdict, Measured]:
    """Judge what a tree's code and ground do to the numbers of base.

    Args:
        tree: The pull request's side.
        base: The side it is compared with; an empty one for a first landing.
        bench: What knows how to measure.

    Returns:
        The verdict, and the run on the tree's own ground.

    Raises:
        BrainbenchError: Something can't be read or measured; never a verdict.
    """
    terms = terms or Terms()
    run = measure_tree(tree, base, bench, terms)
    return judge_run(tree, base, bench, terms, run), run


def measure_tree(tree: Ground, base: Ground, bench: Bench, terms: Terms) -> Measured:
    """Refuse what the tree itself has wrong, then measure its ground."""
    refuse_broken(tree)
    refuse_deleted(tree, base, terms.policy_file)
    return measure_own_ground(tree, base, bench, terms)


def measure_own_ground(tree: Ground, base: Ground, bench: Bench, terms: Terms) -> Measured:
    """Measure the tree on its own corpus as its own policy says."""
    policy, corpus = require_ground(tree, terms.policy_file)
    known = [_accept(side.baseline, side.items) for side in (tree, base)]
    accepted = [one for one in known if one is not None]
    return measure_ground(bench, policy, corpus, accepted=accepted, verify=terms.verify)


def judge_run(
    tree: Ground, base: Ground, bench: Bench, terms: Terms, run: Measured
) -> BenchmarkVerdict:
    """Judge a run of the tree's own ground.

    First landing? Verify what is committed, and stop. Else settle what of base stands, measure
    base's ground too where it differs, apply the core rules to the effect of the code and of
    the ground, run the added checks, and put one verdict together.
    """
    policy, corpus = require_ground(tree, terms.policy_file)
    current = read_numbers(run)
    refuse_own_floors(tree, base, policy, current, terms.policy_file)
    if is_first_landing(base):
        return judge_first_landing(terms.name, tree, base, policy, run, current)
    standing = settle_base(
        base,
        policy,
        corpus,
        bench=bench,
        policy_file=terms.policy_file,
        find_cause=terms.find_cause,
    )
    moved = is_moved(tree, standing)
    run_on_base = measure_on_base(bench, standing, policy, run, moved=moved, terms=terms)
    comparison = compare_grounds(tree, base, standing, run, run_on_base, moved=moved, terms=terms)
    return decide(comparison, terms)


def is_moved(tree: Ground, standing: Standing) -> bool:
    """Tell whether corpus or measuring policy differ from those that stand for base's."""
    assert tree.policy is not None
    same_policy = measuring_keys(standing.policy) == measuring_keys(tree.policy)
    return not same_policy or standing.corpus != tree.corpus


def measure_on_base(
    bench: Bench, standing: Standing, policy: Policy, run: Measured, *, moved: bool, terms: Terms
) -> Measured | None:
    """Measure the tree's code on base's ground; None where base can't be compared with.

    Where base's system entry can't start any more, the tree's own entry stands in.
    """
    if standing.main is None and standing.main_items is None:
        return None
    if not moved:
        return run
    known = _accept(standing.main, standing.main_items)
    accepted = [known] if known is not None else []
    try:
        return measure_ground(
            bench, standing.policy, standing.corpus, accepted=accepted, verify=terms.verify
        )
    except (SystemStartError, UsageError) as error:
        if _find_entry(standing.policy) == _find_entry(policy):
            raise
        standing.tokens["system"] = f"main's system entry can't start here: {error}"
    own = replace(standing.policy, system=policy.system, systems=policy.systems)
    return measure_ground(bench, own, standing.corpus, accepted=accepted, verify=terms.verify)


def _find_entry(policy: Policy) -> object:
    return policy.system, policy.systems.get(policy.system)


def _accept(baseline: Baseline | None, items: Items | None) -> Accepted | None:
    return Accepted(baseline=baseline, items=items) if baseline is not None else None


def compare_grounds(
    tree: Ground,
    base: Ground,
    standing: Standing,
    run: Measured,
    run_on_base: Measured | None,
    *,
    moved: bool,
    terms: Terms,
) -> Comparison:
    """Put together what the checks look at."""
    assert tree.policy is not None
    current = read_numbers(run)
    on_base = read_numbers(run_on_base) if run_on_base is not None else None
    gated = {**GATED, **standing.policy.gated}
    tokens = dict(standing.tokens)
    if measuring_keys(standing.policy) != measuring_keys(tree.policy):
        tokens["policy"] = "the policy changes what is measured"
    committed = None if moved else tree.baseline
    return Comparison(
        tree=tree,
        base=base,
        policy=standing.policy,
        tree_policy=tree.policy,
        run=run,
        run_on_base=run_on_base,
        current=current,
        current_items=build_items(
            run.result, run.failed, capabilities=run.capabilities, against=base.baseline_blob
        ),
        current_on_base=on_base,
        main=standing.main,
        main_items=standing.main_items,
        base_survey=standing.survey,
        moved=moved,
        grouped=terms.grouped,
        core=judge_code(on_base or current, standing.main, committed, gated, terms.allowance),
        ground_breaches=tuple(_find_ground_breaches(current, on_base, gated)) if moved else (),
        items=tuple(_find_flips(standing, run_on_base or run)),
        ground_items=tuple(_find_ground_flips(run_on_base, run)) if moved else (),
        tokens=tokens,
        callers=terms.callers,
    )


def judge_code(
    current: Baseline,
    main: Baseline | None,
    committed: Baseline | None,
    gated: dict[str, str],
    allowance: str | None,
) -> Judgement:
    """Apply the core rules to the effect of the code; without main only leaks can be told."""
    if main is not None:
        return judge(current, main, committed, allowance=allowance, gated=gated)
    leaks = [breach for breach in find_breaches(current, current) if breach.metric == ISOLATION]
    return Judgement(
        verdict=Verdict.PASS,
        mode=Mode.SAME_HASH,
        reason="not-measured",
        breaches=tuple(leaks),
        notes=("effect of the code: not measured, since base can't be compared with",),
    )


def _find_ground_breaches(
    current: Baseline, on_base: Baseline | None, gated: dict[str, str]
) -> Iterator[Breach]:
    if on_base is not None:
        yield from find_breaches(current, replace(on_base, config=current.config), gated=gated)


def _find_flips(standing: Standing, run: Measured) -> Iterator[CellItems]:
    if standing.main_items is not None:
        older, newer = standing.survey, run.survey
        yield from compare_items(standing.main_items.cells, run.failed, older=older, newer=newer)


def _find_ground_flips(run_on_base: Measured | None, run: Measured) -> Iterator[CellItems]:
    if run_on_base is not None:
        older, newer = run_on_base.survey, run.survey
        yield from compare_items(run_on_base.failed, run.failed, older=older, newer=newer)


def decide(comparison: Comparison, terms: Terms) -> BenchmarkVerdict:
    """Run the checks and put one verdict together."""
    core, main = comparison.core, comparison.main
    if (comparison.moved or terms.recorded) and core.verdict is Verdict.REGRESSION:
        # The committed file is for the new ground, or stands elsewhere; whether its reason covers
        # these breaches too is the justification check's to say.
        core = replace(core, verdict=Verdict.PASS, reason="held")
    if main is not None and comparison.current.fixtures_hash != main.fixtures_hash:
        core = replace(core, mode=Mode.CORPUS_BLESS)
    justification, fresh = terms.recorded or find_reason(
        comparison.tree, comparison.base, terms.has_stood
    )
    return compose(
        terms.name,
        core,
        [check(comparison) for check in CHECKS],
        breaches=[*core.breaches, *comparison.ground_breaches],
        justification=justification,
        fresh=fresh,
        allowance=terms.allowance,
        items=tuple(join_items(comparison.items, comparison.ground_items)),
        details=tuple(_describe_flips(comparison)),
    )


def find_reason(
    tree: Ground, base: Ground, has_stood: Callable[[Baseline], bool]
) -> tuple[str | None, bool]:
    """Give the tree's own reason, and whether it is fresh."""
    return find_justification(tree, base), is_fresh(tree, base, has_stood)


def find_justification(tree: Ground, base: Ground) -> str | None:
    """Give the tree's own reason: files that are base's bring none."""
    if tree.baseline is None or (tree.baseline, tree.items) == (base.baseline, base.items):
        return None
    return tree.baseline.justification


def is_fresh(tree: Ground, base: Ground, has_stood: Callable[[Baseline], bool]) -> bool:
    """Tell whether the tree's reason was written against base's present baseline.

    The blob id alone can't tell a baseline from an equal one that main had before: what stood on
    main already is a reason brought back.
    """
    reason = find_justification(tree, base)
    if reason is None or tree.baseline is None:
        return True
    if tree.items is None:
        return base.baseline is None or base.baseline.justification != reason
    if base.baseline_blob is None:
        return True
    return tree.items.against == base.baseline_blob and not has_stood(tree.baseline)


def _describe_flips(comparison: Comparison) -> Iterator[ItemDetail]:
    judged = ((comparison.judged_run, comparison.items), (comparison.run, comparison.ground_items))
    flipped = [
        (item, entry.cell, run)
        for run, entries in judged
        for entry in entries
        for item in entry.newly_failed
    ]
    for item, cell, run in flipped[:MAX_DETAILS]:
        yield describe_item(item, cell, run)
