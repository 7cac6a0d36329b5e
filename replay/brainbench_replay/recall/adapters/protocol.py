"""What the benchmark asks of an adapter, and the values that cross."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from brainbench_schema.errors import MemorySystemError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brainbench_replay.recall.dataset import Memory


class Adapter(Protocol):
    """A memory that is searched. `reset()` and `await_ready()` are optional."""

    def ingest(self, raw_memories: list[dict[str, Any]]) -> None:
        """Take in the memories of one session, in order of time; called once per session."""
        ...

    def retrieve(self, query: str, top_k: int = 1) -> list[dict[str, Any]]:
        """Give the memories that answer a query, best first."""
        ...

    def storage_bytes(self) -> int:
        """Give the size of what is stored, in bytes."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """One memory as it came back.

    Attributes:
        memory_id: None for a memory that the adapter made itself, such as a summary.
        reply: The `answer` field if there is one, else the text.
        superseded: Whether it is marked as outdated.
    """

    memory_id: str | None
    reply: str
    superseded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """What one query brought back, and the wall time of `retrieve` in milliseconds."""

    returned: tuple[Returned, ...]
    latency_ms: float


class Driver(Protocol):
    """How the evaluator drives an adapter, in this process or in another."""

    @property
    def name(self) -> str:
        """The adapter's name: the harness of its cells."""
        ...

    @property
    def details(self) -> dict[str, Any]:
        """What ran, for the result."""
        ...

    def begin(self, memories: Sequence[Memory]) -> None:
        """Forget everything, take in a session's memories, and wait until they can be found."""
        ...

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        """Ask for one query."""
        ...

    def storage_bytes(self) -> int:
        """Give the size of what is stored now, in bytes."""
        ...

    def close(self) -> None:
        """End what was started."""
        ...


def read_returned(memories: object) -> tuple[Returned, ...]:
    """Hold what `retrieve` gave against the contract.

    Raises:
        MemorySystemError: It is no list of objects with a text or an answer.
    """
    if not isinstance(memories, (list, tuple)):
        raise MemorySystemError(f"retrieve gave {_show(memories)}, not a list of memories")
    return tuple(_read_one(memory) for memory in memories)


def read_size(size: object) -> int:
    """Hold what `storage_bytes` gave against the contract.

    Raises:
        MemorySystemError: It is no whole number from 0.
    """
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
        raise MemorySystemError(f"storage_bytes gave {_show(size)}, not a whole number from 0")
    return size


def _read_one(memory: object) -> Returned:
    if not isinstance(memory, dict):
        raise MemorySystemError(f"retrieve gave {_show(memory)}, not a memory")
    memory_id, answer = memory.get("memory_id"), memory.get("answer")
    reply = memory.get("text") if answer is None else answer
    if not isinstance(memory_id, str | None):
        raise MemorySystemError(f"retrieve gave the memory_id {_show(memory_id)}, not a text")
    if not isinstance(reply, str):
        raise MemorySystemError(f"retrieve gave {_show(memory)}, with neither text nor answer")
    if any("\ud800" <= char <= "\udfff" for char in reply + (memory_id or "")):
        raise MemorySystemError("retrieve gave a text with half of a surrogate pair")
    return Returned(memory_id=memory_id, reply=reply, superseded=memory.get("superseded") is True)


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
