"""The gate's run, as one readable sequence: two grounds in, one verdict out.

refuse what the tree itself has wrong
first landing?  verify what is committed, and stop
settle base: what of it can't be read, or doesn't hold together
measure the tree's ground; measure base's ground too where they differ
core rules for the effect of the code, then for the effect of the ground
the added checks
one verdict
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from brainbench_gate.baseline import MEASURE, build_baseline, build_items
from brainbench_gate.checks import CHECKS, floors
from brainbench_gate.checks.changed_ground import measuring_keys
from brainbench_gate.findings import Comparison, Finding, Status
from brainbench_gate.items import CellItems, compare_items, describe_item
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
from brainbench_gate.verdict import BOOTSTRAP, BenchmarkVerdict, compose
from brainbench_schema.errors import BrainbenchError, Fault, InvalidInputError, MemorySystemError
from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_gate.ground import Ground
    from brainbench_gate.measured import Bench, CorpusFiles, Measured, Survey
    from brainbench_schema.baseline import Baseline, Items
    from brainbench_schema.policy import Policy

NAME = "brainbench"
MAX_DETAILS = 200
"""Flipped items described in full; more are listed by id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usable:
    """What of base can be used, and what a justification has to answer for by name.

    Attributes:
        main: Base's baseline, where it can be compared with.
        tokens: Named states, each with its sentence.
    """

    policy: Policy
    corpus: CorpusFiles
    main: Baseline | None
    main_items: Items | None
    survey: Survey | None
    tokens: dict[str, str]


def judge_change(
    tree: Ground,
    base: Ground,
    bench: Bench,
    *,
    allowance: str | None = None,
    policy_file: str = POLICY_FILE,
) -> tuple[BenchmarkVerdict, Measured]:
    """Judge what a tree's code and ground do to the numbers of base.

    Args:
        tree: The pull request's side.
        base: The side it is compared with; an empty one for a first landing.
        bench: What knows how to measure.
        allowance: Reason of a local trial that lets breaches pass.

    Returns:
        The verdict, and the run on the tree's own ground.

    Raises:
        BrainbenchError: Something can't be read or measured; never a verdict.
    """
    refuse_broken(tree)
    refuse_deleted(tree, base, policy_file)
    policy, corpus = require_ground(tree, policy_file)
    run = bench.measure(policy, corpus)
    current = build_baseline(run.result)
    refuse_own_floors(tree, policy)
    if is_first_landing(base):
        return judge_first_landing(tree, policy, run, current), run
    usable = settle_base(tree, base, bench, policy_file)
    moved = is_moved(tree, base)
    tokens = dict(usable.tokens)
    run_on_base = measure_on_base(bench, usable, run, moved=moved, tokens=tokens)
    comparison = compare_grounds(
        tree, base, usable, run, current, run_on_base, moved, tokens, allowance
    )
    return decide(comparison, allowance), run


def refuse_broken(tree: Ground) -> None:
    """Stop where the tree's own files can't be read, so that main can't get there."""
    if not tree.broken:
        return
    faults = [
        fault
        for error in tree.broken.values()
        if isinstance(error, InvalidInputError)
        for fault in error.faults
    ]
    raise InvalidInputError(faults) if faults else next(iter(tree.broken.values()))


def refuse_deleted(tree: Ground, base: Ground, policy_file: str) -> None:
    """Stop where base has a policy, baseline or items file and the tree lacks it."""
    advice = "restore it from the base branch, or name its new place in the policy"
    gone = []
    if (base.policy or policy_file in base.broken) and tree.policy is None:
        gone.append((policy_file, "the policy"))
    if tree.policy is not None:
        base_policy = base.policy or tree.policy
        if tree.baseline is None and (base.baseline or base_policy.baseline in base.broken):
            gone.append((tree.policy.baseline, "the baseline"))
        if tree.items is None and (base.items or base_policy.items in base.broken):
            gone.append((tree.policy.items, "the items file"))
    if gone:
        raise InvalidInputError(
            Fault(
                file=path,
                pointer="",
                message=f"{what} stands on the base branch and is missing here",
                advice=advice,
            )
            for path, what in gone
        )


def require_ground(tree: Ground, policy_file: str) -> tuple[Policy, CorpusFiles]:
    """Give the tree's policy and corpus, or say which is missing."""
    if tree.policy is None:
        raise BrainbenchError(
            "there is no policy",
            where=policy_file,
            advice="write one (two lines: schema_version: 1, system: reflex), or give --repo DIR",
        )
    if tree.corpus is None:
        raise BrainbenchError(
            "there is no corpus where the policy says",
            where=f"{tree.policy.fixtures}, {tree.policy.gold}",
            advice="check `fixtures` and `gold` in the policy",
        )
    return tree.policy, tree.corpus


def refuse_own_floors(tree: Ground, policy: Policy) -> None:
    """Stop where the committed baseline breaks the floors of the policy beside it."""
    if tree.baseline is None:
        return
    crossed = list(floors.find_crossed(policy, tree.baseline))
    if crossed:
        raise InvalidInputError(
            Fault(
                file=policy.baseline,
                pointer=f"/cells/{cell.replace('/', '~1')}/{metric}",
                message=f"{value} is beyond the floor {bound} of the policy beside it",
                advice="lower the floor, or bless a run that keeps it",
            )
            for cell, metric, value, bound in crossed
        )


