"""Stale baseline: better than main without banking it, so that the gain could be lost unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.findings import Comparison, Finding, Status
from brainbench_gate.movements import find_movements
from brainbench_gate.rules import Verdict
from brainbench_schema.numbers import format_number

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "stale-baseline"


def check(comparison: Comparison) -> Finding:
    """Note, or fail where the policy says so, improvements that no baseline holds."""
    gains = tuple(_find_gains(comparison))
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


def _find_gains(comparison: Comparison) -> Iterator[str]:
    held = comparison.tree.baseline or comparison.main
    if held is None or held.fixtures_hash != comparison.current.fixtures_hash:
        return
    for move in find_movements(held, comparison.current):
        direction = comparison.gated.get(move.name)
        if direction is None or move.before is None or move.after is None:
            continue
        if (move.after > move.before) == (direction == "higher"):
            numbers = f"{format_number(move.before)} → {format_number(move.after)}"
            yield f"{move.cell} {move.name} {numbers}"
    if comparison.moved or comparison.tree.items is None:
        return
    for entry in comparison.items:
        listed = comparison.tree.items.cells.get(entry.cell, ())
        yield from (f"fixed: {item} ({entry.cell})" for item in entry.newly_fixed if item in listed)
