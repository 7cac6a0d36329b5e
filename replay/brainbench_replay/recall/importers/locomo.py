"""LoCoMo: a JSON array of conversations between two people, with questions about each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from brainbench_replay.recall.importers.record import Record, make_id
from brainbench_replay.recall.importers.times import read_spoken, sort_by_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from brainbench_replay.recall.importers.tally import Tally

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}

KNOWN = {
    "79fa87e90f04081343b8c8debecb80a9a6842b76a7aa537dc9fdf651ea698ff4": "locomo10.json",
}
STATED = {
    "questions": 1986,
    "questions with a resolvable turn": 1982,
    "captioned turns": 1226,
    "category 1 multi-hop": 282,
    "category 2 temporal": 321,
    "category 3 open-domain": 96,
    "category 4 single-hop": 841,
    "category 5 adversarial": 446,
}
"""Counts that locomo10.json is known to have."""

_SESSION = re.compile(r"session_(\d+)", re.ASCII)
_DATE = re.compile(r"session_(\d+)_date_time", re.ASCII)
# "D8:6; D9:17" holds two, "D:11:26" means D11:26, "D30:05" means D30:5.
_TURN = re.compile(r"D\s*:?\s*(\d+)\s*:\s*(\d+)", re.ASCII)


def read_locomo(
    records: Iterable[Record], options: Mapping[str, str], tally: Tally
) -> Iterator[dict[str, Any]]:
    """Make one session of each conversation; questions repeat, so their index is their id.

    With ``captions=yes`` the caption of an image stands behind the text of its turn.
    """
    for record in records:
        captions = options["captions"] == "yes"
        memories = _memories(record.at("conversation"), tally, captions=captions)
        known = {memory["memory_id"] for memory in memories}
        queries = [
            _query(index, entry, known, tally)
            for index, entry in enumerate(record.at("qa").items())
        ]
        session_id = make_id(record.at("sample_id").scalar())
        if memories and queries:
            yield {"session_id": session_id, "memories": memories, "queries": queries}
        else:
            tally.drop("conversations without turns or questions")


def find_turns(evidence: Sequence[str]) -> list[str]:
    """Read turn ids out of evidence texts, each once, in its plain form ``D8:6``."""
    found = (match for text in evidence for match in _TURN.finditer(text))
    return list(dict.fromkeys(f"D{int(one[1])}:{int(one[2])}" for one in found))


def _memories(conversation: Record, tally: Tally, *, captions: bool) -> list[dict[str, Any]]:
    memories: dict[str, dict[str, Any]] = {}
    for timestamp, session in _sessions(conversation, tally):
        for turn in session.items():
            memory = _memory(turn, timestamp, tally, captions=captions)
            if memory["memory_id"] in memories:
                raise turn.fault(f"{memory['memory_id']} stands twice in this conversation")
            memories[memory["memory_id"]] = memory
    return list(memories.values())


def _sessions(conversation: Record, tally: Tally) -> list[tuple[str | None, Record]]:
    conversation.at("speaker_a").text()
    numbers = sorted(int(one[1]) for key in conversation.value if (one := _SESSION.fullmatch(key)))
    dates = {int(one[1]) for key in conversation.value if (one := _DATE.fullmatch(key))}
    tally.drop("dates without a session", len(dates - set(numbers)))
    dated: list[tuple[str | None, Record]] = []
    for number in numbers:
        date = conversation.find(f"session_{number}_date_time")
        dated.append((_time(date) if date else None, conversation.at(f"session_{number}")))
    tally.find("sessions without a date", sum(date is None for date, _ in dated))
    return sort_by_time(dated)


def _memory(turn: Record, timestamp: str | None, tally: Tally, *, captions: bool) -> dict[str, Any]:
    memory_id = find_turns([turn.at("dia_id").text()])
    if len(memory_id) != 1:
        raise turn.at("dia_id").fault(f"{turn.value['dia_id']!r} is no turn id such as D1:1")
    text = f"{turn.at('speaker').text()}: {turn.at('text').text()}"
    caption = turn.find("blip_caption")
    tally.find("captioned turns", caption is not None)
    if caption and captions:
        text += f" [image: {caption.text()}]"
    return {"memory_id": memory_id[0], "timestamp": timestamp, "text": text}


def _query(index: int, entry: Record, known: set[str], tally: Tally) -> dict[str, Any]:
    category = _category(entry)
    tally.find("questions")
    tally.find(f"category {category} {CATEGORIES[category]}")
    turns = find_turns([one.text() for one in entry.at("evidence").items()])
    required = [turn for turn in turns if turn in known]
    tally.drop("evidence that names no turn", len(turns) - len(required))
    tally.find("questions with a resolvable turn", bool(required))
    answer = entry.find("answer")
    expected = answer.scalar().strip() if answer else ""
    abstains = category == 5 and not expected
    tally.find("abstentions", abstains)
    if not expected and not abstains:
        tally.drop("answers that are empty")
    return {
        "query_id": f"q{index}",
        "query_text": entry.at("question").text(),
        "expected_answer": expected or None,
        "query_type": "temporal" if category == 2 else "retrieval",
        "required_memory_ids": required or None,
        "source_category": CATEGORIES[category],
        "answer_kind": "abstain" if abstains else "span",
    }


def _category(entry: Record) -> int:
    category = entry.at("category")
    if isinstance(category.value, bool) or category.value not in CATEGORIES:
        raise category.fault(f"{category.value!r} is no category from 1 to 5")
    return int(category.value)


def _time(date: Record) -> str:
    try:
        return read_spoken(date.text())
    except ValueError as error:
        raise date.fault(str(error)) from None
