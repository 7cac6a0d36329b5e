"""A change of the workflow that calls the gate is shown: its own run obeys the new file already."""

from __future__ import annotations

from brainbench_gate.findings import Comparison, Finding, Status

NAME = "workflow"


def check(comparison: Comparison) -> Finding:
    """List the files that call the gate, or could, and are not base's."""
    lines = comparison.callers
    if not lines:
        return Finding(name=NAME, status=Status.PASS, text="no file that calls the gate changes")
    what = lines[0] if len(lines) == 1 else f"{len(lines)} files"
    text = f"what calls the gate changes ({what}): see that it still does"
    return Finding(name=NAME, status=Status.NOTE, text=text, lines=lines)
