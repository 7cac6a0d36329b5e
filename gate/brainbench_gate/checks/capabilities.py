"""A capability that main's system has may not be withdrawn without a reason."""

from __future__ import annotations

from brainbench_gate.findings import Comparison, Finding, Status
from brainbench_gate.rules import Breach

NAME = "capabilities"


def check(comparison: Comparison) -> Finding:
    """Breach for each capability that main's items file lists and a run lacks."""
    if comparison.main_items is None:
        return Finding(name=NAME, status=Status.NOTE, text="main lists no capabilities")
    have = frozenset.intersection(*(run.capabilities for run in comparison.runs))
    gone = sorted(set(comparison.main_items.system.capabilities) - have)
    if not gone:
        return Finding(name=NAME, status=Status.PASS, text="none withdrawn")
    return Finding(
        name=NAME,
        status=Status.FAIL,
        text=f"withdrawn: {', '.join(gone)}",
        breaches=tuple(
            Breach(cell="capabilities", metric=name, baseline=1, current=None) for name in gone
        ),
    )
