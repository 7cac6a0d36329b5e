"""The dataset, JSON Lines: one session a line, read as a stream and held against its schema."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from brainbench_replay.recall.timeline import read_time
from brainbench_schema import schemas, strict_json
from brainbench_schema.errors import Fault, InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

QUERY_TYPES = ("retrieval", "temporal", "contradiction")
DEFAULT_TOP_K = 5
UNSCORED_KINDS = frozenset({"abstain", "rubric"})
"""Kinds of answer that no comparison of texts can judge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One thing to remember. `timestamp` is RFC 3339, or None where the source has none."""

    memory_id: str
    timestamp: str | None
    text: str
    supersedes: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Give a fresh dict, as an adapter gets it."""
        document: dict[str, Any] = {
            "memory_id": self.memory_id,
            "timestamp": self.timestamp,
            "text": self.text,
        }
        return document if self.supersedes is None else {**document, "supersedes": self.supersedes}


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One question with its gold.

    Attributes:
        expected: Answers of which any counts; empty where the source has none.
        required: Ids of the memories that hold the evidence; None where the source gives none.
    """

    query_id: str
    text: str
    query_type: str
    expected: tuple[str, ...]
    required: tuple[str, ...] | None
    top_k: int = DEFAULT_TOP_K
    answer_kind: str = "span"
    source_category: str | None = None
    asked_at: str | None = None

    @property
    def scored_answers(self) -> tuple[str, ...]:
        """The answers that text is compared with: none for a rubric or an abstention."""
        return () if self.answer_kind in UNSCORED_KINDS else self.expected


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What one memory holds, in order of time, and what is asked of it."""

    session_id: str
    memories: tuple[Memory, ...]
    queries: tuple[Query, ...]
    source: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What a dataset holds, found by reading all of it.

    Attributes:
        fixtures_hash: SHA-256 of the file, CRLF as LF.
        source: What the lines say of where they come from; the same on every line.
    """

    fixtures_hash: str
    sessions: int
    memories: int
    queries: int
    source: dict[str, Any] | None


def survey_dataset(path: Path, progress: Callable[[int], None] = lambda _: None) -> Survey:
    """Read a whole dataset, hold it against its rules, and count.

    Args:
        progress: Called with the bytes of each line.

    Raises:
        InvalidInputError: With the line; also for no line at all, a session that stands twice,
            and lines from different sources.
    """
    digest = sha256()
    seen: dict[str, int] = {}
    memories = queries = 0
    first: Session | None = None
    for number, line, session in _numbered(path):
        progress(len(line))
        digest.update(line.replace(b"\r\n", b"\n"))
        first = first or session
        if session.session_id in seen:
            raise _fault(path, number, "/session_id", f"stands on line {seen[session.session_id]}")
        if session.source != first.source:
            raise _mixed(path, number)
        seen[session.session_id] = number
        memories += len(session.memories)
        queries += len(session.queries)
    if first is None:
        advice = schemas.ADVICE["recall_session"]
        fault = Fault(file=str(path), pointer="", message="holds no session", advice=advice)
        raise InvalidInputError([fault])
    return Survey(
        fixtures_hash=digest.hexdigest(),
        sessions=len(seen),
        memories=memories,
        queries=queries,
        source=first.source,
    )


def read_sessions(path: Path) -> Iterator[Session]:
    """Read a dataset session by session, in constant memory.

    Raises:
        InvalidInputError: With the line.
    """
    return (session for _, _, session in _numbered(path))


def hash_dataset(path: Path) -> str:
    """Compute the SHA-256 of a dataset, CRLF as LF."""
    digest = sha256()
    with path.open("rb") as file:
        for line in file:
            digest.update(line.replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def parse_session(line: bytes, file: str) -> Session:
    """Read one line strictly.

    Args:
        file: Name of the file and line, for the error.

    Raises:
        InvalidInputError: With every fault found.
    """
    document = strict_json.loads(line, file)
    faults = schemas.check("recall_session", document, file)
    faults = faults or [
        Fault(file=file, pointer=pointer, message=message, advice=schemas.ADVICE["recall_session"])
        for pointer, message in _broken_rules(document)
    ]
    if faults:
        raise InvalidInputError(faults)
    return _session(document)


def _numbered(path: Path) -> Iterator[tuple[int, bytes, Session]]:
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(strict_json.MAX_BYTES + 1):
                number += 1
                name = f"{path}, line {number}"
                if not line.strip():
                    raise _fault(path, number, "", "is empty")
                yield number, line, parse_session(line, name)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InvalidInputError([Fault(file=str(path), pointer="", message=reason)]) from None


def _session(document: dict[str, Any]) -> Session:
    return Session(
        session_id=document["session_id"],
        memories=tuple(Memory(**memory) for memory in document["memories"]),
        queries=tuple(_query(query) for query in document["queries"]),
        source=document.get("source"),
    )


def _query(query: dict[str, Any]) -> Query:
    expected, required = query["expected_answer"], query["required_memory_ids"]
    answers = [expected] if isinstance(expected, str) else expected or []
    optional = ("top_k", "answer_kind", "source_category", "asked_at")
    return Query(
        query_id=query["query_id"],
        text=query["query_text"],
        query_type=query["query_type"],
        expected=tuple(answers),
        required=None if required is None else tuple(required),
        **{key: query[key] for key in optional if key in query},
    )


def _broken_rules(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Check what JSON Schema can't say: ids, order of time, chains of revisions, evidence."""
    revised_by: dict[str, str] = {}
    seen: set[str] = set()
    newest = None
    for index, memory in enumerate(document["memories"]):
        place = f"/memories/{index}"
        memory_id, older = memory["memory_id"], memory.get("supersedes")
        if memory_id in seen:
            yield f"{place}/memory_id", f"{memory_id!r} stands twice in this session"
        if older is not None and older not in seen:
            yield f"{place}/supersedes", f"{older!r} is no earlier memory of this session"
        if older is not None:
            revised_by[older] = memory_id
        seen.add(memory_id)
        time = read_time(memory["timestamp"])
        if time is not None and newest is not None and time < newest:
            yield f"{place}/timestamp", "is earlier than the memory before it"
        newest = time or newest
    yield from _broken_queries(document["queries"], seen, revised_by)


def _broken_queries(
    queries: list[dict[str, Any]], known: set[str], revised_by: dict[str, str]
) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for index, query in enumerate(queries):
        if query["query_id"] in seen:
            yield f"/queries/{index}/query_id", f"{query['query_id']!r} stands twice"
        seen.add(query["query_id"])
        required = query["required_memory_ids"] or []
        for memory_id in required:
            place = f"/queries/{index}/required_memory_ids"
            if memory_id not in known:
                yield place, f"{memory_id!r} is no memory of this session"
            newer = revised_by.get(memory_id)
            if query["query_type"] == "contradiction" and newer and newer not in required:
                yield place, f"{memory_id!r} is superseded by {newer!r}, which is not required"


def _mixed(path: Path, line: int) -> InvalidInputError:
    message = "comes from another source, release or import than line 1"
    advice = "releases of a source are different data: keep one file for each import"
    fault = Fault(file=f"{path}, line {line}", pointer="/source", message=message, advice=advice)
    return InvalidInputError([fault])


def _fault(path: Path, line: int, pointer: str, message: str) -> InvalidInputError:
    fault = Fault(
        file=f"{path}, line {line}",
        pointer=pointer,
        message=message,
        advice=schemas.ADVICE["recall_session"],
    )
    return InvalidInputError([fault])
