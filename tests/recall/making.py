"""Small sessions, rows and drivers for the tests of the second benchmark."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from brainbench_replay.recall.adapters.local import LocalDriver
from brainbench_replay.recall.adapters.protocol import Retrieval, read_returned
from brainbench_replay.recall.dataset import parse_session
from brainbench_replay.recall.evidence import Chart, build_row
from brainbench_replay.recall.metrics import measure
from brainbench_replay.result import RunFacts

if TYPE_CHECKING:
    from pathlib import Path

    from brainbench_replay.recall.dataset import Session
    from brainbench_schema.result import ItemRow

FACTS = RunFacts(
    harness_sha="unknown",
    ts="2031-01-01T00:00:00Z",
    cmd_args=("recall",),
    seed=0,
    include_holdout=False,
    package_version="0.1.0",
)


def memory(memory_id: str, timestamp: str | None = None, **more: str) -> dict[str, Any]:
    """Make a memory; a day alone stands for noon of it."""
    if timestamp and len(timestamp) == 2:
        timestamp = f"2031-01-{timestamp}T12:00:00Z"
    return {"memory_id": memory_id, "timestamp": timestamp, "text": f"text of {memory_id}", **more}


def query(query_type: str, required: list[str] | None, **more: Any) -> dict[str, Any]:
    """Make a query; it expects the text of m1."""
    return {
        "query_id": "q1",
        "query_text": "what?",
        "expected_answer": "text of m1",
        "query_type": query_type,
        "required_memory_ids": required,
        **more,
    }


def document(*memories: dict[str, Any], queries: list[dict[str, Any]]) -> dict[str, Any]:
    """Make a dataset line."""
    return {"session_id": "s1", "memories": list(memories), "queries": queries}


def session(*memories: dict[str, Any], queries: list[dict[str, Any]]) -> Session:
    """Make a session as the dataset's reader gives it."""
    return parse_session(json.dumps(document(*memories, queries=queries)).encode(), "set.jsonl")


def answer(one: Session, *returned: str | dict[str, Any], place: int = 0) -> ItemRow:
    """Make the row of a query from the ids, or the dicts, that came back."""
    dicts = [
        {"memory_id": name, "text": f"text of {name}"} if isinstance(name, str) else name
        for name in returned
    ]
    retrieval = Retrieval(returned=read_returned(dicts), latency_ms=1)
    return build_row(Chart.of(one), one.queries[place], retrieval, adapter="mine")


def value(row: ItemRow, metric: str) -> float | None:
    """Compute one metric over one row."""
    return measure([row])[metric].value


def write_lines(path: Path, *documents: object) -> Path:
    """Write JSON Lines."""
    path.write_text("".join(f"{json.dumps(one)}\n" for one in documents), "utf-8")
    return path


class Scripted:
    """An adapter that gives what a test lays down for a query's text."""

    def __init__(self, replies: dict[str, Any]) -> None:
        self.ingested: list[list[dict[str, Any]]] = []
        self._replies = replies

    def ingest(self, raw_memories: list[dict[str, Any]]) -> None:
        """Keep what came."""
        self.ingested.append(raw_memories)

    def retrieve(self, query: str, top_k: int = 1) -> Any:  # noqa: ARG002
        """Give the reply to a query's text."""
        return self._replies[query]

    def storage_bytes(self) -> int:
        """Give 7."""
        return 7


def scripted(replies: dict[str, Any]) -> LocalDriver:
    """Make a driver of a scripted adapter."""
    return LocalDriver("mine", Scripted(replies))
