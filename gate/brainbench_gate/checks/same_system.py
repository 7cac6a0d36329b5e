"""The same system: what was measured is what the policy names, and what main was measured with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.findings import Comparison, Finding, Status, refuse_verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "same-system"


def check(comparison: Comparison) -> Finding:
    """Inconclusive where a measured name is not that of policy and items file."""
    lines = tuple(
        f"measured was {measured!r}, {where} names {name!r}"
        for measured, where, name in _agreements(comparison)
        if name != measured
    )
    if lines:
        text = "another system than the agreed one was measured"
        return refuse_verdict(NAME, "other-system", text, *lines, *_advise(comparison))
    system = comparison.judged_run.result.system
    text = f"measured was {system.name} {system.version}".strip()
    return Finding(name=NAME, status=Status.PASS, text=text)


def _advise(comparison: Comparison) -> Iterator[str]:
    """Say what is missing where the tree's new system stands in for main's."""
    measured, main = comparison.judged_run.result.system.name, comparison.policy.system
    if comparison.moved and measured == comparison.tree_policy.system != main:
        yield f"give the result of main's system too: {main!r} on main's corpus"


def _agreements(comparison: Comparison) -> Iterator[tuple[str, str, str]]:
    """Give what was measured, who says what it should be, and what that is."""
    yield comparison.run.result.system.name, "the policy", comparison.tree_policy.system
    on_base, replaced = comparison.run_on_base, "system" in comparison.tokens
    if on_base is None or replaced:
        return
    measured = on_base.result.system.name
    yield measured, "main's policy", comparison.policy.system
    if comparison.main_items is not None:
        yield measured, "main's items file", comparison.main_items.system.name