def is_first_landing(base: Ground) -> bool:
    """Tell whether base has nothing to compare with, and never had."""
    return base.baseline is None and base.baseline_blob is None and not base.broken


def judge_first_landing(
    tree: Ground, policy: Policy, run: Measured, current: Baseline
) -> BenchmarkVerdict:
    """Judge a tree whose base has nothing to compare with: leaks, and what is committed."""
    leaks = tuple(
        breach for breach in find_breaches(current, current) if breach.metric == ISOLATION
    )
    verdict, reason, note = Verdict.PASS, BOOTSTRAP, "main has no baseline yet: nothing is compared"
    if leaks:
        verdict, reason = Verdict.REGRESSION, "isolation"
        note = "pages of a source that was not active were injected; no reason lifts this"
    elif tree.baseline is not None and tree.baseline.data() != current.data():
        verdict, reason = Verdict.INCONCLUSIVE, "baseline-not-backed"
        note = f"{policy.baseline} is not what this run measured: run `brainbench bless`"
    elif tree.baseline is None and policy.first_landing == "fail":
        verdict, reason = Verdict.INCONCLUSIVE, BOOTSTRAP
        note = "no baseline is committed, and the policy asks for one: run `brainbench bless`"
    cells = tuple(sorted(run.failed))
    return BenchmarkVerdict(
        name=NAME,
        mode=Mode.SAME_HASH,
        verdict=verdict,
        reason=reason,
        breaches=leaks,
        items=tuple(
            CellItems(cell=cell, newly_failed=(), newly_fixed=(), still_failing=run.failed[cell])
            for cell in cells
        ),
        checks=(Finding(name="first-landing", status=Status.NOTE, text=note),),
        notes=(note,),
    )


def settle_base(tree: Ground, base: Ground, bench: Bench, policy_file: str) -> Usable:
    """Find what of base can be compared with; where a part can't be read, the tree's stands in."""
    assert tree.policy is not None
    assert tree.corpus is not None
    tokens: dict[str, str] = {}
    broken = [f"{path}: {error}" for path, error in sorted(base.broken.items())]
    if base.policy is None and policy_file not in base.broken:
        broken.append(f"{policy_file}: it is missing, although a baseline stands there")
    if base.policy is not None and base.corpus is None and not _corpus_broken(base):
        broken.append(f"{base.policy.fixtures}: the corpus is missing")
    policy, corpus = base.policy or tree.policy, base.corpus or tree.corpus
    survey = None
    try:
        survey = bench.survey(policy, corpus)
    except InvalidInputError as error:
        broken.append(f"{policy.fixtures}: {error}")
        corpus = tree.corpus
    if broken:
        tokens["broken-base"] = "; ".join(broken)
    main = base.baseline
    if main and survey and (stale := _find_stale(main, base.items, policy, survey)):
        tokens["stale-main"] = stale
        main = None
    return Usable(
        policy=policy,
        corpus=corpus,
        main=main,
        main_items=base.items if main is not None else None,
        survey=survey,
        tokens=tokens,
    )


def _corpus_broken(base: Ground) -> bool:
    assert base.policy is not None
    return base.policy.fixtures in base.broken


def _find_stale(main: Baseline, items: Items | None, policy: Policy, survey: Survey) -> str:
    """Say how base's baseline contradicts base's own ground; empty where it doesn't."""
    if main.fixtures_hash != survey.fixtures_hash:
        return "base's baseline was made for another corpus than base's own"
    covered = (set(main.config.harnesses), set(main.config.suites))
    if covered != (set(policy.harnesses), set(policy.suites)) or main.config.include_holdout:
        return "base's baseline covers other harnesses or suites than base's own policy"
    if items is None or "sources" not in items.system.capabilities:
        return ""
    for cell, counts in main.counts.items():
        suite = cell.split("/", 1)[1]
        if suite in survey.items and counts.gold_total != len(survey.items[suite]):
            total = len(survey.items[suite])
            return f"base's baseline counts {counts.gold_total} items in {cell}, its corpus {total}"
    return ""


def is_moved(tree: Ground, base: Ground) -> bool:
    """Tell whether corpus or measuring policy differ from base's."""
    assert tree.policy is not None
    if base.policy is None or base.corpus is None:
        return True
    return base.corpus != tree.corpus or measuring_keys(base.policy) != measuring_keys(tree.policy)


def measure_on_base(
    bench: Bench, usable: Usable, run: Measured, *, moved: bool, tokens: dict[str, str]
) -> Measured | None:
    """Measure the tree's code on base's ground; None where base can't be compared with."""
    if usable.main is None:
        return None
    if not moved:
        return run
    try:
        return bench.measure(usable.policy, usable.corpus)
    except MemorySystemError as error:
        tokens["system"] = f"base's system entry can't start here: {error}"
        return None


