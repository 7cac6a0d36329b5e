"""Attacks by way of the workflow that calls the gate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.attacks.rows import row
from tests.gate.worlds import TREE, World, memory

if TYPE_CHECKING:
    from pathlib import Path

CALLER = ".github/workflows/memory.yml"
WORKFLOW = "on: pull_request\njobs:\n  gate:\n    steps: [{uses: org/brainbench-gate@v1}]\n"
EDITS = {
    "never runs": WORKFLOW.replace("  gate:\n", "  gate:\n    if: false\n"),
    "runs another gate": WORKFLOW.replace("org/", "mallory/"),
    "doesn't comment": WORKFLOW.replace("@v1}", "@v1, with: {comment: 'off'}}"),
    "is removed": None,
}


def guarded(tmp_path: Path) -> World:
    """A repository whose main branch has the workflow."""
    world = World(tmp_path, {**TREE, CALLER: WORKFLOW})
    world.origin.commit(world.blessed(), "Accept the first run")
    return world


@row(39)
@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_workflow_is_shown(tmp_path: Path, edit: str) -> None:
    """Whatever run there is tells of it; that one has to be is the ruleset's to require."""
    world = guarded(tmp_path)
    found = world.judge(world.propose({CALLER: EDITS[edit]}))
    assert (0, "held") == (found.code, found.reason)
    assert f"{'removed' if EDITS[edit] is None else 'changed'} {CALLER}" in found.lines


@row(39)
def test_an_edited_workflow_hides_no_regression(tmp_path: Path) -> None:
    """The note stands beside the verdict."""
    world = guarded(tmp_path)
    worse = memory(deaf=["Cyd Moon", "Bob Ray"])
    found = world.judge(world.propose({CALLER: EDITS["never runs"], **worse}))
    assert (1, "regression") == (found.code, found.reason)
    assert f"changed {CALLER}" in found.lines


@row(39)
def test_the_workflow_that_runs_is_known_by_the_runner(tmp_path: Path) -> None:
    """It calls the gate in a way that can't be read off it."""
    world = World(tmp_path, {**TREE, CALLER: "run: make check\n"})
    world.origin.commit(world.blessed(), "Accept the first run")
    head = world.propose({CALLER: "run: true\n"})
    found = world.judge(
        head, environ={"GITHUB_WORKFLOW_REF": f"octo/memory/{CALLER}@refs/pull/1/merge"}
    )
    assert f"changed {CALLER}" in found.lines
