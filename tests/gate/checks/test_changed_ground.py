"""What of policy and corpus differs from main's is shown."""

from __future__ import annotations

from dataclasses import replace

from tests.gate.checks.runs import MAIN, NEW
from tests.gate.documents import OTHER_FILES, POLICY, PUSH, compare, ground_of

from brainbench_gate.checks import changed_ground
from brainbench_gate.findings import Status
from brainbench_schema.policy import SystemEntry


def test_an_unchanged_ground_has_no_lines() -> None:
    """Neither policy nor corpus differ."""
    assert Status.PASS is changed_ground.check(compare()).status


def test_a_stricter_policy_is_shown_and_does_not_apply() -> None:
    """Key by key, nested ones too."""
    policy = replace(POLICY, floors={"push_recall": 0.1, PUSH: {"push_recall": 0.2}})
    tree = replace(ground_of(MAIN), policy=policy)
    found = changed_ground.check(compare(tree=tree))
    assert "main's applies" in found.text
    assert ("policy floors.codex/push: nothing → {'push_recall': 0.2}",) == found.lines[:1]


def test_a_system_and_a_corpus_that_change_are_shown() -> None:
    """Entries of the policy, and files by name."""
    entry = SystemEntry(kind="command", command=("x",))
    policy = replace(POLICY, systems={"mine": entry})
    corpus = replace(OTHER_FILES, gold={**OTHER_FILES.gold, "c.gold.json": b""})
    tree = ground_of(NEW, policy=policy, corpus=corpus)
    found = changed_ground.check(compare(tree=tree, new_run=NEW))
    assert "judged on main's ground" in found.text
    assert "policy systems.mine" in found.lines[0]
    assert [
        "removed a.fixture.json",
        "added b.fixture.json",
        "added c.gold.json",
        "changed a.gold.json",
    ] == list(found.lines[1:])


def test_a_corpus_that_can_not_be_read_is_not_listed() -> None:
    """Base's, here."""
    base = replace(ground_of(MAIN), corpus=None)
    assert () == changed_ground.check(compare(base=base, tree=ground_of(MAIN))).lines
