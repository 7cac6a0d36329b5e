"""An item that passed and now fails is a breach, also at level counts."""

from __future__ import annotations

from dataclasses import replace

from tests.gate.checks.runs import NEW
from tests.gate.documents import PUSH, compare, run_of

from brainbench_gate.checks import flipped
from brainbench_gate.findings import Status


def test_a_flipped_item_is_a_breach_at_level_counts() -> None:
    """One fixed, another broken."""
    flipped_run = run_of(failed={PUSH: ("f#2:b",)})
    found = flipped.check(compare(run=flipped_run))
    assert ("1 newly failed, 1 newly fixed", 1) == (found.text, len(found.breaches))
    assert ("newly failed: f#2:b (codex/push)",) == found.lines
    assert Status.PASS is flipped.check(compare()).status


def test_an_item_that_fails_on_the_new_ground_is_a_breach() -> None:
    """It passed on base's, and both corpora ask for it."""
    new = replace(NEW, failed={PUSH: ("f#2:b",)})
    found = flipped.check(compare(new_run=new))
    assert ("fails on the new ground: f#2:b (codex/push)",) == found.lines
    assert () == flipped.check(compare(new_run=NEW)).breaches


def test_without_mains_list_nothing_is_told() -> None:
    """The grounds can be compared all the same."""
    assert Status.NOTE is flipped.check(compare(forget_items=True)).status
    new = replace(NEW, failed={PUSH: ("f#2:b",)})
    assert 1 == len(flipped.check(compare(new_run=new, forget_items=True)).breaches)
