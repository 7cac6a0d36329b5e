"""Attacks by what a fork's run hands over to the real action."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.action import payloads
from tests.action.consumer import POLICY, WORSE
from tests.action.two_jobs import (
    edit_result,
    judge_fork,
    measure_fork,
    read_artifact,
    write_artifact,
)
from tests.attacks.rows import row

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.action.acting import Run, World
    from tests.action.two_jobs import Files

TOO_LARGE = 2 * 1024**3
OTHER = 8
"""Number of somebody else's pull request."""


def judge_lie(world: World, lie: Callable[[Files], Files]) -> Run:
    """Judge a fork whose artifact was changed on the way."""
    head = world.change(WORSE)
    measure_fork(world, head)
    write_artifact(world, lie(read_artifact(world)))
    return judge_fork(world, head)


def polish(document: dict[str, Any]) -> None:
    """Say that nothing fails."""
    document["cells"][0]["gold_failed"] = 0
    document["cells"][1]["gold_failed"] = 0
    document["cells"][1]["metrics"]["push_recall"] = 1


def drop_rows(document: dict[str, Any]) -> None:
    """Leave nothing to count again."""
    document["turn_rows"] = document["item_rows"] = []


def name_another(document: dict[str, Any]) -> None:
    """Name a commit that nobody has."""
    document["receipt"]["harness_sha"] = "f" * 40


def say_number(document: dict[str, Any]) -> None:
    """Say where the verdict belongs."""
    document["pull_request"] = OTHER


LIES: dict[str, Callable[[Files], Files]] = {
    "a commit that isn't there": lambda files: edit_result(files, name_another),
    "another number": lambda files: edit_result(files, say_number),
    "no rows": lambda files: edit_result(files, drop_rows),
    "Markdown": lambda files: {**files, "result.json": b"# All is well @team"},
    "Markdown beside it": lambda files: {**files, "comment.md": b"# All is well @team"},
    "a way out": lambda files: {**files, "../../evil.sh": b"#!"},
    "too many files": lambda files: {**files, **{f"f{n}.json": b"{}" for n in range(40)}},
    "a bomb": lambda files: {**files, "result.json": b" " * (65 * 1024 * 1024)},
    "nothing": lambda files: {},
}


@row(28)
@pytest.mark.parametrize("lie", sorted(LIES))
def test_an_artifact_that_lies_is_refused(world: World, lie: str) -> None:
    """Inconclusive, in the gate's own words: text of the artifact is never posted."""
    world.state.add_pull(OTHER, head="8" * 40, base=world.base)
    run = judge_lie(world, LIES[lie])
    assert "inconclusive" == run.verdict()[0], run.log
    assert not run.ok
    assert "All is well" not in str(world.state.comments)
    assert [] == world.state.comments_of(OTHER)
    assert "success" not in {status["state"] for status in world.state.statuses}


@row(35)
def test_cells_that_contradict_their_rows_are_refused(world: World) -> None:
    """Numbers are computed again from rows, corpus and gold."""
    run = judge_lie(world, lambda files: edit_result(files, polish))
    assert ("inconclusive", "bad-input") == run.verdict(), run.log
    assert "contradicts its rows" in world.state.comments[0]["body"]


@row(28)
def test_a_run_of_another_pull_request_is_refused(world: World) -> None:
    """It measured a commit that is there, and good; it is not this one's merge."""
    good = world.repo.branch("good", world.base).commit({"README.md": "hello\n"})
    world.repo.checkout("main")
    world.state.add_pull(OTHER, head=good, base=world.base)
    merge = world.repo.pull_request(OTHER, good)

    def name_merge(document: dict[str, Any]) -> None:
        document["receipt"]["harness_sha"] = merge

    run = judge_lie(world, lambda files: edit_result(files, name_merge))
    assert ("inconclusive", "origin-unknown") == run.verdict(), run.log
    assert [] == world.state.comments_of(OTHER)
    assert all(not status["url"].endswith(good) for status in world.state.statuses)


@row(28)
def test_an_artifact_that_says_to_be_huge_is_not_downloaded(world: World) -> None:
    """The size is looked at first."""
    head = world.change(WORSE)
    measure_fork(world, head)
    world.state.artifacts[-1]["size_in_bytes"] = TOO_LARGE
    world.state.seen.clear()
    assert ("inconclusive", "bad-input") == judge_fork(world, head).verdict()
    assert [] == [path for _, path in world.state.seen if path.endswith("/zip")]


@row(28)
def test_an_artifact_larger_than_it_says_is_not_read_to_its_end(world: World) -> None:
    """What comes is counted too."""
    head = world.change(WORSE)
    measure_fork(world, head)
    world.state.zips[world.state.artifacts[-1]["id"]] += b"\0" * (40 * 1024 * 1024)
    run = judge_fork(world, head)
    assert "inconclusive" == run.verdict()[0], run.log
    assert "larger than" in run.log


@row(28)
@pytest.mark.parametrize("kind", ["newer head", "another repository", "closed"])
def test_a_run_that_fits_no_open_pull_request_posts_nothing(world: World, kind: str) -> None:
    """The pull request is found by head commit and head repository, or not at all."""
    head = world.change(WORSE)
    measure_fork(world, head)
    pull = world.state.pulls[7]
    if kind == "newer head":
        pull["head"]["sha"] = "f" * 40
    elif kind == "closed":
        pull["state"] = "closed"
    else:
        pull["head"]["repo"]["id"] = 3003
    run = judge_fork(world, head)
    assert ("inconclusive", "origin-unknown") == run.verdict(), run.log
    assert world.state.comments == world.state.statuses == []


@row(28)
def test_a_fork_that_forges_githubs_merge_is_refused(world: World) -> None:
    """Its commit has the right parents and main's own tree, its artifact the rows of main."""
    head = world.change({**WORSE, "brainbench.yml": "schema_version: 1\nsystem: reflex\n"})
    harmless = world.change({"README.md": "hello\n"})
    measure_fork(world, harmless)
    tree, parents = f"{world.base}^{{tree}}", ("-p", world.base, "-p", head)
    forged = world.repo.git("commit-tree", tree, *parents, "-m", "merge")
    world.repo.git("update-ref", "refs/heads/forged", forged)
    files = edit_result(
        read_artifact(world), lambda document: document["receipt"].update(harness_sha=forged)
    )
    write_artifact(world, files)
    world.open_pull(head, fork_id=payloads.FORK["id"])
    run = judge_fork(world, head)
    assert ("inconclusive", "origin-unknown") == run.verdict(), run.log
    assert all("success" != status["state"] for status in world.state.statuses)


@row(28)
def test_results_of_two_commits_are_refused(world: World) -> None:
    """Each document has to be of the commit that is judged."""
    head = world.change(
        {**WORSE, "brainbench.yml": POLICY.format(name="main") + "suites: [push]\n"}
    )
    measure_fork(world, head)
    files = read_artifact(world)
    second = json.loads(files["result-2.json"])
    second["receipt"]["harness_sha"] = "f" * 40
    write_artifact(world, {**files, "result-2.json": json.dumps(second).encode()})
    run = judge_fork(world, head)
    assert ("inconclusive", "bad-input") == run.verdict(), run.log
