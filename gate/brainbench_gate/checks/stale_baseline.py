"""Stale baseline: better than main without banking it, so that the gain could be lost unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.findings import Comparison, Finding, Status
from brainbench_gate.movements import find_movements
from brainbench_gate.rules import GATED, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "stale-baseline"


def check(comparison: Comparison) -> Finding:
    """Note, or fail where the policy says so, improvements that no baseline holds."""
    committed = comparison.tree.baseline
    if committed is None or committed.data() == comparison.current.data():
        return Finding(name=NAME, status=Status.PASS, text="nothing is left to bank")
    gains = tuple(_gains(comparison))
    if not gains:
        return Finding(name=NAME, status=Status.PASS, text="nothing is left to bank")
    fails = comparison.policy.stale_baseline == "fail"
    return Finding(
        name=NAME,
        status=Status.FAIL if fails else Status.NOTE,
        text="better than the baseline: bank it with `brainbench ratchet`",
        lines=gains,
        verdict=Verdict.INCONCLUSIVE if fails else Verdict.PASS,
        reason="stale-baseline" if fails else "",
    )


def _gains(comparison: Comparison) -> Iterator[str]:
    committed = comparison.tree.baseline
    assert committed is not None
    better = {**GATED, **comparison.policy.gated}
    for move in find_movements(committed, comparison.current):
        if move.name not in better or move.before is None or move.after is None:
            continue
        if (move.after > move.before) == (better[move.name] == "higher"):
            yield f"{move.cell} {move.name} {move.before} → {move.after}"
    for entry in comparison.items:
        yield from (f"fixed: {item} ({entry.cell})" for item in entry.newly_fixed)
