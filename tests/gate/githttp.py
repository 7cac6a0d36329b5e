"""Git's own smart HTTP server behind a token, for one test at a time."""

from __future__ import annotations

import base64
import subprocess
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from tests.gate.gitrepo import ENVIRONMENT
from tests.serving import running

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CGI_HEADERS = {
    "Content-Type": "CONTENT_TYPE",
    "Content-Length": "CONTENT_LENGTH",
    "Content-Encoding": "HTTP_CONTENT_ENCODING",
    "Git-Protocol": "GIT_PROTOCOL",
}


class Handler(BaseHTTPRequestHandler):
    """Hands each request with the right token to `git http-backend`."""

    def do_GET(self) -> None:
        """Answer a request for refs."""
        self._answer()

    def do_POST(self) -> None:
        """Answer a request for objects."""
        self._answer()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep the test's output quiet."""

    def _answer(self) -> None:
        server = self.server
        assert isinstance(server, Server)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers.get("Authorization") != server.expected:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="git"')
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        head, _, content = self._backend(server.root, body).partition(b"\r\n\r\n")
        self._send(head.decode(), content)

    def _backend(self, root: Path, body: bytes) -> bytes:
        path, _, query = self.path.partition("?")
        variables = {
            name: self.headers[key] for key, name in CGI_HEADERS.items() if self.headers[key]
        }
        return subprocess.run(
            ["git", "-c", "safe.directory=*", "http-backend"],
            env=ENVIRONMENT
            | {
                "GIT_PROJECT_ROOT": str(root),
                "GIT_HTTP_EXPORT_ALL": "1",
                "REQUEST_METHOD": self.command,
                "PATH_INFO": path,
                "QUERY_STRING": query,
            }
            | variables,
            input=body,
            capture_output=True,
            check=False,  # what it refuses it tells in its answer, and ends with 1
        ).stdout

    def _send(self, head: str, content: bytes) -> None:
        headers = dict(line.split(": ", 1) for line in head.splitlines())
        self.send_response(int(headers.pop("Status", "200 OK").split()[0]))
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


class Server(ThreadingHTTPServer):
    """Serves the repositories below one folder to those who send one token."""

    def __init__(self, root: Path, token: str) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.root = root
        pair = base64.b64encode(f"x-access-token:{token}".encode()).decode()
        self.expected = f"Basic {pair}"

    @property
    def url(self) -> str:
        """The server's address without a path."""
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def serving(root: Path, token: str) -> Iterator[Server]:
    """A running server."""
    with running(Server(root, token)) as server:
        yield server
