"""A fake GitHub on a local port; every REST request and answer is held against the description.

GraphQL has none: of a query only its shape is checked.
"""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from openapi_core import OpenAPI
from openapi_core.datatypes import RequestParameters
from openapi_core.exceptions import OpenAPIError
from openapi_core.templating.responses.exceptions import ResponseNotFound
from openapi_schema_validator import OAS30Validator
from tests.action.github_state import API, Answer, State, refuse
from tests.serving import running
from werkzeug.datastructures import Headers, ImmutableMultiDict

if TYPE_CHECKING:
    from collections.abc import Iterator

LOCK = threading.Lock()
WHO_AM_I = "query { viewer { login } }"


@cache
def read_description() -> dict[str, Any]:
    """GitHub's own description of what is asked for, as it stands in the file."""
    found: dict[str, Any] = json.loads((API / "description.json").read_text("utf-8"))
    return found


@cache
def description() -> OpenAPI:
    """The same, to hold requests and answers against."""
    return OpenAPI.from_dict(read_description())


class Asked:
    """A request as openapi-core reads it."""

    def __init__(self, method: str, path: str, query: dict[str, str], body: bytes) -> None:
        self.method, self.path, self.host_url = method.lower(), path, "http://localhost"
        self.body, self.content_type = body or None, "application/json"
        self.parameters = RequestParameters(
            query=ImmutableMultiDict(query), header=Headers(), cookie=ImmutableMultiDict()
        )


class Said:
    """An answer as openapi-core reads it."""

    def __init__(self, answer: Answer) -> None:
        self.data = json.dumps(answer.body).encode() if answer.body is not None else b""
        self.status_code, self.content_type = answer.status, "application/json"
        self.headers = Headers(list(answer.headers.items()))


def find_violations(asked: Asked, answer: Answer) -> Iterator[str]:
    """Tell where a request or its answer is not as GitHub describes it."""
    try:
        description().validate_request(asked)
    except OpenAPIError as error:
        yield f"request {asked.method} {asked.path}: {error!r} {error.__cause__!r}"
        yield from find_undescribed(asked, answer)
        return
    try:
        description().validate_response(asked, Said(answer))
    except ResponseNotFound:
        yield from find_undescribed(asked, answer)
    except OpenAPIError as error:
        errors = getattr(error.__cause__, "schema_errors", ())
        shown = [f"{list(one.absolute_path)}: {one.message[:200]}" for one in errors][:5]
        yield f"answer {asked.method} {asked.path}: {error!r} {shown}"
    if answer.status == 302 and not answer.headers.get("location"):
        yield f"answer {asked.method} {asked.path}: 302 without the header Location"


def find_undescribed(asked: Asked, answer: Answer) -> Iterator[str]:
    """Hold a refusal that GitHub doesn't describe for the request against `basic-error`.

    The description lists the refusals of some operations only, and for none of those asked here
    401, 429 or 502; whatever the operation, GitHub answers them with the schema it calls
    `basic-error`. A success or a redirect that is not described is a fault.
    """
    where = f"answer {asked.method} {asked.path}: {answer.status}"
    if answer.status < 400:
        yield f"{where} is not described"
        return
    schema = read_description()["components"]["schemas"]["basic-error"]
    for error in OAS30Validator(schema).iter_errors(answer.body):
        yield f"{where} is no basic-error: {list(error.absolute_path)}: {error.message[:200]}"


class Handler(BaseHTTPRequestHandler):
    """Hands requests to the state."""

    protocol_version = "HTTP/1.1"

    def _answer(self) -> None:
        server = self.server
        assert isinstance(server, FakeGitHub)
        place = urlsplit(self.path)
        server.asked.append(place.path)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if place.path.startswith("/_storage/"):
            self._send(200, server.state.zips[int(place.path.rsplit("/", 1)[-1])], {})
        elif place.path.startswith("/_upload/"):
            _, _, run_id, name = place.path.split("/")
            server.state.add_artifact(int(run_id), name, body)
            self._send(201, b"", {})
        else:
            self._send_json(self._api(server, place.path, dict(parse_qsl(place.query)), body))

    do_GET = do_POST = do_PATCH = do_DELETE = _answer  # noqa: N815

    def _api(self, server: FakeGitHub, path: str, query: dict[str, str], body: bytes) -> Answer:
        """Answer as the API does, and note what is not as it should be."""
        asked = Asked(self.command, path.removeprefix(server.prefix), query, body)
        with LOCK:
            known = self.headers.get("Authorization") == f"Bearer {server.state.token}"
            if path.endswith("/graphql"):
                return _tell_viewer(server, body) if known else refuse_stranger()
            answer = self._rest(server, path, query, body) if known else refuse_stranger()
            server.violations.extend(find_violations(asked, answer))
        return answer

    def _rest(self, server: FakeGitHub, path: str, query: dict[str, str], body: bytes) -> Answer:
        own = f"{server.prefix}/repos/{server.state.repository}"
        if not path.startswith(own):
            return refuse(404, message=f"Not Found: {path}")
        document = json.loads(body) if body else None
        answer = server.state.answer(self.command, path.removeprefix(own), query, document)
        headers = dict(answer.headers)
        if following := headers.pop("x-next-page", ""):
            url = f"{server.url}{path.removeprefix(server.prefix)}"
            asked_next = urlencode({**query, "page": following})
            headers["Link"] = f'<{url}?{asked_next}>; rel="next"'
        if "location" in headers:
            headers["location"] = f"http://127.0.0.1:{server.server_port}{headers['location']}"
        answer.headers = headers
        return answer

    def _send_json(self, answer: Answer) -> None:
        data = b"" if answer.status == 204 else json.dumps(answer.body).encode()
        self._send(answer.status, data, {"Content-Type": "application/json", **answer.headers})

    def _send(self, status: int, data: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Keep the test's output quiet."""


def refuse_stranger() -> Answer:
    """Answer whoever has no token, or a wrong one."""
    return refuse(401, message="Bad credentials")


def _tell_viewer(server: FakeGitHub, body: bytes) -> Answer:
    """Answer the one query that is known; GraphQL tells faults with status 200."""
    query = str(json.loads(body).get("query", ""))
    if query.split() != WHO_AM_I.split():
        server.violations.append(f"GraphQL: {query!r} is not {WHO_AM_I!r}")
        return Answer(status=200, body={"errors": [{"message": "unknown query"}]})
    return Answer(status=200, body={"data": {"viewer": {"login": server.state.viewer}}})


class FakeGitHub(ThreadingHTTPServer):
    """The server; `prefix` is `/api/v3` on an Enterprise host.

    Attributes:
        asked: Path of each request, whatever it was for, in order.
    """

    def __init__(self, state: State, prefix: str = "") -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.state, self.prefix = state, prefix
        self.violations: list[str] = []
        self.asked: list[str] = []

    @property
    def url(self) -> str:
        """The API's address."""
        return f"http://127.0.0.1:{self.server_port}{self.prefix}"


@contextmanager
def serving_github(state: State, prefix: str = "") -> Iterator[FakeGitHub]:
    """A running fake, which in the end has seen nothing that GitHub doesn't describe."""
    with running(FakeGitHub(state, prefix)) as server:
        yield server
    assert not server.violations, "\n".join(server.violations)
