"""A proxy that writes down whatever would leave the machine, and lets nothing through."""

from __future__ import annotations

from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from tests.serving import running

if TYPE_CHECKING:
    from collections.abc import Iterator


class Handler(BaseHTTPRequestHandler):
    """Refuses every request, and tunnels too."""

    def _refuse(self) -> None:
        server = self.server
        assert isinstance(server, Proxy)
        server.asked.append(f"{self.command} {self.path}")
        self.send_error(502)

    do_CONNECT = do_GET = do_HEAD = do_POST = do_PATCH = do_PUT = do_DELETE = _refuse  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep the test's output quiet."""


class Proxy(ThreadingHTTPServer):
    """The server; `asked` holds method and target of each request, in order."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[str] = []

    @property
    def url(self) -> str:
        """What the variables of a proxy are set to."""
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def recording() -> Iterator[Proxy]:
    """A running proxy."""
    with running(Proxy()) as server:
        yield server
