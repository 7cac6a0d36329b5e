"""Drives an adapter in this process: for the built-in ones."""

from __future__ import annotations

from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from brainbench_replay.recall.adapters.protocol import Retrieval, read_returned, read_size

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from brainbench_replay.recall.adapters.protocol import Adapter
    from brainbench_replay.recall.dataset import Memory


class LocalDriver:
    """One adapter object for the whole run; `ingest` of a built-in one replaces what was there."""

    def __init__(
        self,
        name: str,
        adapter: Adapter,
        *,
        details: dict[str, Any] | None = None,
        on_close: Callable[[], None] = lambda: None,
    ) -> None:
        self.name = name
        self.details = details or {}
        self.close = on_close
        self._adapter = adapter

    def begin(self, memories: Sequence[Memory]) -> None:
        """Hand a session's memories over."""
        self._adapter.ingest([memory.to_json() for memory in memories])

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        """Ask for one query, by the clock."""
        start = perf_counter_ns()
        memories = self._adapter.retrieve(query, top_k)
        latency_ms = (perf_counter_ns() - start) / 1e6
        return Retrieval(returned=read_returned(memories), latency_ms=latency_ms)

    def storage_bytes(self) -> int:
        """Give the size that the adapter tells."""
        return read_size(self._adapter.storage_bytes())
