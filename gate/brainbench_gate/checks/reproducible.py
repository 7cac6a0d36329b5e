"""Reproducible: two replays are byte-equal where that was asked for; unstable systems are named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.findings import Comparison, Finding, Status, refuse_verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from brainbench_gate.measured import Measured

NAME = "reproducible"


def check(comparison: Comparison) -> Finding:
    """Inconclusive where two replays differ although they were to be equal."""
    return describe(comparison.runs)


def describe(runs: Iterable[Measured]) -> Finding:
    """Tell of all runs of a judgement whether they repeat."""
    runs = tuple(runs)
    differing = tuple(place for run in runs for place in run.differing or ())
    unstable = tuple(dict.fromkeys(line for run in runs for line in run.unstable))
    if differing:
        text = "two replays of the same ground differ"
        return refuse_verdict(NAME, "not-reproducible", text, *differing)
    if unstable:
        text = "unstable: the replays differ, and were settled to one document"
        return Finding(name=NAME, status=Status.NOTE, text=text, lines=unstable)
    if any(run.differing is not None for run in runs):
        return Finding(name=NAME, status=Status.PASS, text="two replays were equal")
    return Finding(name=NAME, status=Status.PASS, text="not asked for (--verify replays twice)")
