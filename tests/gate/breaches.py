"""Breaches that reasons and verdicts are tried on."""

from __future__ import annotations

from tests.gate.documents import PUSH

from brainbench_gate.rules import Breach

WORSE = Breach(cell=PUSH, metric="push_recall", baseline=1, current=0.5)


def state(name: str) -> Breach:
    """A state that has to be named."""
    return Breach(cell=name, metric="state", baseline=None, current=None)
