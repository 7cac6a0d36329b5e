"""Attacks by the inputs of the real action: the workflow may be the pull request's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.action.acting import ONE_STEP
from tests.action.consumer import POLICY, WORSE, ground_files
from tests.attacks.rows import row

if TYPE_CHECKING:
    from tests.action.acting import World

HELLO = {"README.md": "hello\n"}
LAX = POLICY.format(name="main")
NAMES = ("working-directory", "config", "name", "system", "suites", "harnesses", "result", "base",
         "comment", "include-holdout", "python-version", "job")  # fmt: skip


@row(29)
@pytest.mark.parametrize(
    "value",
    ['"; touch pwned; "', "$(touch pwned)", "`touch pwned`", "a\nb", "${{ github.token }}", "../x"],
)
def test_a_hostile_value_is_inert(world: World, value: str) -> None:
    """It is a path that isn't there, or one that is refused; never a command."""
    run = world.judge(world.change(HELLO), {"config": value})
    assert not run.ok
    assert "inconclusive" == run.verdict()[0], run.log
    assert not list(world.folder.rglob("pwned"))


@row(29)
def test_no_input_reaches_a_shell(world: World) -> None:
    """Not one of them stands in a command."""
    run = world.judge(world.change(HELLO), dict.fromkeys(NAMES, '"$(touch pwned)";`touch pwned`'))
    assert not run.ok
    assert not list(world.folder.rglob("pwned"))


@row(32)
@pytest.mark.parametrize("place", ["inputs", "environment", "policy"])
def test_a_regression_is_not_allowed_in_ci(world: World, place: str) -> None:
    """`--allow-regression` is for a trial on one's own machine."""
    files, inputs, workflow = dict(WORSE), {}, ONE_STEP
    if place == "inputs":
        inputs = {"allow-regression": "we know"}
    elif place == "environment":
        names = ("BRAINBENCH_ALLOW_REGRESSION", "BRAINBENCH_INPUT_ALLOW_REGRESSION",
                 "ALLOW_REGRESSION")  # fmt: skip
        told = ", ".join(f"{name}: we know" for name in names)
        workflow = workflow.replace("permissions: {}\n", f"permissions: {{}}\nenv: {{{told}}}\n")
    else:
        files["brainbench.yml"] = f"{LAX}allow_regression: we know\n"
    run = world.judge(world.change(files), inputs, workflow=workflow)
    assert ("inconclusive" if place == "policy" else "regression") == run.verdict()[0], run.log
    assert not run.ok
    assert "success" != world.state.statuses[-1]["state"]


@row(33)
@pytest.mark.parametrize(
    "inputs",
    [
        {"system": "silent"},
        {"suites": "push"},
        {"harnesses": "codex"},
        {"include-holdout": "true"},
        {"name": "lax"},
        {"result": "result.json"},
    ],
    ids=str,
)
def test_an_input_against_the_bases_policy_is_refused(world: World, inputs: dict[str, str]) -> None:
    """What is measured is the policy's to say."""
    run = world.judge(world.change(HELLO), inputs)
    assert ("inconclusive", "input-contradicts-policy") == run.verdict(), run.log


@row(33)
def test_the_base_is_the_events_to_decide(world: World) -> None:
    """An input that names one is refused."""
    run = world.judge(world.change(HELLO), {"base": "HEAD"})
    assert ("inconclusive", "usage") == run.verdict(), run.log


@row(41)
def test_a_lax_policy_under_another_name_is_refused(world: World) -> None:
    """`config` can't take the place of the base's policy."""
    run = world.judge(world.change({**WORSE, "lax.yml": LAX}), {"config": "lax.yml"})
    assert ("inconclusive", "policy-sidestepped") == run.verdict(), run.log


@row(41)
def test_a_lax_policy_in_another_folder_is_refused(world: World) -> None:
    """`working-directory` neither, with a memory and a corpus that hold."""
    files = {f"lax/{name}": text for name, text in ground_files().items()}
    run = world.judge(world.change({**WORSE, **files}), {"working-directory": "lax"})
    assert ("inconclusive", "policy-sidestepped") == run.verdict(), run.log


@row(41)
def test_the_policy_is_not_deleted_first(world: World) -> None:
    """So that no lax one can land second."""
    run = world.judge(world.change({**WORSE, "brainbench.yml": None}))
    assert "inconclusive" == run.verdict()[0], run.log
