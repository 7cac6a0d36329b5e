"""The base of a run in real repositories, one event after the other."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.gate.base.hosting import BASELINE, Hosted, baseline

from brainbench_gate.base import (
    BaseChoice,
    EventName,
    Remote,
    Repository,
    find_base,
    of_pull_request,
)
from brainbench_gate.base.errors import (
    AncestryError,
    ForeignParentError,
    MissingRefError,
    NoMergeBaseError,
)
from brainbench_schema.errors import UsageError

# pull_request


@pytest.mark.parametrize("depth", [1, 2, None])
def test_pull_request_on_an_unmoved_branch(hosted: Hosted, depth: int | None) -> None:
    """The merge commit's first parent is the base commit itself."""
    hosted.origin.pull_request(1, hosted.head)
    with hosted.job("refs/pull/1/merge", depth=depth) as repository:
        choice = find_base(repository, hosted.pull_request())
        assert choice == BaseChoice(
            ref="refs/heads/main",
            commit=hosted.opened_on,
            why="it is the first parent of the pull request's merge commit",
        )
        assert baseline(repository, choice) == b"1"


@pytest.mark.parametrize("depth", [1, 2, None])
def test_pull_request_on_a_branch_that_moved_on(hosted: Hosted, depth: int | None) -> None:
    """GitHub merges into the branch's tip, which follows the event's base commit."""
    hosted.move_on()
    tip = hosted.move_on()
    hosted.origin.pull_request(1, hosted.head)
    hosted.move_on()
    with hosted.job("refs/pull/1/merge", depth=depth) as repository:
        choice = find_base(repository, hosted.pull_request())
        assert choice.commit == tip
        assert baseline(repository, choice) == b"2"


@pytest.mark.parametrize("depth", [1, None])
def test_pull_request_with_its_head_checked_out(hosted: Hosted, depth: int | None) -> None:
    """Attack 36: the parents of the head are the contributor's; the event's base applies."""
    hosted.origin.checkout("topic")
    hosted.origin.commit({BASELINE: "doctored"})
    doctored = hosted.origin.head
    hosted.head = hosted.origin.commit({"code": "worse"})
    assert hosted.origin.id("HEAD^") == doctored
    with hosted.job("refs/heads/topic", depth=depth) as repository:
        choice = find_base(repository, hosted.pull_request())
        assert choice.commit == hosted.opened_on
        assert baseline(repository, choice) == b"1"


def test_pull_request_whose_head_is_a_merge(hosted: Hosted) -> None:
    """Attack 36 with two parents: the second one is not the head."""
    hosted.origin.branch("doctored").commit({BASELINE: "doctored"})
    hosted.origin.merge("topic")
    hosted.head = hosted.origin.head
    with hosted.job("refs/heads/doctored") as repository:
        assert find_base(repository, hosted.pull_request()).commit == hosted.opened_on


@pytest.mark.parametrize("depth", [1, None])
def test_a_forged_merge_commit_is_refused(hosted: Hosted, depth: int | None) -> None:
    """Its second parent is the head, its first parent was never on the base branch."""
    hosted.origin.branch("doctored").commit({BASELINE: "doctored"})
    hosted.origin.pull_request(1, hosted.head, base="doctored")
    hosted.origin.checkout("main")
    with (
        hosted.job("refs/pull/1/merge", depth=depth) as repository,
        pytest.raises(ForeignParentError),
    ):
        find_base(repository, hosted.pull_request())


def test_an_older_first_parent_is_refused(hosted: Hosted) -> None:
    """It is on the base branch, but before the event's base commit: a replayed baseline."""
    hosted.origin.pull_request(1, hosted.head, base=hosted.root)
    with hosted.job("refs/pull/1/merge") as repository, pytest.raises(ForeignParentError):
        find_base(repository, hosted.pull_request())


@pytest.mark.parametrize(
    ("answers", "error"),
    [
        ({"ahead"}, None),
        ({"ahead", "identical"}, None),
        ({"ahead", "diverged"}, ForeignParentError),
        ({"behind"}, ForeignParentError),
        ({"ahead", None}, AncestryError),
    ],
)
def test_the_compare_api_is_asked_where_the_history_can_not_be_fetched(
    hosted: Hosted, answers: set[str | None], error: type[Exception] | None
) -> None:
    """The base branch was deleted; only what the API says is left."""
    tip = hosted.move_on()
    hosted.origin.pull_request(1, hosted.head)
    hosted.origin.git("branch", "-m", "main", "renamed")
    asked: list[tuple[str, str]] = []
    left = sorted(answers, key=str)

    def compare(base: str, head: str) -> str | None:
        asked.append((base, head))
        return left[len(asked) % len(left)]

    with hosted.job("refs/pull/1/merge", depth=2) as repository:
        if error is None:
            assert find_base(repository, hosted.pull_request(), compare=compare).commit == tip
        else:
            with pytest.raises(error):
                find_base(repository, hosted.pull_request(), compare=compare)
    assert sorted(asked) == sorted([(hosted.opened_on, tip), (tip, "main")])


