"""Two replays that differ decide nothing, where two were asked for."""

from __future__ import annotations

from dataclasses import replace

from tests.gate.checks.runs import MAIN, NEW
from tests.gate.documents import compare

from brainbench_gate.checks import reproducible
from brainbench_gate.findings import Status
from brainbench_gate.rules import Verdict


def test_two_replays_that_differ_are_inconclusive() -> None:
    """Only where it was asked for; an unstable system is labelled."""
    assert "not asked for" in reproducible.check(compare()).text
    equal = replace(MAIN, differing=())
    assert "two replays were equal" == reproducible.check(compare(run=equal)).text
    found = reproducible.check(compare(run=replace(MAIN, differing=("cells/0",))))
    assert (Verdict.INCONCLUSIVE, "not-reproducible") == (found.verdict, found.reason)
    unstable = reproducible.check(compare(run=replace(MAIN, unstable=("x",)), new_run=NEW))
    assert (Status.NOTE, ("x",)) == (unstable.status, unstable.lines)
