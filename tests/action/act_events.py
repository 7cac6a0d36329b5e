"""The real action for each event, run by act: `nox -s action`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.action import payloads
from tests.action.acting import ONE_STEP, make_template
from tests.action.consumer import POLICY, WORSE, drifting

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.action.acting import World

CLOSED = {"brainbench.yml": POLICY.format(name="main")}


def test_pass_sets_the_status_and_says_nothing_more(world: World) -> None:
    """Nothing moved, so that nobody is told."""
    head = world.change({"README.md": "hello\n"})
    run = world.judge(head)
    assert run.verdict() == ("pass", "held"), run.log
    assert run.ok
    assert run.outputs["base-sha"] == world.base
    assert world.state.comments == []
    [status] = world.state.statuses
    assert (status["state"], status["context"]) == ("success", "brainbench/main/main")
    assert status["url"].endswith(head)
    assert [one["name"] for one in world.state.artifacts] == ["brainbench-main"]


def test_regression_blocks_and_is_explained(world: World) -> None:
    """One comment, one red status, annotations at the turn and in the baseline."""
    run = world.judge(world.change(WORSE))
    assert run.verdict() == ("regression", "regression"), run.log
    assert not run.ok
    assert run.outputs["newly-failed"] == "1"
    [comment] = world.state.comments
    assert "### ❌ BrainBench: Worse" in comment["body"]
    assert run.outputs["comment-url"] == comment["html_url"]
    assert world.state.statuses[-1]["state"] == "failure"
    assert "tiny-project.fixture.json" in run.log


def test_fixed_again_updates_the_comment(world: World) -> None:
    """The comment that said "worse" says "holds"."""
    world.judge(world.change(WORSE))
    run = world.judge(world.change({"README.md": "mended\n"}))
    assert run.ok, run.log
    [comment] = world.state.comments
    assert "Holds" in comment["body"]


def test_first_landing_does_not_gate_yet(make_world: Callable[..., World], tmp_path: Path) -> None:
    """A base with policy and corpus, and no baseline; the head brings one."""
    world = make_world(start=make_template(tmp_path / "fresh", blessed=False))
    run = world.judge(world.change({}, ""))
    assert run.verdict() == ("pass", "bootstrap"), run.log


def test_first_landing_can_be_asked_to_bring_its_baseline(
    make_world: Callable[..., World], tmp_path: Path
) -> None:
    """`first_landing: fail` blocks until one is committed that equals the run."""
    strict = {"brainbench.yml": f"{POLICY.format(name='main')}first_landing: fail\n"}
    start = make_template(tmp_path / "strict", files=strict, blessed=False)
    world = make_world(start=start)
    run = world.judge(world.change({"README.md": "hello\n"}))
    assert run.verdict() == ("inconclusive", "bootstrap"), run.log
    assert not run.ok
    assert world.state.statuses[-1]["state"] == "error"
    run = world.judge(world.change({}, ""))
    assert run.verdict() == ("pass", "bootstrap"), run.log
    assert run.ok
    assert world.state.statuses[-1]["state"] == "success"


@pytest.mark.parametrize("more", [{"draft": True}, {"state": "closed"}])
def test_drafts_and_closed_ones_are_judged_alike(world: World, more: dict[str, Any]) -> None:
    """A draft is worth a verdict, and closing one changes none."""
    head = world.change(WORSE)
    merge = world.open_pull(head)
    payload = payloads.pull_request(head=head, base=world.base, action="closed", **more)
    run = world.act("pull_request", payload, merge)
    assert run.verdict()[0] == "regression", run.log


@pytest.mark.parametrize(
    ("files", "verdict", "state"),
    [({"README.md": "hello\n"}, "pass", "success"), (WORSE, "regression", "failure")],
)
def test_merge_group_gets_a_status_and_no_comment(
    world: World, files: dict[str, str], verdict: str, state: str
) -> None:
    """It has no number; the queue waits for the status on the group's own commit."""
    merge = world.open_pull(world.change(files))
    run = world.act("merge_group", payloads.merge_group(head=merge, base=world.base), merge)
    assert (run.verdict()[0], run.ok) == (verdict, verdict == "pass"), run.log
    assert world.state.comments == []
    [status] = world.state.statuses
    assert (status["state"], status["context"]) == (state, "brainbench/main/main")
    assert status["url"].endswith(merge)


