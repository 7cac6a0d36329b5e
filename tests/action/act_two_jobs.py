"""Measuring and judging apart, in one workflow and across a fork: `nox -s action`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.action import payloads
from tests.action.consumer import LEAKY, WORSE, add_case
from tests.action.two_jobs import TEMPLATES, TWO_JOBS, judge_fork, measure_fork

if TYPE_CHECKING:
    from tests.action.acting import World


@pytest.mark.parametrize(
    ("files", "verdict"),
    [({"README.md": "hello\n"}, "pass"), (WORSE, "regression")],
)
def test_two_jobs_come_to_the_same_verdict_as_one(
    world: World, files: dict[str, str], verdict: str
) -> None:
    """The judge's own numbers, recomputed from the rows."""
    run = world.judge(world.change(files), workflow=TWO_JOBS)
    assert run.jobs == {"measure", "judge"}, run.log
    assert run.verdict()[0] == verdict, run.log
    assert run.ok == (verdict == "pass")
    assert len(world.state.statuses) == 1


def test_two_jobs_with_changed_ground_hand_over_both_runs(world: World) -> None:
    """HEAD on the new corpus, and HEAD on the base's."""
    run = world.judge(world.change(add_case(1), ""), workflow=TWO_JOBS)
    assert run.verdict()[0] == "pass", run.log


def test_measurement_that_fails_still_ends_in_a_status(world: World) -> None:
    """A required status that never comes would leave the pull request waiting."""
    run = world.judge(world.change({"memory.py": "raise SystemExit(3)\n"}), workflow=TWO_JOBS)
    assert run.jobs == {"measure", "judge"}, run.log
    assert run.verdict()[0] == "inconclusive", run.log
    assert world.state.statuses[-1]["state"] == "error"


def test_fork_is_judged_by_the_trusted_workflow(world: World) -> None:
    """Nothing of it is checked out; its numbers are marked as measured by the fork."""
    head = world.change(WORSE)
    merge = measure_fork(world, head)
    run = judge_fork(world, head)
    assert run.verdict()[0] == "regression", run.log
    [comment] = world.state.comments
    assert "Measured by the fork's own run" in comment["body"]
    assert world.state.statuses[-1]["url"].endswith(head)
    assert merge[:12] in comment["body"]


def test_fork_that_changes_the_corpus_is_judged_on_both(world: World) -> None:
    """The artifact holds a second document: HEAD on the base's corpus."""
    head = world.change(add_case(1), "")
    measure_fork(world, head)
    run = judge_fork(world, head)
    assert run.verdict()[0] == "pass", run.log


def test_leaking_fork_is_blocked(world: World) -> None:
    """Leaks are recomputed from the rows and the corpus."""
    head = world.change({"memory.py": LEAKY})
    measure_fork(world, head)
    assert judge_fork(world, head).verdict() == ("regression", "isolation")


def test_button_measures_a_pull_request_again(world: World) -> None:
    """Status and comment are the pull request's, whatever branch the button stands on."""
    head = world.change(WORSE)
    merge = world.open_pull(head, fork_id=payloads.FORK["id"])
    payload = payloads.workflow_dispatch(pull_request="7")
    run = world.act("workflow_dispatch", payload, world.base, workflow=TEMPLATES["again"])
    assert run.verdict()[0] == "regression", run.log
    assert run.outputs["base-sha"] == world.base
    assert world.state.statuses[-1]["url"].endswith(head)
    assert merge[:12] in world.state.comments[0]["body"]
