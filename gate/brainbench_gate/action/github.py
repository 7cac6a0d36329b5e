"""GitHub's API: the few endpoints the gate needs, all pages, and retries that do no harm."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import httpx

from brainbench_schema.errors import BrainbenchError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

API_VERSION = "2022-11-28"
PER_PAGE = 100
ATTEMPTS = 4
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 60.0
TIMEOUT_S = 30.0
MAX_PAGES = 100
"""Pages read of one list; GitHub ends an issue's comments at 2,500."""


class ApiError(BrainbenchError):
    """GitHub refused a request, or did not answer.

    Attributes:
        status: The HTTP status; 0 without an answer.
    """

    reason = "github-api"

    def __init__(self, what: str, *, where: str, advice: str = "", status: int = 0) -> None:
        super().__init__(what, where=where, advice=advice)
        self.status = status


class GitHub:
    """One repository's API, asked with one token."""

    def __init__(
        self,
        api_url: str,
        repository: str,
        token: str,
        *,
        transport: httpx.BaseTransport | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """Prepare a client.

        Args:
            api_url: Such as ``https://api.github.com`` or ``https://HOST/api/v3``.
            repository: ``owner/name``.
            pause: Waits for so many seconds.
        """
        self._api_url = api_url.rstrip("/")
        self._repository = repository
        self._pause = pause
        self._client = httpx.Client(
            headers={
                "Authorization": f"Bearer {token}",
                "Accept": "application/vnd.github+json",
                "X-GitHub-Api-Version": API_VERSION,
                "User-Agent": "brainbench-gate",
            },
            timeout=TIMEOUT_S,
            transport=transport,
            trust_env=transport is None,
        )

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    # Comments of a pull request

    def list_comments(self, number: int) -> list[dict[str, Any]]:
        """Give every comment of a pull request, oldest first."""
        return list(self._pages(f"issues/{number}/comments"))

    def create_comment(
        self, number: int, body: str, find: Callable[[], dict[str, Any] | None]
    ) -> dict[str, Any]:
        """Post a comment; `find` looks for it before the request is repeated."""
        return self._post(f"issues/{number}/comments", {"body": body}, find)

    def update_comment(self, comment_id: int, body: str) -> dict[str, Any]:
        """Replace a comment's text."""
        path = f"issues/comments/{comment_id}"
        return self._object(self._ask("PATCH", self._url(path), json={"body": body}))

    def delete_comment(self, comment_id: int) -> None:
        """Remove a comment."""
        self._ask("DELETE", self._url(f"issues/comments/{comment_id}"))

    def find_viewer(self) -> str:
        """Name the token's own identity; an Actions token can't read `/user`."""
        answer = self._object(
            self._ask("POST", self._graphql_url, json={"query": "query { viewer { login } }"})
        )
        login = ((answer.get("data") or {}).get("viewer") or {}).get("login")
        if not isinstance(login, str):
            raise ApiError("does not tell whose token this is", where=self._graphql_url)
        return login

    # Pull requests, commits, artifacts

    def get_pull(self, number: int) -> dict[str, Any]:
        """Give a pull request."""
        return self._object(self._ask("GET", self._url(f"pulls/{number}")))

    def list_open_pulls(self, head: str) -> list[dict[str, Any]]:
        """Give the open pull requests of ``OWNER:BRANCH``."""
        return list(self._pages("pulls", {"state": "open", "head": head}))

    def compare(self, base: str, head: str) -> str | None:
        """Tell how a head stands to a base: ahead, behind, identical, diverged; None if unknown."""
        try:
            answer = self._object(
                self._ask("GET", self._url(f"compare/{base}...{head}"), params={"per_page": 1})
            )
        except ApiError:
            return None
        status = answer.get("status")
        return status if isinstance(status, str) else None

    def set_status(self, sha: str, status: Mapping[str, str]) -> None:
        """Set a commit status: `state`, `context`, `description`, `target_url`."""

        def find() -> dict[str, Any] | None:
            listed = self._pages(f"commits/{sha}/statuses")
            newest = next((one for one in listed if one["context"] == status["context"]), None)
            return newest if newest and newest["state"] == status["state"] else None

        self._post(f"statuses/{sha}", dict(status), find)

    def list_artifacts(self, run_id: int, name: str) -> list[dict[str, Any]]:
        """Give a workflow run's artifacts of a name."""
        path, found = f"actions/runs/{run_id}/artifacts", []
        for page in self._answers(self._url(path), {"name": name}):
            found += self._object(page)["artifacts"]
        return found

    def download_artifact(self, artifact_id: int, max_bytes: int) -> bytes:
        """Give an artifact's ZIP file; the token stays with the API's own host.

        Raises:
            ApiError: It can't be had, or is larger than allowed.
        """
        url = self._url(f"actions/artifacts/{artifact_id}/zip")
        place = self._ask("GET", url).headers.get("location", "")
        if not place:
            raise ApiError("gives no place to download from", where=url)
        with httpx.stream("GET", place, timeout=TIMEOUT_S, trust_env=True) as answer:
            if answer.status_code != httpx.codes.OK:
                raise ApiError(f"answered {answer.status_code}", where="the artifact's storage")
            return _read_at_most(answer, max_bytes)

    def get_repository(self) -> dict[str, Any]:
        """Give the repository, as far as the token may see it."""
        return self._object(self._ask("GET", self._url("")))

    def list_rules(self, branch: str) -> list[dict[str, Any]]:
        """Give the rules that rulesets set for a branch."""
        return list(self._pages(f"rules/branches/{branch}"))

    # Requests

    @property
    def _graphql_url(self) -> str:
        base = self._api_url.removesuffix("/v3")
        return f"{base}/graphql"

    def _url(self, path: str) -> str:
        return f"{self._api_url}/repos/{self._repository}/{path}".rstrip("/")

    def _pages(
        self, path: str, params: Mapping[str, str] | None = None
    ) -> Iterator[dict[str, Any]]:
        for answer in self._answers(self._url(path), params or {}):
            entries = answer.json()
            if not isinstance(entries, list):
                raise ApiError("does not answer with a list", where=str(answer.url))
            yield from entries

    def _answers(self, url: str, params: Mapping[str, str]) -> Iterator[httpx.Response]:
        answer = self._ask("GET", url, params={**params, "per_page": PER_PAGE})
        for _ in range(MAX_PAGES):
            yield answer
            following = answer.links.get("next", {}).get("url", "")
            if not following.startswith(f"{self._api_url}/"):
                return
            answer = self._ask("GET", following)

    def _post(
        self, path: str, body: dict[str, Any], find: Callable[[], dict[str, Any] | None]
    ) -> dict[str, Any]:
        """Send what must not be there twice: before it is repeated, it is looked for."""
        for attempt in range(ATTEMPTS):
            answer = self._send("POST", self._url(path), json=body)
            if not self._wait(answer, attempt):
                return self._object(self._checked(answer))
            if found := find():
                return found
        raise AssertionError("the last attempt is never waited for")

    def _ask(self, method: str, url: str, **more: Any) -> httpx.Response:
        for attempt in range(ATTEMPTS):
            answer = self._send(method, url, **more)
            if not self._wait(answer, attempt):
                return self._checked(answer)
        raise AssertionError("the last attempt is never waited for")

    def _send(self, method: str, url: str, **more: Any) -> httpx.Response:
        try:
            return self._client.request(method, url, **more)
        except httpx.HTTPError as error:
            raise ApiError(f"{method} failed: {error}", where=url) from error

    def _wait(self, answer: httpx.Response, attempt: int) -> bool:
        """Wait where a request may be repeated; tell whether it should be."""
        if attempt == ATTEMPTS - 1 or not is_passing(answer):
            return False
        self._pause(pause_s(answer, attempt))
        return True

    def _checked(self, answer: httpx.Response) -> httpx.Response:
        if answer.is_success or answer.is_redirect:
            return answer
        raise _refusal(answer)

    @staticmethod
    def _object(answer: httpx.Response) -> dict[str, Any]:
        document = answer.json()
        if not isinstance(document, dict):
            raise ApiError("does not answer with an object", where=str(answer.url))
        return document


def is_passing(answer: httpx.Response) -> bool:
    """Tell whether a refusal may pass by itself: server errors and rate limits."""
    if answer.status_code >= 500 or answer.status_code == httpx.codes.TOO_MANY_REQUESTS:
        return True
    limited = "retry-after" in answer.headers or answer.headers.get("x-ratelimit-remaining") == "0"
    return answer.status_code == httpx.codes.FORBIDDEN and limited


def pause_s(answer: httpx.Response, attempt: int) -> float:
    """Give the seconds to wait: what GitHub asks for, else twice as long each time."""
    asked = answer.headers.get("retry-after", "")
    wanted = float(asked) if asked.isdigit() else FIRST_PAUSE_S * 2.0**attempt
    return min(wanted, LONGEST_PAUSE_S)


def _refusal(answer: httpx.Response) -> ApiError:
    needed = answer.headers.get("x-accepted-github-permissions", "")
    advice = ""
    if answer.status_code in (401, 403, 404):
        grant = ", ".join(needed.replace("=", ": ").split("; ")[:1]) or "the permission it needs"
        advice = f"grant the job `{grant}`, or give another `token`"
    request = answer.request
    return ApiError(
        f"{request.method} was answered with {answer.status_code}",
        where=request.url.path,
        advice=advice,
        status=answer.status_code,
    )


def _read_at_most(answer: httpx.Response, max_bytes: int) -> bytes:
    data = bytearray()
    for chunk in answer.iter_bytes():
        data += chunk
        if len(data) > max_bytes:
            raise ApiError(f"is larger than {max_bytes:,} bytes", where="the artifact")
    return bytes(data)
