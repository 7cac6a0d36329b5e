"""The real action in odd places: `nox -s action`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.action.acting import ONE_STEP, make_template, with_checkout
from tests.action.consumer import FORGETFUL, POLICY, WORSE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.action.acting import World


def test_path_with_spaces(world: World) -> None:
    """Checked out below a folder: every path is one word to the shell."""
    workflow = with_checkout(ONE_STEP, 'path: "a work space"')
    run = world.judge(world.change(WORSE), {"working-directory": "a work space"}, workflow=workflow)
    assert run.verdict()[0] == "regression", run.log


def test_working_directory(make_world: Callable[..., World], tmp_path: Path) -> None:
    """Policy, corpus, baseline and memory below a folder; `uses:` itself ignores it."""
    world = make_world(start=make_template(tmp_path / "nested", below="services/my memory"))
    head = world.change({"services/my memory/memory.py": FORGETFUL})
    run = world.judge(head, {"working-directory": "services/my memory"})
    assert run.verdict()[0] == "regression", run.log
    assert "services/my memory/evals/brainbench/fixtures/tiny-project.fixture.json" in run.log


def test_environment_is_made_by_the_action_itself(world: World) -> None:
    """The only scenario without a prebuilt environment: hash-locked wheels, then a verdict."""
    world.environment = None
    run = world.judge(world.change(WORSE))
    assert run.verdict()[0] == "regression", run.log


def test_second_gate_leaves_the_first_alone(world: World) -> None:
    """Name, baseline, comment and status of its own."""
    second = POLICY.format(name="second") + "baseline: baselines/second.json\n"
    head = world.change({"second.yml": second})
    run = world.judge(head, {"config": "second.yml"})
    assert run.verdict() == ("pass", "bootstrap"), run.log
    assert world.state.statuses[-1]["context"] == "brainbench/second/main"
