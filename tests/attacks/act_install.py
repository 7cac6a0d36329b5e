"""Attacks by the step that installs a memory, before the real action and after it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from tests.action.acting import ONE_STEP, PROJECT, with_step
from tests.action.consumer import GOLD, MEMORY, POLICY, WORSE
from tests.action.two_jobs import TWO_JOBS
from tests.attacks.rows import row

if TYPE_CHECKING:
    from tests.action.acting import World

FAKE_GIT = (
    "mkdir -p evil; printf '#!/bin/sh\\nexit 0\\n' > evil/git; chmod +x evil/git; "
    "echo $PWD/evil >> $GITHUB_PATH"
)
EVIL = {
    "evil/sitecustomize.py": "raise SystemExit(0)\n",
    "evil.sh": '[ -z "$ACTION" ] || exit 0\n',
}
STEPS = (
    "echo PYTHONPATH=$PWD/evil >> $GITHUB_ENV",
    "echo PYTHONHOME=$PWD/evil >> $GITHUB_ENV",
    "echo BASH_ENV=$PWD/evil.sh >> $GITHUB_ENV",
    "echo PIP_TARGET=$PWD/evil >> $GITHUB_ENV",
    "echo NOXSESSION=evil >> $GITHUB_ENV",
    "echo GIT_DIR=$PWD/evil >> $GITHUB_ENV",
    "echo BRAINBENCH_INPUT_SYSTEM=silent >> $GITHUB_ENV",
    FAKE_GIT,
)
EDIT = f"echo >> {GOLD}/tiny-project.gold.json"


@row(43)
@pytest.mark.parametrize("step", STEPS)
def test_an_install_step_decides_nothing(world: World, step: str) -> None:
    """It can set variables and paths for the steps after it, in files that the runner reads."""
    run = world.judge(world.change({**WORSE, **EVIL}), workflow=with_step(ONE_STEP, step))
    assert ("regression", "regression") == run.verdict(), run.log


@row(43)
def test_an_install_step_that_edits_gold_is_refused(world: World) -> None:
    """What is judged is the commit, and the work tree has to equal it."""
    run = world.judge(world.change(WORSE), workflow=with_step(ONE_STEP, EDIT))
    assert "inconclusive" == run.verdict()[0], run.log


@row(43)
@pytest.mark.parametrize("workflow", [ONE_STEP, TWO_JOBS], ids=["one step", "two jobs"])
def test_an_install_step_that_commits_a_better_memory_is_refused(
    world: World, workflow: str
) -> None:
    """What is measured is then another commit than the one that the status stands on."""
    commit = "git -c user.name=x -c user.email=x@example.org commit -qam better"
    head = world.change({**WORSE, "better.py": MEMORY})
    workflow = with_step(workflow, f"cp better.py memory.py\n{commit}")
    run = world.judge(head, workflow=workflow)
    assert "inconclusive" == run.verdict()[0], run.log
    assert "error" == world.state.statuses[-1]["state"]


FORGED_MERGE = """\
cp better.py memory.py; cp main.yml brainbench.yml; git add memory.py brainbench.yml
( echo "tree $(git write-tree)"; git cat-file -p HEAD | sed -n '2,/^$/p'; echo merge ) > forged
git update-ref --no-deref HEAD $(git hash-object -t commit -w forged); rm forged"""


@row(43)
@pytest.mark.parametrize("workflow", [ONE_STEP, TWO_JOBS], ids=["one step", "two jobs"])
def test_an_install_step_that_forges_the_merge_is_refused(world: World, workflow: str) -> None:
    """It has the parents of GitHub's own merge, and another memory and policy."""
    policy = POLICY.format(name="main")
    files = {"better.py": MEMORY, "main.yml": policy, "brainbench.yml": f"{policy}suites: [push]\n"}
    run = world.judge(world.change({**WORSE, **files}), workflow=with_step(workflow, FORGED_MERGE))
    assert "inconclusive" == run.verdict()[0], run.log
    assert "error" == world.state.statuses[-1]["state"]


@row(43)
def test_the_job_that_judges_is_untouched_by_the_one_that_measures(world: World) -> None:
    """All of it at once, in the job that runs the pull request's code."""
    workflow = with_step(TWO_JOBS, "\n".join(STEPS))
    run = world.judge(world.change({**WORSE, **EVIL}), workflow=workflow)
    assert {"measure", "judge"} == run.jobs, run.log
    assert "pass" != run.verdict()[0], run.log
    assert "success" != world.state.statuses[-1]["state"]


@row(43)
def test_gold_that_is_edited_before_measuring_is_not_judged(world: World) -> None:
    """The job that measures ends without a result, and the one that judges says so."""
    run = world.judge(world.change(WORSE), workflow=with_step(TWO_JOBS, EDIT))
    assert {"measure", "judge"} == run.jobs, run.log
    assert "inconclusive" == run.verdict()[0], run.log
    assert "error" == world.state.statuses[-1]["state"]


@row(35)
@row(43)
def test_a_result_that_is_edited_after_measuring_is_not_judged(world: World) -> None:
    """The job that measures can upload what it likes; cells have to follow from rows."""
    [upload] = re.findall(
        r"actions/upload-artifact@\w+", (PROJECT / "action.yml").read_text("utf-8")
    )
    steps = f"""\
      - run: sed -i 's/"gold_failed":[ ]*[1-9]/"gold_failed":0/' $RUNNER_TEMP/*/result.json
      - uses: {upload}
        with: {{name: brainbench-main, path: "${{{{ runner.temp }}}}/brainbench-artifact"}}
  judge:
"""
    workflow = TWO_JOBS.replace("  judge:\n", steps)
    run = world.judge(world.change(WORSE), workflow=workflow)
    assert 2 == len(world.state.artifacts), run.log
    assert ("inconclusive", "bad-input") == run.verdict(), run.log
