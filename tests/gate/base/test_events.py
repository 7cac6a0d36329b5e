"""Events from GitHub's payloads."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest

from brainbench_gate.base import LOCAL, Event, EventName, of_pull_request, parse_event
from brainbench_gate.base.errors import EventError

A, B, ZERO = "a" * 40, "b" * 40, "0" * 40
ENVIRON = {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "octo/memory"}
HOSTED = Event(name=EventName.SCHEDULE, server_url="https://github.com", repository="octo/memory")

PULL_REQUEST = {
    "action": "synchronize",
    "pull_request": {
        "number": 7,
        "head": {"sha": B, "ref": "topic"},
        "base": {"sha": A, "ref": "main"},
    },
}
MERGE_GROUP = {"merge_group": {"base_sha": A, "base_ref": "refs/heads/main", "head_sha": B}}
PUSH = {
    "ref": "refs/heads/topic",
    "before": A,
    "after": B,
    "repository": {"default_branch": "main"},
}
WORKFLOW_RUN = {"workflow_run": {"event": "pull_request", "head_sha": B, "pull_requests": []}}


@pytest.mark.parametrize("name", ["pull_request", "pull_request_target"])
def test_pull_request(name: str) -> None:
    """Base and head come from the pull request."""
    expected = replace(
        HOSTED,
        name=EventName(name),
        base_sha=A,
        base_ref="refs/heads/main",
        head_sha=B,
        number=7,
    )
    assert parse_event(name, PULL_REQUEST, ENVIRON) == expected


def test_merge_group() -> None:
    """Base and head come from the group."""
    expected = replace(
        HOSTED, name=EventName.MERGE_GROUP, base_sha=A, base_ref="refs/heads/main", head_sha=B
    )
    assert parse_event("merge_group", MERGE_GROUP, ENVIRON) == expected


def test_push() -> None:
    """The pushed ref, what it was, and the default branch are kept."""
    expected = replace(
        HOSTED,
        name=EventName.PUSH,
        ref="refs/heads/topic",
        before=A,
        head_sha=B,
        default_ref="refs/heads/main",
    )
    assert parse_event("push", PUSH, ENVIRON) == expected


@pytest.mark.parametrize("name", ["schedule", "workflow_dispatch"])
def test_schedule_and_dispatch_need_no_field(name: str) -> None:
    """HEAD alone decides."""
    assert parse_event(name, {}, ENVIRON) == replace(HOSTED, name=EventName(name))


def test_workflow_run_is_completed_by_the_pull_request_found_for_it() -> None:
    """A fork's payload doesn't name it."""
    event = parse_event("workflow_run", WORKFLOW_RUN, ENVIRON)
    assert event == replace(HOSTED, name=EventName.WORKFLOW_RUN, head_sha=B)
    completed = of_pull_request(event, number=7, base_sha=A, base_ref="main")
    assert (completed.base_sha, completed.base_ref, completed.number) == (A, "refs/heads/main", 7)


def test_local_needs_no_environment() -> None:
    """Nothing of GitHub is read."""
    assert parse_event("local", {}, {}) == LOCAL
    assert LOCAL.url == ""


def test_url_is_built_from_server_and_repository() -> None:
    """GitHub Enterprise servers keep their address."""
    environ = {"GITHUB_SERVER_URL": "https://ghe.example:8443", "GITHUB_REPOSITORY": "o/r"}
    assert parse_event("schedule", {}, environ).url == "https://ghe.example:8443/o/r"


@pytest.mark.parametrize("name", ["issue_comment", "", "PUSH"])
def test_other_events_are_refused(name: str) -> None:
    """The known ones are listed."""
    with pytest.raises(EventError, match=r"use merge_group, pull_request, .*push"):
        parse_event(name, {}, ENVIRON)


@pytest.mark.parametrize(
    ("name", "payload", "pointer"),
    [
        ("pull_request", PULL_REQUEST, "pull_request/base/sha"),
        ("pull_request", PULL_REQUEST, "pull_request/base/ref"),
        ("pull_request", PULL_REQUEST, "pull_request/head/sha"),
        ("pull_request", PULL_REQUEST, "pull_request/number"),
        ("pull_request", PULL_REQUEST, "pull_request"),
        ("merge_group", MERGE_GROUP, "merge_group/base_sha"),
        ("merge_group", MERGE_GROUP, "merge_group/base_ref"),
        ("merge_group", MERGE_GROUP, "merge_group/head_sha"),
        ("push", PUSH, "ref"),
        ("push", PUSH, "before"),
        ("push", PUSH, "after"),
        ("push", PUSH, "repository/default_branch"),
        ("workflow_run", WORKFLOW_RUN, "workflow_run/head_sha"),
        ("workflow_run", WORKFLOW_RUN, "workflow_run/event"),
    ],
)
@pytest.mark.parametrize("value", [None, 0, True, "", "x" * 40, ["a"]])
def test_a_field_that_is_missing_or_wrong_is_named(
    name: str, payload: dict[str, object], pointer: str, value: object
) -> None:
    """Text fields take any text, so the wrong one is left out for them."""
    if value == "x" * 40 and not pointer.endswith(("sha", "before", "after", "number", "request")):
        value = None
    with pytest.raises(EventError) as caught:
        parse_event(name, replaced(payload, pointer, value), ENVIRON)
    assert caught.value.where.startswith(f"GITHUB_EVENT_PATH#/{pointer}")


def replaced(payload: dict[str, object], pointer: str, value: object) -> dict[str, object]:
    """A copy of a payload with one value exchanged."""
    changed = copy.deepcopy(payload)
    *folders, name = pointer.split("/")
    place = changed
    for folder in folders:
        inner = place[folder]
        assert isinstance(inner, dict)
        place = inner
    place[name] = value
    return changed


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("GITHUB_SERVER_URL", ""),
        ("GITHUB_SERVER_URL", "file:///tmp"),
        ("GITHUB_SERVER_URL", "ext::sh"),
        ("GITHUB_SERVER_URL", "https://user@github.com"),
        ("GITHUB_REPOSITORY", ""),
        ("GITHUB_REPOSITORY", "octo"),
        ("GITHUB_REPOSITORY", "octo/memory/more"),
        ("GITHUB_REPOSITORY", "octo/memory\n"),
    ],
)
def test_an_environment_that_is_not_a_runners_is_refused(variable: str, value: str) -> None:
    """Each variable is named."""
    with pytest.raises(EventError) as caught:
        parse_event("schedule", {}, ENVIRON | {variable: value})
    assert caught.value.where == variable


def test_a_push_that_deletes_its_branch_is_refused() -> None:
    """There is nothing to judge."""
    with pytest.raises(EventError, match="deleted"):
        parse_event("push", PUSH | {"after": ZERO}, ENVIRON)


def test_a_workflow_run_that_no_pull_request_started_is_refused() -> None:
    """A push to a fork's branch has no base here."""
    payload = {"workflow_run": {"event": "push", "head_sha": B}}
    with pytest.raises(EventError, match="'push'"):
        parse_event("workflow_run", payload, ENVIRON)