def test_ancestry_that_nothing_shows_is_refused(hosted: Hosted) -> None:
    """No history, no API: the reason is told."""
    hosted.move_on()
    hosted.origin.pull_request(1, hosted.head)
    with hosted.job("refs/pull/1/merge") as repository:
        event = replace(hosted.pull_request(), server_url=f"{hosted.folder.as_uri()}/none")
        with pytest.raises(AncestryError, match="could not be fetched") as caught:
            find_base(repository, event)
    assert caught.value.reason == "ancestry-unknown"


def test_pull_request_target_checks_the_base_branch_out(hosted: Hosted) -> None:
    """Its HEAD has no part in the choice."""
    hosted.move_on()
    with hosted.job("refs/heads/main") as repository:
        event = hosted.pull_request(EventName.PULL_REQUEST_TARGET)
        assert find_base(repository, event).commit == hosted.opened_on


# Other events


def test_merge_group(hosted: Hosted) -> None:
    """The group's base, which may itself be a queued merge."""
    base = hosted.origin.branch("gh-readonly-queue/main/pr-1").merge("topic")
    hosted.origin.branch("gh-readonly-queue/main/pr-2").commit({"code": "3"})
    event = replace(
        hosted.event(EventName.MERGE_GROUP),
        base_sha=base,
        base_ref="refs/heads/main",
        head_sha=hosted.origin.head,
    )
    with hosted.job("refs/heads/gh-readonly-queue/main/pr-2") as repository:
        choice = find_base(repository, event)
        assert choice.commit == base
        assert baseline(repository, choice) == b"1"


def test_push_on_the_default_branch(hosted: Hosted) -> None:
    """What it was before, also behind several commits."""
    hosted.move_on()
    hosted.move_on()
    with hosted.job("refs/heads/main") as repository:
        choice = find_base(repository, hosted.push("refs/heads/main", hosted.opened_on))
        assert choice.commit == hosted.opened_on
        assert baseline(repository, choice) == b"1"


def test_push_that_creates_the_default_branch(hosted: Hosted) -> None:
    """A first landing."""
    with hosted.job("refs/heads/main") as repository:
        assert find_base(repository, hosted.push("refs/heads/main")).commit is None


@pytest.mark.parametrize("depth", [1, 2, None])
def test_push_on_another_branch(hosted: Hosted, depth: int | None) -> None:
    """Attack 42: a doctored baseline lands first, the regression second; neither is the base."""
    hosted.move_on()
    hosted.origin.checkout("topic")
    doctored = hosted.origin.commit({BASELINE: "doctored"})
    hosted.origin.commit({"code": "worse"})
    with hosted.job("refs/heads/topic", depth=depth) as repository:
        choice = find_base(repository, hosted.push("refs/heads/topic", doctored))
        assert choice.commit == hosted.opened_on
        assert choice.ref == "refs/heads/main"
        assert baseline(repository, choice) == b"1"


def test_push_of_a_tag(hosted: Hosted) -> None:
    """Any ref but the default branch."""
    hosted.origin.git("tag", "v1", "topic")
    with hosted.job("refs/tags/v1") as repository:
        assert find_base(repository, hosted.push("refs/tags/v1")).commit == hosted.opened_on


def test_push_of_an_unrelated_branch(hosted: Hosted) -> None:
    """No base, and no first landing either."""
    hosted.origin.git("checkout", "--quiet", "--orphan", "alone")
    hosted.origin.commit({"code": "1"})
    with hosted.job("refs/heads/alone") as repository, pytest.raises(NoMergeBaseError):
        find_base(repository, hosted.push("refs/heads/alone"))


def test_push_without_the_default_branch_on_the_server(hosted: Hosted) -> None:
    """The clone's own refs have no say."""
    event = hosted.push("refs/heads/topic")
    with hosted.job("refs/heads/topic", depth=None) as repository:
        hosted.origin.git("branch", "-m", "main", "renamed")
        with pytest.raises(MissingRefError):
            find_base(repository, event)


@pytest.mark.parametrize("name", [EventName.SCHEDULE, EventName.WORKFLOW_DISPATCH])
def test_schedule_and_dispatch(hosted: Hosted, name: EventName) -> None:
    """HEAD's own commit, nothing fetched."""
    tip = hosted.move_on()
    event = replace(hosted.event(name), server_url="file:///nowhere")
    with hosted.job("refs/heads/main") as repository:
        assert find_base(repository, event).commit == tip


@pytest.mark.parametrize("checked_out", [True, False])
def test_workflow_run(hosted: Hosted, checked_out: bool) -> None:
    """The pull request's base; with the default branch checked out or nothing at all."""
    hosted.move_on()
    event = replace(hosted.event(EventName.WORKFLOW_RUN), head_sha=hosted.head)
    event = of_pull_request(event, number=1, base_sha=hosted.opened_on, base_ref="main")
    remote = Remote(url=hosted.origin.url)
    with (
        hosted.job("refs/heads/main")
        if checked_out
        else Repository.open_remote(remote, hosted.folder)
    ) as repository:
        choice = find_base(repository, event)
        assert choice.commit == hosted.opened_on
        assert baseline(repository, choice) == b"1"
        assert repository.require_file(event.head_sha, "code").data == b"2"


def test_a_named_base_is_refused_in_ci(hosted: Hosted) -> None:
    """The event decides."""
    with hosted.job("refs/heads/main") as repository, pytest.raises(UsageError):
        find_base(repository, hosted.pull_request(), name="refs/heads/main")
