"""Runs a user's adapter in an interpreter of its own: JSON lines on stdin and stdout.

This file imports nothing but the standard library, so that it runs in any Python 3.8 or newer.
Arguments: a folder for the import path, a module, and optionally an attribute of it.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TextIO


def take_protocol() -> tuple[TextIO, TextIO]:
    """Keep stdout for the protocol; whatever else the adapter prints goes to stderr."""
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8", newline="\n")
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    return requests, replies


def load(folder: str, module: str, attribute: str = "") -> Callable[[], Any]:
    """Find the adapter; a class or a function is called to make one."""
    sys.path.insert(0, folder)
    found: Any = importlib.import_module(module)
    for name in filter(None, attribute.split(".")):
        found = getattr(found, name)
    if isinstance(found, type) or not hasattr(found, "ingest"):
        if not callable(found):
            raise TypeError("it has no ingest, and it can't be called to make an adapter")
        return found  # type: ignore[no-any-return]
    return lambda: found


def begin(make: Callable[[], Any], adapter: Any, memories: list[dict[str, Any]]) -> Any:
    """Start a session from nothing: reset where there is one, else a new object."""
    if adapter is None or not hasattr(adapter, "reset"):
        adapter = make()
    else:
        adapter.reset()
    adapter.ingest(memories)
    if hasattr(adapter, "await_ready") and adapter.await_ready() is False:
        raise RuntimeError("await_ready gave False")
    return adapter


def retrieve(adapter: Any, query: str, top_k: int) -> dict[str, Any]:
    """Ask for one query, by the clock."""
    start = time.perf_counter_ns()
    memories = adapter.retrieve(query, top_k=top_k)
    latency_ms = (time.perf_counter_ns() - start) / 1e6
    return {"memories": memories, "latency_ms": latency_ms}


def serve(requests: TextIO, replies: TextIO, make: Callable[[], Any]) -> None:
    """Answer requests until there are no more."""
    adapter: Any = None
    for line in requests:
        request = json.loads(line)
        reply: dict[str, Any] = {}
        try:
            if request["do"] == "begin":
                adapter = begin(make, adapter, request["memories"])
            elif request["do"] == "retrieve":
                reply = retrieve(adapter, request["query"], request["top_k"])
            else:
                reply = {"bytes": adapter.storage_bytes()}
            text = json.dumps({"id": request["id"], **reply})
        except Exception as error:  # noqa: BLE001 - whatever the user's code raises is told
            traceback.print_exc()
            text = json.dumps({"id": request["id"], "error": describe(error)})
        say(replies, text)


def say(replies: TextIO, text: str) -> None:
    """Send one line."""
    replies.write(text + "\n")
    replies.flush()


def describe(error: BaseException) -> str:
    """Name an exception in one line."""
    return "".join(traceback.format_exception_only(type(error), error)).strip()


def main() -> None:
    """Load the adapter, say so, and serve."""
    requests, replies = take_protocol()
    try:
        make = load(*sys.argv[1:])
    except Exception as error:  # noqa: BLE001 - whatever the user's code raises is told
        traceback.print_exc()
        say(replies, json.dumps({"id": 0, "error": describe(error)}))
        return
    say(replies, json.dumps({"id": 0, "python": ".".join(map(str, sys.version_info[:3]))}))
    serve(requests, replies, make)


if __name__ == "__main__":
    main()
