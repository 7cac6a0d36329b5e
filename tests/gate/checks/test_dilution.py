"""A failing item that leaves the corpus is listed with what replaces it."""

from __future__ import annotations

from dataclasses import replace

from tests.gate.checks.runs import BETTER, NEW
from tests.gate.documents import PUSH, compare

from brainbench_gate.checks import dilution
from brainbench_gate.findings import Status


def test_a_failing_item_that_leaves_is_listed() -> None:
    """With those that came in its place, where they all pass."""
    new = replace(NEW, failed={PUSH: ()})
    found = dilution.check(compare(new_run=new))
    assert (
        "removed while failing: f#1:a (codex/push)",
        "codex/push: the 1 items that replace them all pass",
        "added: g#1:a (codex/push)",
    ) == found.lines
    assert 1 == len(dilution.check(compare(new_run=NEW)).lines)
    assert Status.PASS is dilution.check(compare()).status


def test_an_item_that_failed_on_main_counts_though_the_code_fixed_it() -> None:
    """And without main's list what fails here counts."""
    found = dilution.check(compare(run=BETTER, new_run=replace(NEW, failed={PUSH: ()})))
    assert "removed while failing: f#1:a (codex/push)" in found.lines
    assert 1 == len(dilution.check(compare(new_run=NEW, forget_items=True)).lines)
