"""The system measured is the one that main agreed on."""

from __future__ import annotations

from dataclasses import replace

from tests.gate.documents import POLICY, compare, ground_of, run_of

from brainbench_gate.checks import same_system
from brainbench_gate.findings import Status
from brainbench_gate.rules import Verdict


def test_the_agreed_system_was_measured() -> None:
    """Its name and version are told."""
    found = same_system.check(compare())
    assert (Status.PASS, "measured was mine 1") == (found.status, found.text)


def test_another_system_is_inconclusive() -> None:
    """Policy and items file are both named."""
    found = same_system.check(compare(run=run_of(system="stub")))
    assert (Verdict.INCONCLUSIVE, "other-system") == (found.verdict, found.reason)
    assert 3 == len(found.lines)


def test_without_mains_items_the_policy_alone_names_it() -> None:
    """And without main nothing of base's is asked for."""
    other = run_of(system="stub")
    assert 2 == len(same_system.check(compare(run=other, forget_items=True)).lines)
    assert 1 == len(
        same_system.check(compare(run=other, forget_items=True, forget_main=True)).lines
    )


def test_a_system_that_stands_in_is_held_to_the_trees_policy() -> None:
    """Base's entry is gone; its name is not asked for."""
    moved = replace(POLICY, system="new")
    tree = ground_of(run_of(system="new"), policy=moved)
    stand_in = run_of(system="new")
    gone = compare(run=stand_in, tree=tree, tokens={"system": "gone"})
    assert Status.PASS is same_system.check(gone).status


def test_a_missing_result_of_mains_system_is_named() -> None:
    """Where the tree's new system stands in for main's, and main's entry is not gone."""
    tree = ground_of(run_of(system="new"), policy=replace(POLICY, system="new"))
    found = same_system.check(replace(compare(run=run_of(system="new"), tree=tree), moved=True))
    assert "other-system" == found.reason
    assert "give the result of main's system too: 'mine' on main's corpus" == found.lines[-1]
    unmoved = compare(run=run_of(system="stub"))
    assert not any("give the result" in line for line in same_system.check(unmoved).lines)
