"""Isolation: any leak fails, on either ground; without sources it is not measured."""

from __future__ import annotations

import pytest
from tests.gate.checks.runs import NEW
from tests.gate.documents import PUSH, baseline, compare, leaking, run_of

from brainbench_gate.checks import isolation
from brainbench_gate.findings import Status
from brainbench_gate.rules import ISOLATION, Verdict
from brainbench_schema.result import Skipped


def test_isolation_holds_without_a_leak() -> None:
    """A memory that knows sources, and none of whose rows or numbers leaks."""
    assert Status.PASS is isolation.check(compare()).status


@pytest.mark.parametrize("where", ["rows", "numbers", "base"])
def test_isolation_fails_on_any_leak(where: str) -> None:
    """In rows or in numbers, on either ground."""
    leaky = {
        "rows": run_of(rows=(leaking(),)),
        "numbers": run_of(baseline({PUSH: {ISOLATION: 1}})),
        "base": run_of(rows=(leaking(),)),
    }[where]
    found = isolation.check(compare(run=leaky, new_run=NEW if where == "base" else None))
    assert (Verdict.REGRESSION, "isolation") == (found.verdict, found.reason)


def test_isolation_is_not_measured_without_sources() -> None:
    """What was left out is told by name, once."""
    reason = "isolation: not measured, mine knows no sources; left out: apart"
    skipped = tuple(
        Skipped(suite="push", harness=harness, reason=reason) for harness in ("codex", "openclaw")
    )
    bare = run_of(capabilities=frozenset({"push"}), skipped=skipped)
    found = isolation.check(compare(run=bare))
    assert (Status.NOTE, (reason,)) == (found.status, found.lines)
