"""A fake GitHub on a local port; every REST request and answer is held against the description."""

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
from tests.action.github_state import API, Answer, State
from werkzeug.datastructures import Headers, ImmutableMultiDict

if TYPE_CHECKING:
    from collections.abc import Iterator

LOCK = threading.Lock()


@cache
def description() -> OpenAPI:
    """GitHub's own description of what is asked for."""
    return OpenAPI.from_dict(json.loads((API / "description.json").read_text("utf-8")))


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
        return
    if answer.status >= 400 or answer.status == 302:
        return
    try:
        description().validate_response(asked, Said(answer))
    except OpenAPIError as error:
        cause = error.__cause__ or error
        errors = getattr(cause, "schema_errors", ())
        shown = [f"{list(one.absolute_path)}: {one.message[:200]}" for one in errors][:5]
        yield f"answer {asked.method} {asked.path}: {error!r} {shown}"


class Handler(BaseHTTPRequestHandler):
    """Hands requests to the state."""

    protocol_version = "HTTP/1.1"

    def _answer(self) -> None:
        server = self.server
        assert isinstance(server, FakeGitHub)
        place = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if place.path.startswith("/_storage/"):
            self._send(200, server.state.zips[int(place.path.rsplit("/", 1)[-1])], {})
        elif place.path.startswith("/_upload/"):
            _, _, run_id, name = place.path.split("/")
            server.state.add_artifact(int(run_id), name, body)
            self._send(201, b"", {})
        elif self.headers.get("Authorization") != f"Bearer {server.state.token}":
            self._send(401, b'{"message": "Bad credentials"}', {})
        elif place.path.endswith("/graphql"):
            self._send_json(
                Answer(status=200, body={"data": {"viewer": {"login": server.state.viewer}}})
            )
        else:
            self._rest(server, place.path, dict(parse_qsl(place.query)), body)

    do_GET = do_POST = do_PATCH = do_DELETE = _answer  # noqa: N815

    def _rest(self, server: FakeGitHub, path: str, query: dict[str, str], body: bytes) -> None:
        own = f"{server.prefix}/repos/{server.state.repository}"
        if not path.startswith(own):
            self._send_json(Answer(status=404, body={"message": f"Not Found: {path}"}))
            return
        with LOCK:
            document = json.loads(body) if body else None
            answer = server.state.answer(self.command, path.removeprefix(own), query, document)
            asked = Asked(self.command, path.removeprefix(server.prefix), query, body)
            server.violations.extend(find_violations(asked, answer))
        headers = dict(answer.headers)
        if following := headers.pop("x-next-page", ""):
            url = f"{server.url}{path.removeprefix(server.prefix)}"
            asked_next = urlencode({**query, "page": following})
            headers["Link"] = f'<{url}?{asked_next}>; rel="next"'
        if "location" in headers:
            headers["location"] = f"http://127.0.0.1:{server.server_port}{headers['location']}"
        answer.headers = headers
        self._send_json(answer)

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


class FakeGitHub(ThreadingHTTPServer):
    """The server; `prefix` is `/api/v3` on an Enterprise host."""

    def __init__(self, state: State, prefix: str = "") -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.state, self.prefix = state, prefix
        self.violations: list[str] = []

    @property
    def url(self) -> str:
        """The API's address."""
        return f"http://127.0.0.1:{self.server_port}{self.prefix}"


@contextmanager
def serving_github(state: State, prefix: str = "") -> Iterator[FakeGitHub]:
    """A running fake, which in the end has seen nothing that GitHub doesn't describe."""
    with FakeGitHub(state, prefix) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
        assert not server.violations, "\n".join(server.violations)
