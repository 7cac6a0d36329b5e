"""LongMemEval: a JSON array of questions, each with a haystack of chat sessions of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from brainbench_replay.recall.importers.record import Record, make_id
from brainbench_replay.recall.importers.times import read_slashed, sort_by_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from brainbench_replay.recall.importers.tally import Tally

QUERY_TYPES = {
    "single-session-user": "retrieval",
    "single-session-assistant": "retrieval",
    "single-session-preference": "retrieval",
    "multi-session": "retrieval",
    "temporal-reasoning": "temporal",
    "knowledge-update": "contradiction",
}
Dated = tuple[str | None, tuple[bool, Record]]


def read_longmemeval(
    records: Iterable[Record], options: Mapping[str, str], tally: Tally
) -> Iterator[dict[str, Any]]:
    """Make one session of each question.

    Session ids such as ``answer_…`` would give the gold away, so memories are numbered in order
    of time. A memory is a turn, and the evidence is the turns marked ``has_answer``; with
    ``memory=session`` a memory is a whole chat session, and the evidence is those that
    ``answer_session_ids`` names. An abstention has no evidence.
    """
    for record in records:
        question_id = record.at("question_id").text()
        kind = _question_type(record)
        tally.find(f"questions {kind}")
        memories, required = _memories(record, options, tally)
        if not memories:
            tally.drop("questions with an empty haystack")
            continue
        abstains = question_id.endswith("_abs")
        query = {
            "query_id": "q1",
            "query_text": record.at("question").text(),
            "expected_answer": record.at("answer").scalar().strip() or None,
            "query_type": QUERY_TYPES[kind],
            "required_memory_ids": None if abstains else required or None,
            "asked_at": _time(record.at("question_date")),
            "source_category": kind,
            "answer_kind": _answer_kind(kind, abstains),
        }
        _count(query, tally)
        yield {"session_id": make_id(question_id), "memories": memories, "queries": [query]}


def _memories(
    record: Record, options: Mapping[str, str], tally: Tally
) -> tuple[list[dict[str, Any]], list[str]]:
    """Give a question's memories in order of time, and the ids of those that hold evidence."""
    answers = {one.text() for one in record.at("answer_session_ids").items()}
    memories: list[dict[str, Any]] = []
    required: list[str] = []
    for number, (timestamp, (is_answer, session)) in enumerate(_sessions(record, answers, tally)):
        turns = [turn for turn in session.items() if _says_something(turn, tally)]
        groups = [turns] if options["memory"] == "session" else [[turn] for turn in turns]
        for place, group in enumerate(filter(None, groups)):
            memory_id = f"s{number:03}-{place:03}"
            text = "\n".join(map(_render, group))
            memories.append({"memory_id": memory_id, "timestamp": timestamp, "text": text})
            marked = any(one.value.get("has_answer") is True for one in group)
            if is_answer if options["memory"] == "session" else marked:
                required.append(memory_id)
    return memories, required


def _sessions(record: Record, answers: set[str], tally: Tally) -> list[Dated]:
    """Pair sessions with dates and ids, and bring them into order of time."""
    sessions = record.at("haystack_sessions").items()
    dates = record.at("haystack_dates").items()
    ids = [one.text() for one in record.at("haystack_session_ids").items()]
    if not len(sessions) == len(dates) == len(ids):
        lengths = f"{len(sessions)} sessions, {len(dates)} dates and {len(ids)} session ids"
        raise record.fault(f"has {lengths}", "the three lists belong together, one by one")
    tally.drop("evidence sessions that the haystack lacks", len(answers - set(ids)))
    dated: list[Dated] = [
        (_time(date), (session_id in answers, session))
        for date, session_id, session in zip(dates, ids, sessions, strict=True)
    ]
    ordered = sort_by_time(dated)
    if ordered != dated:
        tally.find("haystacks brought into order of time")
    return ordered


def _question_type(record: Record) -> str:
    kind = record.at("question_type")
    if kind.text() not in QUERY_TYPES:
        raise kind.fault(f"{kind.text()!r} is none of {', '.join(QUERY_TYPES)}")
    return kind.text()


def _says_something(turn: Record, tally: Tally) -> bool:
    says = bool(turn.at("content").text().strip())
    tally.drop("turns without text", not says)
    return says


def _render(turn: Record) -> str:
    return f"{turn.at('role').text()}: {turn.at('content').text()}"


def _answer_kind(kind: str, abstains: bool) -> str:
    if abstains:
        return "abstain"
    return "rubric" if kind == "single-session-preference" else "span"


def _count(query: dict[str, Any], tally: Tally) -> None:
    if query["answer_kind"] == "abstain":
        tally.find("abstentions")
    elif query["required_memory_ids"] is None:
        tally.drop("evidence of questions without a marked memory")


def _time(date: Record) -> str:
    try:
        return read_slashed(date.text())
    except ValueError as error:
        raise date.fault(str(error)) from None