def test_group_of_two_is_judged_as_what_main_will_be(world: World) -> None:
    """One of the two makes memory worse; neither's own merge is the group's commit."""
    heads = [world.change(WORSE)]
    world.repo.branch("other", world.base)
    heads.append(world.repo.commit({"README.md": "hello\n"}))
    queue = world.repo.branch("gh-readonly-queue/main/pr-7-abc", world.base)
    group = [queue.merge(head) for head in heads][-1]
    world.repo.checkout("main")
    merge = world.open_pull(heads[-1])
    run = world.act("merge_group", payloads.merge_group(head=group, base=world.base), group)
    assert run.verdict()[0] == "regression", run.log
    assert run.outputs["base-sha"] == world.base
    [status] = world.state.statuses
    assert (status["state"], status["url"].rsplit("/", 1)[-1]) == ("failure", group)
    assert group not in (merge, *heads)


def test_push_to_the_default_branch_is_compared_with_what_it_was(world: World) -> None:
    """An administrator's bypass fails on the default branch itself."""
    world.repo.write(WORSE)
    head = world.repo.commit({})
    run = world.act("push", payloads.push(before=world.base, after=head), head)
    assert run.verdict()[0] == "regression", run.log
    assert world.state.statuses[-1]["url"].endswith(head)


@pytest.mark.parametrize("event", ["schedule", "workflow_dispatch"])
def test_timer_and_button_compare_head_with_itself(world: World, event: str) -> None:
    """Drift of the environment shows."""
    payload = payloads.schedule() if event == "schedule" else payloads.workflow_dispatch()
    run = world.act(event, payload, world.base)
    assert run.verdict() == ("pass", "held"), run.log
    assert run.outputs["base-sha"] == world.base
    assert world.state.statuses[-1]["url"].endswith(world.base)


@pytest.mark.parametrize("event", ["schedule", "workflow_dispatch"])
def test_drift_of_what_the_policy_lets_through_is_a_regression(
    make_world: Callable[..., World], tmp_path: Path, event: str
) -> None:
    """The same commit, and another value of a variable that the memory reads."""
    start = make_template(tmp_path / "drifting", files=drifting("WEIR_INDEX"))
    world = make_world(start=start)
    payload = payloads.schedule() if event == "schedule" else payloads.workflow_dispatch()
    assert world.act(event, payload, world.base).verdict() == ("pass", "held")
    world.extra["WEIR_INDEX"] = "projects/granite-weir"
    run = world.act(event, payload, world.base)
    assert run.verdict() == ("regression", "regression"), run.log
    assert not run.ok
    assert (run.outputs["base-sha"], run.outputs["newly-failed"]) == (world.base, "1")
    states = [(one["state"], one["url"].rsplit("/", 1)[-1]) for one in world.state.statuses]
    assert states == [("success", world.base), ("failure", world.base)]
    assert world.state.comments == []


def test_variable_that_the_policy_does_not_name_reaches_no_memory(
    make_world: Callable[..., World], tmp_path: Path
) -> None:
    """The same world without the line `env`: what drifts there doesn't matter."""
    start = make_template(tmp_path / "closed", files={**drifting("WEIR_INDEX"), **CLOSED})
    world = make_world(start=start)
    world.extra["WEIR_INDEX"] = "projects/granite-weir"
    run = world.act("schedule", payloads.schedule(), world.base)
    assert run.verdict() == ("pass", "held"), run.log


def test_dependabot_can_only_read_and_gets_the_verdict_all_the_same(world: World) -> None:
    """Two lines name the missing permissions; the exit code is the verdict's."""
    world.state.read_only = True
    head = world.change(WORSE)
    merge = world.open_pull(head)
    payload = payloads.pull_request(head=head, base=world.base)
    payload["sender"] = {"login": "dependabot[bot]", "type": "Bot"}
    run = world.act("pull_request", payload, merge)
    assert run.verdict()[0] == "regression", run.log
    assert "pull-requests: write" in run.log
    assert "statuses: write" in run.log


def test_pull_request_target_runs_nothing_of_the_head(world: World) -> None:
    """Refused, whatever was checked out."""
    head = world.change({"memory.py": "raise SystemExit('ran')\n"})
    merge = world.open_pull(head)
    payload = payloads.pull_request(head=head, base=world.base)
    run = world.act("pull_request_target", payload, merge, workflow=ONE_STEP)
    assert run.verdict() == ("inconclusive", "usage"), run.log
    assert not run.ok
