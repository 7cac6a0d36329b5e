"""Attacks by way of what is checked out, and of what it is compared with, on the real action."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.action import payloads
from tests.action.acting import ONE_STEP, with_checkout, with_step
from tests.action.consumer import WORSE, bless
from tests.action.two_jobs import TWO_JOBS
from tests.attacks.rows import row

if TYPE_CHECKING:
    from tests.action.acting import World

NO_COMMIT = "f" * 40
HEAD_CHECKED_OUT = with_checkout(ONE_STEP, "ref: ${{ github.event.pull_request.head.sha }}")


def doctor(world: World) -> str:
    """Push a worse memory with a baseline that accepts it, then a harmless commit; gives that."""
    world.repo.branch("change", world.base)
    world.repo.write(WORSE)
    bless(world.repo)
    world.repo.commit({}, "doctored")
    head = world.repo.commit({"README.md": "hello\n"})
    world.repo.checkout("main")
    return head


@row(17)
def test_a_shallow_clone_gets_the_base_that_it_lacks(world: World) -> None:
    """Every checkout of a workflow is one; the gate fetches with the token of its own step."""
    shallow = '[ "$(git rev-parse --is-shallow-repository)" = true ] && ! git cat-file -e HEAD^'
    run = world.judge(world.change(WORSE), workflow=with_step(ONE_STEP, shallow))
    assert ("regression", "regression") == run.verdict(), run.log
    assert world.base == run.outputs["base-sha"]


@row(17)
def test_a_base_that_cant_be_fetched_gives_no_verdict(world: World) -> None:
    """The server refuses the token, so that nothing can be told to anybody either."""
    run = world.judge(world.change({"README.md": "hello\n"}), {"token": "of somebody else"})
    assert "inconclusive" == run.verdict()[0], run.log
    assert not run.ok
    assert world.state.comments == world.state.statuses == []


@row(17)
def test_a_base_that_the_server_does_not_have_gives_no_verdict(world: World) -> None:
    """As after a push by force to the base branch."""
    head = world.change({"README.md": "hello\n"})
    world.open_pull(head)
    payload = payloads.pull_request(head=head, base=NO_COMMIT)
    run = world.act("pull_request", payload, head)
    assert ("inconclusive", "missing-ref") == run.verdict(), run.log
    assert "error" == world.state.statuses[-1]["state"]


@row(17)
def test_a_removed_git_folder_is_no_first_landing(world: World) -> None:
    """Without a repository there is no base, and no verdict either."""
    run = world.judge(world.change(WORSE), workflow=with_step(ONE_STEP, "rm -rf .git"))
    assert "inconclusive" == run.verdict()[0], run.log


@row(36)
def test_the_head_in_place_of_the_merge_is_compared_with_the_events_base(world: World) -> None:
    """Its parent carries a baseline that accepts it."""
    run = world.judge(doctor(world), workflow=HEAD_CHECKED_OUT)
    assert "regression" == run.verdict()[0], run.log
    assert world.base == run.outputs["base-sha"]


@row(36)
@pytest.mark.parametrize("workflow", [ONE_STEP, TWO_JOBS], ids=["one step", "two jobs"])
def test_the_base_checked_out_instead_of_the_merge_is_refused(world: World, workflow: str) -> None:
    """It holds, and says nothing of the pull request that the status would stand on."""
    run = world.judge(world.change(WORSE), workflow=with_checkout(workflow, "ref: main"))
    assert ("inconclusive", "other-head") == run.verdict(), run.log
    assert "error" == world.state.statuses[-1]["state"]


@row(42)
def test_a_push_to_a_branch_is_compared_with_the_merge_base(world: World) -> None:
    """Where the branch stood before doesn't matter."""
    head = doctor(world)
    before = world.repo.id(f"{head}^")
    payload = payloads.push(before=before, after=head, ref="refs/heads/change")
    run = world.act("push", payload, head)
    assert "regression" == run.verdict()[0], run.log
    assert world.base == run.outputs["base-sha"]
    assert "brainbench/main/change" == world.state.statuses[-1]["context"]


@row(40)
def test_settings_and_hooks_of_the_clone_start_nothing(world: World) -> None:
    """An earlier step of the job can write them; no address is rewritten either."""
    trap = f"#!/bin/sh\ntouch {world.folder}/sprung\n"
    hooks = ("post-checkout", "post-index-change", "reference-transaction")
    head = world.change({**WORSE, **{f"traps/{name}": trap for name in hooks}})
    step = """\
chmod +x traps/*
git config core.fsmonitor "$PWD/traps/post-checkout"
git config core.sshCommand "$PWD/traps/post-checkout"
git config core.hooksPath "$PWD/traps"
git config url.https://elsewhere.example/.insteadOf http://
"""
    run = world.judge(head, workflow=with_step(ONE_STEP, step))
    assert ("regression", "regression") == run.verdict(), run.log
    assert not (world.folder / "sprung").exists()


@row(40)
def test_a_replaced_base_is_not_read(world: World) -> None:
    """What `git replace` writes puts the doctored commit in the base's place, in this clone."""
    replace = f'git update-ref refs/replace/{world.base} "$(git rev-parse HEAD)"'
    run = world.judge(doctor(world), workflow=with_step(ONE_STEP, replace))
    assert "regression" == run.verdict()[0], run.log
