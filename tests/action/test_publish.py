"""Status and sticky comment against a stateful fake: what is posted, updated, removed, left."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.action.fake_github import serving_github
from tests.action.github_state import Fault, State
from tests.report.accounts import ACCOUNTS

from brainbench_gate.action.github import ApiError, GitHub
from brainbench_gate.action.publish import Published, Target, publish
from brainbench_gate.report.rendering import render_comment
from brainbench_gate.report.sections import marker

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD, BASE = "9bd215e4" * 5, "3f0a77c1" * 5
TARGET = Target(head_sha=HEAD, base_branch="main", number=7, run_url="https://ci.example/1")
OWN = marker("main")


@pytest.fixture
def state() -> State:
    """A repository with one open pull request."""
    made = State()
    made.add_pull(7, head=HEAD, base=BASE)
    return made


@contextmanager
def client(state: State, prefix: str = "") -> Iterator[tuple[GitHub, list[float]]]:
    """A client of the fake, and the pauses that it took."""
    pauses: list[float] = []
    with serving_github(state, prefix) as server:
        github = GitHub(server.url, state.repository, state.token, pause=pauses.append)
        try:
            yield github, pauses
        finally:
            github.close()


def put(state: State, name: str = "regression", mode: str = "changes") -> Published:
    """Publish one of the made-up verdicts."""
    account = ACCOUNTS[name]
    with client(state) as (github, _):
        return publish(account.document, render_comment(account), TARGET, github, mode=mode)


@pytest.mark.parametrize(
    ("name", "expected"), [("pass", "success"), ("regression", "failure"), ("error", "error")]
)
def test_status_names_gate_and_base_branch(state: State, name: str, expected: str) -> None:
    """A ruleset can require the context; another base branch has another one."""
    assert put(state, name).remarks == []
    [status] = state.statuses
    assert (status["state"], status["context"]) == (expected, "brainbench/main/main")
    assert status["url"].endswith(HEAD)
    assert len(status["description"]) <= 140


@pytest.mark.parametrize(
    ("mode", "name", "posted"),
    [
        ("changes", "regression", True),
        ("changes", "corpus-unblessed", True),
        ("changes", "bootstrap", False),
        ("always", "bootstrap", True),
        ("failures", "justified", False),
        ("failures", "error", True),
        ("off", "regression", False),
    ],
)
def test_mode_decides_whether_a_first_comment_is_posted(
    state: State, mode: str, name: str, posted: bool
) -> None:
    """`changes` posts what a reviewer wants to know."""
    put(state, name, mode)
    assert len(state.comments) == posted


@pytest.mark.parametrize("mode", ["changes", "always", "failures", "off"])
def test_existing_comment_is_updated_in_any_mode(state: State, mode: str) -> None:
    """A comment that says "worse" must not stand there after the fix."""
    state.add_comment(7, f"{OWN}\nold")
    put(state, "pass", mode)
    [comment] = state.comments
    assert "Holds" in comment["body"]


@pytest.mark.parametrize("count", [31, 101, 250])
def test_own_comment_is_found_on_any_page(state: State, count: int) -> None:
    """Only the first page being read is how duplicates come about."""
    for number in range(count):
        state.add_comment(7, f"comment {number}", login="ada", kind="User")
    own = state.add_comment(7, f"{OWN}\nold")
    put(state)
    assert len(state.comments) == count + 1
    assert "Worse" in own["body"]


def test_strangers_marker_is_left_alone(state: State) -> None:
    """Also a user whose login is the bot's without its suffix."""
    strangers = [
        state.add_comment(7, f"{OWN}\nforged", login=login, kind="User")
        for login in ("mallory", "github-actions")
    ]
    put(state)
    assert [one["body"] for one in strangers] == [f"{OWN}\nforged"] * 2
    assert len(state.comments) == 3


def test_another_gates_comment_is_left_alone(state: State) -> None:
    """The marker holds the gate's name."""
    state.add_comment(7, f"{marker('second')}\nother")
    put(state)
    assert len(state.comments) == 2


