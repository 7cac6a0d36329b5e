"""A state that the base is in has to be named."""

from __future__ import annotations

from tests.gate.documents import compare

from brainbench_gate.checks import named_states
from brainbench_gate.findings import Status


def test_states_have_to_be_named() -> None:
    """Each is a breach of its own."""
    assert Status.PASS is named_states.check(compare()).status
    found = named_states.check(compare(tokens={"measure": "m", "broken-base": "b"}))
    assert ["broken-base", "measure"] == [breach.cell for breach in found.breaches]
    assert ("broken-base: b", "measure: m") == found.lines
