"""MemoryAgentBench: rows of one long context and the questions about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from brainbench_replay.recall.importers import longmemeval
from brainbench_replay.recall.importers.record import Record, make_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from brainbench_replay.recall.importers.tally import Tally

CONFLICT_SPLIT = "Conflict_Resolution"
CONFLICT_SOURCE = "factconsolidation"
"""How `metadata.source` of the rows of that split begins."""

_PIECE = re.compile(r"[^\n]*\n|[^\n]+")


def read_memoryagentbench(
    records: Iterable[Record], options: Mapping[str, str], tally: Tally
) -> Iterator[dict[str, Any]]:
    """Make one session of each row; the rows say nothing of evidence.

    The context is cut into memories of at most ``chunk_chars`` characters. Rows of the split
    Conflict_Resolution (``split=Conflict_Resolution``, or a source named factconsolidation…)
    are contradiction queries; question types of LongMemEval keep their meaning.
    """
    for index, record in enumerate(records):
        tally.find("rows")
        chunks = split_text(record.at("context").text(), int(options["chunk_chars"]))
        queries = _queries(record, options, tally)
        if not chunks or not queries:
            tally.drop("rows without context or questions")
            continue
        memories = [
            {"memory_id": f"c{place:05}", "timestamp": None, "text": chunk}
            for place, chunk in enumerate(chunks)
        ]
        source = _metadata(record, "source")
        name = make_id(source.scalar()) if source else "row"
        yield {"session_id": f"{name}-{index:04}", "memories": memories, "queries": queries}


def split_text(text: str, limit: int) -> list[str]:
    """Cut a text into pieces of at most `limit` characters: at line ends, else at spaces."""
    chunks: list[str] = []
    current = ""
    for line in _PIECE.findall(text):
        for piece in _split_line(line, limit):
            if len(current) + len(piece) > limit:
                chunks.append(current)
                current = ""
            current += piece
    return [chunk.strip() for chunk in (*chunks, current) if chunk.strip()]


def _split_line(line: str, limit: int) -> Iterator[str]:
    while len(line) > limit:
        cut = line.rfind(" ", 1, limit) + 1 or limit
        yield line[:cut]
        line = line[cut:]
    yield line


def _queries(record: Record, options: Mapping[str, str], tally: Tally) -> list[dict[str, Any]]:
    questions, answers = record.at("questions").items(), record.at("answers").items()
    if len(questions) != len(answers):
        raise record.fault(f"has {len(questions)} questions and {len(answers)} answers")
    kinds = _question_kinds(record, len(questions))
    source = _metadata(record, "source")
    conflicts = options["split"] == CONFLICT_SPLIT or (
        source is not None and source.scalar().startswith(CONFLICT_SOURCE)
    )
    queries = []
    for index, (question, answer) in enumerate(zip(questions, answers, strict=True)):
        expected = _golds(answer)
        tally.find("questions")
        if not expected:
            tally.drop("answers that are empty")
        if not question.text().strip():
            tally.drop("questions without text")
            continue
        kind = kinds[index]
        query_type = longmemeval.QUERY_TYPES.get(kind or "", "retrieval")
        queries.append(
            {
                "query_id": f"q{index}",
                "query_text": question.text(),
                "expected_answer": expected or None,
                "query_type": "contradiction" if conflicts else query_type,
                "required_memory_ids": None,
                **_category(kind, source),
            }
        )
    return queries


def _golds(answer: Record) -> list[str]:
    golds = answer.items() if isinstance(answer.value, list) else [answer]
    texts = (gold.scalar().strip() for gold in golds if gold.value is not None)
    return list(dict.fromkeys(filter(None, texts)))


def _question_kinds(record: Record, count: int) -> list[str | None]:
    kinds = _metadata(record, "question_types")
    texts: list[str | None] = [one.text() for one in kinds.items()] if kinds else []
    if texts and len(texts) != count:
        raise record.fault(f"has {count} questions and {len(texts)} question types")
    return texts or [None] * count


def _category(kind: str | None, source: Record | None) -> dict[str, str]:
    category = kind or (source.scalar() if source else None)
    return {} if category is None else {"source_category": category}


def _metadata(record: Record, key: str) -> Record | None:
    metadata = record.find("metadata")
    return metadata.find(key) if metadata else None
