"""States that a justification has to name: policy, system, measure, stale-main, broken-base."""

from __future__ import annotations

from brainbench_gate.findings import Comparison, Finding, Status
from brainbench_gate.rules import Breach

NAME = "named-states"


def check(comparison: Comparison) -> Finding:
    """Breach for each state that this pull request has to answer for by name."""
    if not comparison.tokens:
        return Finding(name=NAME, status=Status.PASS, text="nothing that must be named")
    return Finding(
        name=NAME,
        status=Status.FAIL,
        text=f"a justification must name: {', '.join(sorted(comparison.tokens))}",
        lines=tuple(f"{token}: {text}" for token, text in sorted(comparison.tokens.items())),
        breaches=tuple(
            Breach(cell=token, metric="state", baseline=None, current=None)
            for token in sorted(comparison.tokens)
        ),
    )
