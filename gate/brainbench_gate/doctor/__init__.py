"""Examinations of a machine, a repository, its workflows and its settings on GitHub."""

from __future__ import annotations

from brainbench_gate.doctor import ground, hosted, machine, workflows
from brainbench_gate.doctor.symptom import Level, Setting, Symptom

__all__ = ["Level", "Setting", "Symptom", "examine"]

EXAMINATIONS = (*machine.EXAMINATIONS, *ground.EXAMINATIONS, *workflows.EXAMINATIONS,
                *hosted.EXAMINATIONS)  # fmt: skip
"""In the order in which their lines are shown."""


def examine(setting: Setting) -> list[Symptom]:
    """Do every examination."""
    return [symptom for examination in EXAMINATIONS for symptom in examination(setting)]
