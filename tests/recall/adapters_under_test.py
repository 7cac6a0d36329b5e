"""A user's adapters, good and bad, for the host to load in another interpreter."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

MEMORIES: list[dict[str, Any]] = []


def ingest(raw_memories: list[dict[str, Any]]) -> None:
    """Make this module an adapter itself."""
    MEMORIES[:] = raw_memories


def retrieve(query: str, top_k: int = 1) -> list[dict[str, Any]]:
    """Give the first memories."""
    return MEMORIES[:top_k]


def storage_bytes() -> int:
    """Give their number."""
    return len(MEMORIES)


class Plain:
    """Made anew for each session, since it has no reset."""

    made = 0

    def __init__(self) -> None:
        Plain.made += 1
        self.memories: list[dict[str, Any]] = []

    def ingest(self, raw_memories: list[dict[str, Any]]) -> None:
        """Add to what is there."""
        self.memories += raw_memories

    def retrieve(self, query: str, top_k: int = 1) -> list[dict[str, Any]]:  # noqa: ARG002
        """Give all of it."""
        return self.memories

    def storage_bytes(self) -> int:
        """Tell how many were made."""
        return Plain.made


class Resetting(Plain):
    """Made once, and reset."""

    def reset(self) -> None:
        """Forget."""
        self.memories = []


class Spy(Plain):
    """Gives back all that it can know as its answer."""

    def retrieve(self, query: str, top_k: int = 1) -> list[dict[str, Any]]:
        """Tell what came in."""
        seen = {
            "argv": sys.argv,
            "cwd": str(Path.cwd()),
            "environ": dict(os.environ),
            "memories": self.memories,
            "query": query,
            "top_k": top_k,
        }
        return [{"text": json.dumps(seen)}]


class Chatty(Plain):
    """Writes to every stream that it can reach."""

    def ingest(self, raw_memories: list[dict[str, Any]]) -> None:
        """Print a workflow command, on the descriptor too."""
        print("::error::from print")  # noqa: T201
        os.write(1, b'{"id": 1}\nover\r::error::x\x1b[2J\n')
        super().ingest(raw_memories)


class NotReady(Plain):
    """Never gets ready."""

    def await_ready(self) -> bool:
        """Say so."""
        return False


class Crashing(Plain):
    """Ends the interpreter."""

    def retrieve(self, query: str, top_k: int = 1) -> list[dict[str, Any]]:  # noqa: ARG002
        """End it."""
        os._exit(7)


class Hanging(Plain):
    """Never answers, and has a child that wouldn't either."""

    def retrieve(self, query: str, top_k: int = 1) -> list[dict[str, Any]]:  # noqa: ARG002
        """Leave a child's id where the test finds it, and sleep."""
        child = os.fork()
        if child:
            print(f"child {child}", file=sys.stderr, flush=True)  # noqa: T201
        time.sleep(300)
        return []


class Raising(Plain):
    """Raises."""

    def retrieve(self, query: str, top_k: int = 1) -> list[dict[str, Any]]:
        """Raise."""
        raise LookupError(f"nothing for {query} and {top_k}")


class Shouting(Plain):
    """Raises with a line that a runner would take for a command."""

    def retrieve(self, query: str, top_k: int = 1) -> list[dict[str, Any]]:  # noqa: ARG002
        """Raise."""
        raise ValueError("a\n::error::b\x1b[2J")


class Garbage(Plain):
    """Gives what no JSON can hold."""

    def retrieve(self, query: str, top_k: int = 1) -> Any:  # noqa: ARG002
        """Give a set."""
        return [{"text": {1, 2}}]


class Infinite(Plain):
    """Gives a number that JSON doesn't have."""

    def storage_bytes(self) -> Any:
        """Give infinity."""
        return float("inf")


class Huge(Plain):
    """Gives a line beyond the limit."""

    def retrieve(self, query: str, top_k: int = 1) -> list[dict[str, Any]]:  # noqa: ARG002
        """Give 65 MB."""
        return [{"text": "x" * (65 * 1024 * 1024)}]


def make() -> Plain:
    """Make an adapter in a function."""
    return Plain()


nothing = 7
