"""Attacks by files of the checkout that have the names of the gate's own, on the real action."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.action.acting import ONE_STEP
from tests.action.consumer import WORSE
from tests.attacks.rows import row

if TYPE_CHECKING:
    from tests.action.acting import Run, World

DECOY = "import sys\nprint('decoy ran', file=sys.stderr)\nsys.exit(0)\n"
STAND_INS = (
    "brainbench_gate/__init__.py",
    "brainbench_gate/__main__.py",
    "brainbench_schema.py",
    "httpx.py",
    "nox.py",
    "sitecustomize.py",
    "usercustomize.py",
)
SESSIONS = ("noxfile.py", "conftest.py", "action/noxfile.py", ".nox/publish/bin/python")
JOB = "    runs-on: ubuntu-latest\n"
FOLDERS = (
    "    env: {PYTHONPATH: ., PYTHONSTARTUP: sitecustomize.py, PYTHONUSERBASE: ., NOXFILE: .}\n"
)


def judge_with(world: World, names: tuple[str, ...], workflow: str = ONE_STEP) -> Run:
    """Judge a worse memory beside decoys."""
    head = world.change({**WORSE, **dict.fromkeys(names, DECOY)})
    return world.judge(head, workflow=workflow)


@row(27)
@pytest.mark.parametrize("workflow", [ONE_STEP, ONE_STEP.replace(JOB, JOB + FOLDERS)])
def test_a_decoy_of_the_gate_is_not_imported(world: World, workflow: str) -> None:
    """Nor what Python would start by itself, also where variables of the job lead there."""
    run = judge_with(world, STAND_INS, workflow)
    assert ("regression", "regression") == run.verdict(), run.log
    assert "decoy ran" not in run.log


@row(37)
def test_the_checkouts_own_sessions_are_not_run(world: World) -> None:
    """The action has a noxfile of its own, and an environment apart."""
    run = judge_with(world, SESSIONS)
    assert ("regression", "regression") == run.verdict(), run.log
    assert "decoy ran" not in run.log
