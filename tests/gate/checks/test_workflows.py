"""What calls the gate is main's own, or the change is shown."""

from __future__ import annotations

from dataclasses import replace

from tests.gate.documents import compare

from brainbench_gate.checks import workflows
from brainbench_gate.findings import Status
from brainbench_gate.rules import Verdict

GATE = "changed .github/workflows/gate.yml"


def test_an_unchanged_caller_passes() -> None:
    """Nothing is to be looked at."""
    found = workflows.check(compare())
    assert (Status.PASS, ()) == (found.status, found.lines)


def test_a_changed_caller_is_a_note_and_never_a_verdict() -> None:
    """One is named in the sentence, several are counted there and listed below."""
    found = workflows.check(replace(compare(), callers=(GATE,)))
    assert (Status.NOTE, Verdict.PASS, (GATE,)) == (found.status, found.verdict, found.lines)
    assert GATE in found.text
    several = workflows.check(replace(compare(), callers=(GATE, "removed .github/a.yml")))
    assert "2 files" in several.text
    assert 2 == len(several.lines)
