"""The fake holds every answer against GitHub's description, refusals too."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from tests.action.fake_github import Asked, find_violations, serving_github
from tests.action.github_state import Answer, Fault, State, refuse

REPO = "/repos/owner/consumer"
COMMENTS = ("GET", f"{REPO}/issues/7/comments")
POST = ("POST", f"{REPO}/issues/7/comments")
ZIP = ("GET", f"{REPO}/actions/artifacts/3/zip")


def check(request: tuple[str, str], answer: Answer) -> list[str]:
    """What is not as GitHub describes it."""
    body = b'{"body": "text"}' if request[0] == "POST" else b""
    return list(find_violations(Asked(*request, {}, body), answer))


@pytest.mark.parametrize("status", [403, 404, 410, 422])
def test_described_refusal_holds(status: int) -> None:
    """Each in the words that GitHub's description has for it."""
    assert check(POST, refuse(status)) == []


@pytest.mark.parametrize("status", [400, 401, 429, 500, 502, 503])
def test_refusal_that_is_not_described_is_held_against_the_basic_error(status: int) -> None:
    """No status of an operation goes unlooked at."""
    assert check(POST, refuse(status)) == []


@pytest.mark.parametrize(
    ("request_", "status", "body"),
    [
        (COMMENTS, 404, {"message": ["refused"]}),
        (POST, 403, "refused"),
        (POST, 422, {"message": "refused"}),
        (("GET", f"{REPO}/pulls/7"), 503, {"code": 503}),
        (COMMENTS, 401, {"message": None}),
        (COMMENTS, 429, ["slow down"]),
        (POST, 502, {"status": 502}),
        (ZIP, 500, None),
    ],
)
def test_wrong_refusal_is_caught(request_: tuple[str, str], status: int, body: Any) -> None:
    """Described for the operation or not."""
    violation, *_ = check(request_, Answer(status=status, body=body))
    assert violation.startswith(f"answer {request_[0].lower()} {request_[1]}")


@pytest.mark.parametrize(
    ("request_", "status"), [(COMMENTS, 202), (COMMENTS, 302), (POST, 200), (ZIP, 200)]
)
def test_success_that_is_not_described_is_caught(request_: tuple[str, str], status: int) -> None:
    """The gate must not learn to live with what GitHub never answers."""
    assert "is not described" in check(request_, Answer(status=status, body=[]))[0]


def test_redirect_without_its_place_is_caught() -> None:
    """The description names the header, though it doesn't call it required."""
    assert check(ZIP, Answer(status=302, headers={"location": "https://storage.example/3"})) == []
    assert "without the header Location" in check(ZIP, Answer(status=302))[0]


def test_path_that_is_not_described_is_caught() -> None:
    """With the answer to it."""
    request, answer = check(("GET", "/user"), Answer(status=404, body="gone"))
    assert request.startswith("request get /user")
    assert "is no basic-error" in answer


def test_server_that_saw_a_wrong_answer_fails_its_test() -> None:
    """What is sent is what is looked at."""
    state = State(faults=[Fault(method="GET", path="/comments", status=429, body=["slow down"])])
    with pytest.raises(AssertionError, match="429 is no basic-error"), serving_github(state) as one:
        httpx.get(f"{one.url}{COMMENTS[1]}", headers={"Authorization": f"Bearer {state.token}"})


def test_stranger_is_refused_as_described() -> None:
    """By both interfaces."""
    with serving_github(State()) as server:
        answers = [httpx.get(f"{server.url}{COMMENTS[1]}"), httpx.post(f"{server.url}/graphql")]
    assert [answer.status_code for answer in answers] == [401, 401]
    assert {answer.json()["message"] for answer in answers} == {"Bad credentials"}


def test_other_query_is_caught() -> None:
    """An Actions token can ask who it is; nothing else is asked by GraphQL."""
    state = State()
    with pytest.raises(AssertionError, match="GraphQL"), serving_github(state) as server:
        httpx.post(
            f"{server.url}/graphql",
            json={"query": "query { repository { id } }"},
            headers={"Authorization": f"Bearer {state.token}"},
        )
