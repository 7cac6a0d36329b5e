"""Measuring and judging apart, in one workflow and across a fork: `nox -s action`."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from tests.action import payloads
from tests.action.consumer import FORGETFUL, LEAKY, add_case
from tests.action.templates import read_templates

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.action.acting import Run, World

TEMPLATES = read_templates()
MEASURED = 900


def run_two_jobs(world: World, head: str) -> Run:
    """Run both jobs for a pull request of a head."""
    merge = world.open_pull(head)
    payload = payloads.pull_request(head=head, base=world.base)
    return world.act("pull_request", payload, merge, workflow=TEMPLATES["two-jobs"])


def measure_fork(world: World, head: str) -> str:
    """Run a fork's pull request, whose token can only read; gives the merge commit."""
    merge = world.open_pull(head, fork_id=payloads.FORK["id"])
    world.state.read_only, world.run_id = True, MEASURED
    payload = payloads.pull_request(head=head, base=world.base, fork=True)
    run = world.act("pull_request", payload, merge, workflow=TEMPLATES["two-jobs"])
    assert world.state.comments == world.state.statuses == [], run.log
    world.state.read_only, world.run_id = False, 4711
    return merge


def judge_fork(world: World, head: str) -> Run:
    """Run the trusted workflow after it, at the default branch."""
    payload = payloads.workflow_run(head=head, run_id=MEASURED)
    return world.act("workflow_run", payload, world.base, workflow=TEMPLATES["comment"])


@pytest.mark.parametrize(
    ("files", "verdict"),
    [({"README.md": "hello\n"}, "pass"), ({"memory.py": FORGETFUL}, "regression")],
)
def test_two_jobs_come_to_the_same_verdict_as_one(
    world: World, files: dict[str, str], verdict: str
) -> None:
    """The judge's own numbers, recomputed from the rows."""
    run = run_two_jobs(world, world.change(files))
    assert run.jobs == {"measure", "judge"}, run.log
    assert run.verdict()[0] == verdict, run.log
    assert run.ok == (verdict == "pass")
    assert len(world.state.statuses) == 1


def test_two_jobs_with_changed_ground_hand_over_both_runs(world: World) -> None:
    """HEAD on the new corpus, and HEAD on the base's."""
    run = run_two_jobs(world, world.change(add_case(1), ""))
    assert run.verdict()[0] == "pass", run.log


def test_measurement_that_fails_still_ends_in_a_status(world: World) -> None:
    """A required status that never comes would leave the pull request waiting."""
    run = run_two_jobs(world, world.change({"memory.py": "raise SystemExit(3)\n"}))
    assert run.jobs == {"measure", "judge"}, run.log
    assert run.verdict()[0] == "inconclusive", run.log
    assert world.state.statuses[-1]["state"] == "error"


def test_fork_is_judged_by_the_trusted_workflow(world: World) -> None:
    """Nothing of it is checked out; its numbers are marked as measured by the fork."""
    head = world.change({"memory.py": FORGETFUL})
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
    head = world.change({"memory.py": FORGETFUL})
    merge = world.open_pull(head, fork_id=payloads.FORK["id"])
    payload = payloads.workflow_dispatch(pull_request="7")
    run = world.act("workflow_dispatch", payload, world.base, workflow=TEMPLATES["again"])
    assert run.verdict()[0] == "regression", run.log
    assert run.outputs["base-sha"] == world.base
    assert world.state.statuses[-1]["url"].endswith(head)
    assert merge[:12] in world.state.comments[0]["body"]


def repack(world: World, edit: Callable[[dict[str, bytes]], dict[str, bytes]]) -> None:
    """Replace the newest artifact's files."""
    number = world.state.artifacts[-1]["id"]
    with zipfile.ZipFile(io.BytesIO(world.state.zips[number])) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in edit(files).items():
            archive.writestr(name, content)
    world.state.zips[number] = data.getvalue()


def edit_result(
    files: dict[str, bytes], edit: Callable[[dict[str, Any]], None]
) -> dict[str, bytes]:
    """Change the result document."""
    document = json.loads(files["result.json"])
    edit(document)
    return {**files, "result.json": json.dumps(document).encode()}


def _polish(document: dict[str, Any]) -> None:
    document["cells"][0]["gold_failed"] = 0
    document["cells"][1]["gold_failed"] = 0
    document["cells"][1]["metrics"]["push_recall"] = 1


def _other_commit(document: dict[str, Any]) -> None:
    document["receipt"]["harness_sha"] = "f" * 40


def _drop_rows(document: dict[str, Any]) -> None:
    document["turn_rows"] = document["item_rows"] = []


LIES: dict[str, Callable[[dict[str, bytes]], dict[str, bytes]]] = {
    "cells that contradict rows": lambda files: edit_result(files, _polish),
    "another commit": lambda files: edit_result(files, _other_commit),
    "no rows": lambda files: edit_result(files, _drop_rows),
    "Markdown": lambda files: {**files, "result.json": b"# All is well @team"},
    "a way out": lambda files: {**files, "../../evil.sh": b"#!"},
    "too many files": lambda files: {**files, **{f"f{n}.json": b"{}" for n in range(40)}},
    "a bomb": lambda files: {**files, "result.json": b" " * (65 * 1024 * 1024)},
    "nothing": lambda files: {},
}


@pytest.mark.parametrize("lie", sorted(LIES))
def test_artifact_that_lies_is_refused(world: World, lie: str) -> None:
    """Inconclusive, in the gate's own words: text of the artifact is never posted."""
    head = world.change({"memory.py": FORGETFUL})
    measure_fork(world, head)
    repack(world, LIES[lie])
    run = judge_fork(world, head)
    assert run.verdict()[0] == "inconclusive", run.log
    assert "All is well" not in str(world.state.comments)


def test_artifact_that_says_to_be_huge_is_not_downloaded(world: World) -> None:
    """The size is looked at first."""
    head = world.change({"memory.py": FORGETFUL})
    measure_fork(world, head)
    world.state.artifacts[-1]["size_in_bytes"] = 2 * 1024**3
    world.state.seen.clear()
    assert judge_fork(world, head).verdict() == ("inconclusive", "bad-input")
    assert not [path for _, path in world.state.seen if path.endswith("/zip")]


@pytest.mark.parametrize("kind", ["newer head", "another repository", "closed"])
def test_run_that_fits_no_open_pull_request_posts_nothing(world: World, kind: str) -> None:
    """The pull request is found by head commit and head repository, or not at all."""
    head = world.change({"memory.py": FORGETFUL})
    measure_fork(world, head)
    pull = world.state.pulls[7]
    if kind == "newer head":
        pull["head"]["sha"] = "f" * 40
    elif kind == "closed":
        pull["state"] = "closed"
    else:
        pull["head"]["repo"]["id"] = 3003
    run = judge_fork(world, head)
    assert run.verdict() == ("inconclusive", "origin-unknown"), run.log
    assert world.state.comments == world.state.statuses == []
