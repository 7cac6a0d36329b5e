"""Runs a memory written in Python for BrainBench: ``python host.py pkg.mod:make``.

One file, no dependencies, any Python from 3.9: it runs in the interpreter of the memory, not in
that of BrainBench. `make()` gives an object with the methods of `Memory`. What the memory prints
goes to stderr; stdout is for the protocol only.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import traceback
from typing import IO, TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    JSON = dict[str, Any]
    Extract = Callable[[str], list[JSON]]

METHOD_NOT_FOUND = -32601
INTERNAL_ERROR = -32603


class Memory(Protocol):
    """What BrainBench asks of a memory in Python.

    `name`, `version`, `provenance`, `details` and `await_ready` may be left out. `write_back` and
    `facts` are needed for write-back, `write_back` for continuity.
    """

    capabilities: Iterable[str]

    def reset(self, sources: list[str]) -> None:
        """Forget everything, then know these sources."""
        ...

    def seed(self, pages: list[JSON], facts: list[JSON]) -> None:
        """Store pages {slug, content, source_id} and facts {fact, entity_slug, source, …}."""
        ...

    def inject(self, prompt: str, source_id: str, session_id: str) -> Iterable[tuple[str, str]]:
        """Give slug and text of every page that a user turn calls up, best first."""
        ...

    def write_back(self, conversation: JSON, extract: Extract) -> None:
        """Take in a conversation {slug, title, source_id, messages}; replaces an earlier one."""
        ...

    def facts(self) -> Iterable[JSON]:
        """List the active facts with their provenance, in the order stored."""
        ...


class Host:
    """One memory behind the protocol.

    Args:
        memory: What the factory gave.
        lines: The requests, one a line.
        out: Where answers go.
    """

    def __init__(self, memory: Any, lines: IO[bytes], out: IO[bytes]) -> None:
        self._memory = memory
        self._lines = lines
        self._out = out
        self._asked = 0

    def serve(self) -> None:
        """Answer requests until `shutdown` or the end of the input."""
        for line in iter(self._lines.readline, b""):
            request = json.loads(line)
            reply = {"jsonrpc": "2.0", "id": request["id"]}
            try:
                reply["result"] = self._answer(request["method"], request["params"])
            except MissingError as error:
                reply["error"] = {"code": METHOD_NOT_FOUND, "message": str(error)}
            except Exception as error:  # noqa: BLE001 - the memory's own failure, told to the caller
                traceback.print_exc()
                said = f"{type(error).__name__}: {error}"
                reply["error"] = {"code": INTERNAL_ERROR, "message": said}
            self._send(reply)
            if request["method"] == "shutdown":
                return

    def _answer(self, method: str, params: JSON) -> Any:
        if method == "initialize":
            return self._describe()
        if method == "shutdown":
            getattr(self._memory, "close", lambda: None)()
            return {}
        call = getattr(self._memory, method, None)
        if call is None:
            raise MissingError(f"{type(self._memory).__name__} has no {method}")
        if method == "write_back":
            call(params, self._extract)
        elif method == "inject":
            return {"pointers": [{"slug": slug, "text": text} for slug, text in call(**params)]}
        elif method == "facts":
            return {"facts": list(call())}
        else:
            call(**params)
        if method == "seed":
            return {key: len(value) for key, value in params.items()}
        return {}

    def _describe(self) -> JSON:
        memory = self._memory
        about = {
            "protocol_version": 1,
            "name": getattr(memory, "name", type(memory).__name__),
            "version": str(getattr(memory, "version", "unknown")),
            "capabilities": sorted(memory.capabilities),
            "details": dict(getattr(memory, "details", {})),
        }
        if hasattr(memory, "provenance"):
            about["provenance"] = memory.provenance
        return about

    def _extract(self, text: str) -> list[JSON]:
        """Ask BrainBench which facts a segment states."""
        self._asked += 1
        own = f"extract-{self._asked}"
        self._send({"jsonrpc": "2.0", "id": own, "method": "extract", "params": {"text": text}})
        reply = json.loads(self._lines.readline() or "{}")
        if reply.get("id") != own or "result" not in reply:
            raise RuntimeError(f"extract failed: {reply.get('error')}")
        return list(reply["result"]["facts"])

    def _send(self, message: JSON) -> None:
        self._out.write(json.dumps(message, ensure_ascii=False).encode() + b"\n")
        self._out.flush()


class MissingError(Exception):
    """The memory lacks a method."""


def main(spec: str) -> None:
    """Import ``module:factory`` from the working directory or the environment, and serve it."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.path[0] = os.getcwd()  # noqa: PTH109
    module, _, factory = spec.partition(":")
    memory = getattr(importlib.import_module(module), factory)()
    Host(memory, sys.stdin.buffer, out).serve()


if __name__ == "__main__":
    main(sys.argv[1])