def compare_grounds(
    tree: Ground,
    base: Ground,
    usable: Usable,
    run: Measured,
    current: Baseline,
    run_on_base: Measured | None,
    moved: bool,
    tokens: dict[str, str],
    allowance: str | None,
) -> Comparison:
    """Put together what the checks look at."""
    assert tree.policy is not None
    on_base = build_baseline(run_on_base.result) if run_on_base else None
    if moved and base.policy and measuring_keys(base.policy) != measuring_keys(tree.policy):
        tokens.setdefault("policy", "the policy changes what is measured")
    if usable.main_items is not None and usable.main_items.measure != MEASURE:
        numbers = f"{usable.main_items.measure} to {MEASURE}"
        tokens["measure"] = f"this release measures differently: measure {numbers}"
    against_main = run_on_base or run
    core = _judge_code(tree, usable, on_base or current, allowance, moved=moved)
    return Comparison(
        tree=tree,
        base=base,
        policy=usable.policy,
        tree_policy=tree.policy,
        run=run,
        run_on_base=run_on_base,
        current=current,
        current_items=build_items(
            run.result, run.failed, capabilities=run.capabilities, against=base.baseline_blob
        ),
        current_on_base=on_base,
        main=usable.main,
        main_items=usable.main_items,
        base_survey=usable.survey,
        moved=moved,
        core=core,
        ground_breaches=tuple(_ground_breaches(current, on_base, usable.policy)) if moved else (),
        items=tuple(_flips(usable, against_main)),
        ground_items=tuple(_ground_flips(run_on_base, run)) if moved else (),
        tokens=tokens,
    )


def _judge_code(
    tree: Ground, usable: Usable, current: Baseline, allowance: str | None, *, moved: bool
) -> Judgement:
    """The core rules for the effect of the code: on base's ground, committed left out there."""
    if usable.main is None:
        breaches = tuple(
            breach for breach in find_breaches(current, current) if breach.metric == ISOLATION
        )
        return Judgement(
            verdict=Verdict.PASS,
            mode=Mode.SAME_HASH,
            reason="not-measured",
            breaches=breaches,
            notes=("effect of the code: not measured, since base can't be compared with",),
        )
    committed = None if moved else tree.baseline
    gated = {**GATED, **usable.policy.gated}
    core = judge(current, usable.main, committed, allowance=allowance, gated=gated)
    if moved and core.verdict is Verdict.REGRESSION:
        # On changed ground the committed file is for the new one; whether its reason covers
        # these breaches too is the justification check's to say.
        return replace(core, verdict=Verdict.PASS, reason="held")
    return core


def _ground_breaches(
    current: Baseline, on_base: Baseline | None, policy: Policy
) -> Iterator[Breach]:
    if on_base is not None:
        alike = replace(on_base, config=current.config)
        yield from find_breaches(current, alike, gated={**GATED, **policy.gated})


def _flips(usable: Usable, run: Measured) -> Iterator[CellItems]:
    if usable.main_items is not None:
        ids = usable.survey.items if usable.survey else run.survey.items
        yield from compare_items(
            usable.main_items.cells, run.failed, older=ids, newer=run.survey.items
        )


def _ground_flips(run_on_base: Measured | None, run: Measured) -> Iterator[CellItems]:
    if run_on_base is not None:
        yield from compare_items(
            run_on_base.failed,
            run.failed,
            older=run_on_base.survey.items,
            newer=run.survey.items,
        )


def decide(comparison: Comparison, allowance: str | None) -> BenchmarkVerdict:
    """Run the checks and put one verdict together."""
    findings = [check(comparison) for check in CHECKS]
    core = comparison.core
    if (
        comparison.main is not None
        and comparison.current.fixtures_hash != comparison.main.fixtures_hash
    ):
        core = replace(core, mode=Mode.CORPUS_BLESS)
    committed = comparison.tree.baseline
    return compose(
        NAME,
        core,
        findings,
        breaches=[*core.breaches, *comparison.ground_breaches],
        justification=committed.justification if committed else None,
        fresh=is_fresh(comparison),
        allowance=allowance,
        items=comparison.items,
        details=_details(comparison),
    )


def is_fresh(comparison: Comparison) -> bool:
    """Tell whether the committed justification was written against base's present baseline."""
    committed, items, base = comparison.tree.baseline, comparison.tree.items, comparison.base
    if items is not None and base.baseline_blob is not None:
        return items.against == base.baseline_blob
    if committed is None or base.baseline is None:
        return True
    return committed.justification != base.baseline.justification


def _details(comparison: Comparison) -> tuple:  # type: ignore[type-arg]
    run = comparison.run_on_base or comparison.run
    on_base = [(item, entry.cell, run) for entry in comparison.items for item in entry.newly_failed]
    on_new = [
        (item, entry.cell, comparison.run)
        for entry in comparison.ground_items
        for item in entry.newly_failed
    ]
    flipped = [*on_base, *on_new][:MAX_DETAILS]
    return tuple(describe_item(item, cell, measured) for item, cell, measured in flipped)
