"""A capability that the memory had is still declared."""

from __future__ import annotations

from dataclasses import replace

from tests.gate.checks.runs import NEW
from tests.gate.documents import ALL, compare, run_of

from brainbench_gate.checks import capabilities
from brainbench_gate.findings import Status


def test_a_withdrawn_capability_is_a_breach() -> None:
    """On either ground; a new one is none."""
    less = run_of(capabilities=frozenset({"push"}))
    assert ["sources"] == [b.metric for b in capabilities.check(compare(run=less)).breaches]
    new = replace(NEW, capabilities=frozenset({"push"}))
    assert ["sources"] == [b.metric for b in capabilities.check(compare(new_run=new)).breaches]
    more = run_of(capabilities=ALL | {"write-back"})
    assert Status.PASS is capabilities.check(compare(run=more)).status
    assert Status.NOTE is capabilities.check(compare(forget_items=True)).status
