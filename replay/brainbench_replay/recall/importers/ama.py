"""AMA-Bench: JSON Lines of an agent's trajectory and the questions about it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from brainbench_replay.recall.importers.record import Record, make_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from brainbench_replay.recall.importers.tally import Tally

QUERY_TYPES = {"A": "temporal", "B": "retrieval", "C": "contradiction", "D": "retrieval"}


def read_ama(
    records: Iterable[Record],
    _options: Mapping[str, str],
    tally: Tally,
) -> Iterator[dict[str, Any]]:
    """Make one session of each episode, one memory of each turn; evidence is not given."""
    for record in records:
        tally.find("episodes")
        memories = _memories(record, tally)
        pairs = enumerate(record.at("qa_pairs").items())
        queries = [_query(index, pair, tally) for index, pair in pairs]
        if not memories or not queries:
            tally.drop("episodes without turns or questions")
            continue
        session_id = make_id(record.at("episode_id").scalar())
        yield {"session_id": session_id, "memories": memories, "queries": queries}


def _memories(record: Record, tally: Tally) -> list[dict[str, Any]]:
    turns: dict[int, str] = {}
    for turn in record.at("trajectory").items():
        index = turn.at("turn_idx")
        if not isinstance(index.value, int) or isinstance(index.value, bool):
            raise index.fault("must be a whole number")
        if index.value in turns:
            raise index.fault(f"{index.value} stands twice in this trajectory")
        turns[index.value] = _render(turn)
    if list(turns) != sorted(turns):
        tally.find("trajectories brought into order")
    tally.drop("turns without action and observation", sum(not text for text in turns.values()))
    return [
        {"memory_id": f"t{index}", "timestamp": None, "text": text}
        for index, text in sorted(turns.items())
        if text
    ]


def _render(turn: Record) -> str:
    parts = {"Action": turn.find("action"), "Observation": turn.find("observation")}
    texts = {title: _text(part) for title, part in parts.items() if part}
    return "\n".join(f"{title}: {text}" for title, text in texts.items() if text)


def _text(part: Record) -> str:
    if isinstance(part.value, str):
        return part.value.strip()
    return json.dumps(part.value, ensure_ascii=False)


def _query(index: int, pair: Record, tally: Tally) -> dict[str, Any]:
    kind = pair.at("type")
    if kind.text() not in QUERY_TYPES:
        raise kind.fault(f"{kind.text()!r} is none of {', '.join(QUERY_TYPES)}")
    answer = pair.find("answer")
    expected = answer.scalar().strip() if answer else ""
    tally.find(f"questions of type {kind.text()}")
    if not expected:
        tally.drop("answers that are empty")
    return {
        "query_id": f"q{index}",
        "query_text": pair.at("question").text(),
        "expected_answer": expected or None,
        "query_type": QUERY_TYPES[kind.text()],
        "required_memory_ids": None,
        "source_category": kind.text(),
    }