def test_later_duplicates_are_removed(state: State) -> None:
    """The oldest one stays, so that its place in the conversation does."""
    first, *_ = [state.add_comment(7, f"{OWN}\n{number}") for number in range(3)]
    put(state)
    assert [one["id"] for one in state.comments] == [first["id"]]


def test_newer_head_keeps_its_comment(state: State) -> None:
    """An older run that finishes last sets its own status and posts nothing."""
    state.pulls[7]["head"]["sha"] = "f" * 40
    assert "newer head" in put(state).remarks[0]
    assert state.comments == []
    assert len(state.statuses) == 1


def test_read_only_token_gives_one_line_for_each_thing(state: State) -> None:
    """The line names the missing permission and the way out."""
    state.read_only = True
    status, comment = put(state).remarks
    assert "statuses: write" in status
    assert "pull-requests: write" in comment
    assert "workflow_run" in comment


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (500, {}),
        (502, {}),
        (429, {}),
        (429, {"retry-after": "7"}),
        (403, {"retry-after": "7"}),
        (403, {"x-ratelimit-remaining": "0"}),
    ],
)
def test_passing_refusals_are_waited_for(
    state: State, status: int, headers: dict[str, str]
) -> None:
    """Waits as long as GitHub asks for, else twice as long each time."""
    state.faults = [Fault(method="GET", path="/comments", status=status, headers=headers, times=2)]
    with client(state) as (github, pauses):
        assert github.list_comments(7) == []
    assert pauses == ([7, 7] if "retry-after" in headers else [1, 2])


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_other_refusals_are_not_repeated(state: State, status: int) -> None:
    """A plain 403 is a missing permission: asking again doesn't help."""
    state.faults = [Fault(method="GET", path="/comments", status=status, times=9)]
    with client(state) as (github, pauses), pytest.raises(ApiError) as caught:
        github.list_comments(7)
    assert caught.value.status == status
    assert pauses == []


def test_comment_whose_answer_got_lost_is_not_posted_twice(state: State) -> None:
    """Before a POST is repeated, the list is read again."""
    state.faults = [
        Fault(method="POST", path="/comments", status=502, after=True),
        Fault(method="POST", path="/statuses", status=502, after=True),
    ]
    account = ACCOUNTS["regression"]
    with client(state) as (github, _):
        done = publish(account.document, render_comment(account), TARGET, github, mode="always")
    assert done.remarks == []
    assert (len(state.comments), len(state.statuses)) == (1, 1)
    assert done.comment_url == state.comments[0]["html_url"]


def test_comment_that_was_refused_is_posted_again(state: State) -> None:
    """A server error before anything was stored costs nothing but time."""
    state.faults = [Fault(method="POST", path="/comments", status=503, times=3)]
    account = ACCOUNTS["regression"]
    with client(state) as (github, pauses):
        publish(account.document, render_comment(account), TARGET, github, mode="always")
    assert len(state.comments) == 1
    assert pauses == [1, 2, 4]


def test_verdict_survives_an_api_that_is_down(state: State) -> None:
    """Publishing ends with remarks and never with an exception."""
    state.faults = [Fault(method=m, path="", status=500, times=99) for m in ("GET", "POST")]
    account = ACCOUNTS["regression"]
    with client(state) as (github, _):
        done = publish(account.document, "body", TARGET, github, mode="always")
    assert len(done.remarks) == 2


def test_enterprise_host_has_its_own_addresses(state: State) -> None:
    """REST below /api/v3, GraphQL below /api."""
    account = ACCOUNTS["regression"]
    with client(state, "/api/v3") as (github, _):
        assert github.find_viewer() == state.viewer
        done = publish(account.document, "body", TARGET, github, mode="always")
    assert done.remarks == []


def test_without_pull_request_only_the_status_is_set(state: State) -> None:
    """A merge group has no number."""
    account = ACCOUNTS["regression"]
    with client(state) as (github, _):
        publish(account.document, "body", replace(TARGET, number=None), github, mode="always")
    assert state.comments == []
    assert len(state.statuses) == 1
