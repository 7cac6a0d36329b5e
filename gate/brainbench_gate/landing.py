"""The first landing: base has nothing to compare with yet, so only the tree itself is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.baseline import build_items
from brainbench_gate.checks import isolation, reproducible
from brainbench_gate.checks.committed import find_unbacked
from brainbench_gate.findings import Finding, Status, refuse_verdict
from brainbench_gate.items import CellItems
from brainbench_gate.rules import ISOLATION, Mode, Verdict, find_breaches
from brainbench_gate.verdict import BOOTSTRAP, BenchmarkVerdict, choose_strictest

if TYPE_CHECKING:
    from brainbench_gate.ground import Ground
    from brainbench_gate.measured import Measured
    from brainbench_schema.baseline import Baseline
    from brainbench_schema.policy import Policy

NAME = "first-landing"
NOTE = "main has no baseline yet: nothing is compared"


def is_first_landing(base: Ground) -> bool:
    """Tell whether base has nothing to compare with, and never had."""
    return base.baseline is None and base.baseline_blob is None and not base.broken


def judge_first_landing(
    name: str, tree: Ground, base: Ground, policy: Policy, run: Measured, current: Baseline
) -> BenchmarkVerdict:
    """Judge leaks, and that what is committed is what this run measured."""
    findings = (
        _check_landing(tree, base, policy, run, current),
        isolation.find_leaks([run], [current]),
        reproducible.describe([run]),
    )
    verdict, reason = choose_strictest((Verdict.PASS, BOOTSTRAP), findings)
    return BenchmarkVerdict(
        name=name,
        mode=Mode.SAME_HASH,
        verdict=verdict,
        reason=reason,
        breaches=tuple(
            breach for breach in find_breaches(current, current) if breach.metric == ISOLATION
        ),
        items=tuple(
            CellItems(cell=cell, newly_failed=(), newly_fixed=(), still_failing=run.failed[cell])
            for cell in sorted(run.failed)
        ),
        checks=findings,
        notes=(NOTE,),
    )


def _check_landing(
    tree: Ground, base: Ground, policy: Policy, run: Measured, current: Baseline
) -> Finding:
    applies = base.policy or policy
    if tree.baseline is None and tree.items is None:
        if applies.first_landing == "fail":
            text = "no baseline is committed, and the policy asks for one: run `brainbench bless`"
            return refuse_verdict(NAME, BOOTSTRAP, text)
        return Finding(name=NAME, status=Status.NOTE, text=NOTE)
    items = build_items(run.result, run.failed, capabilities=run.capabilities, against=None)
    lines = find_unbacked(tree, policy, current, items)
    if lines:
        text = "the committed files are not what this run measured: run `brainbench bless`"
        return refuse_verdict(NAME, "baseline-not-backed", text, *lines)
    text = "the committed files equal this run; main compares with them from the merge on"
    return Finding(name=NAME, status=Status.NOTE, text=text)
