"""The same system: what was measured is what base's policy names."""

from __future__ import annotations

from brainbench_gate.findings import Comparison, Finding, Status
from brainbench_gate.rules import Verdict

NAME = "same-system"


def check(comparison: Comparison) -> Finding:
    """Inconclusive where the measured name is not that of policy and items file."""
    run = comparison.run_on_base or comparison.run
    policy = comparison.policy if comparison.run_on_base else comparison.tree_policy
    names = {"the policy": policy.system}
    if comparison.main_items and comparison.run_on_base and "system" not in comparison.tokens:
        names["main's items file"] = comparison.main_items.system.name
    measured = run.result.system.name
    lines = tuple(
        f"measured was {measured!r}, {where} names {name!r}"
        for where, name in names.items()
        if name != measured
    )
    if lines:
        return Finding(
            name=NAME,
            status=Status.FAIL,
            text="another system than the agreed one was measured",
            lines=lines,
            verdict=Verdict.INCONCLUSIVE,
            reason="other-system",
        )
    version = run.result.system.version
    return Finding(name=NAME, status=Status.PASS, text=f"measured was {measured} {version}".strip())
