"""A local HTTP server for the length of one test."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator
    from http.server import ThreadingHTTPServer

S = TypeVar("S", bound="ThreadingHTTPServer")


@contextmanager
def running(server: S) -> Iterator[S]:
    """Let a server answer in a thread of its own; gone at the end."""
    with server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
