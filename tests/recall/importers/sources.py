"""Small sources made by hand, with the oddities known of real ones, and what their import gives."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from brainbench_replay.recall.dataset import read_sessions, survey_dataset
from brainbench_replay.recall.importers.run import import_dataset
from brainbench_schema.errors import InvalidInputError

if TYPE_CHECKING:
    from pathlib import Path

QUESTION: dict[str, Any] = {
    "question_id": "gpt4_1",
    "question_type": "knowledge-update",
    "question": "How many plants?",
    "answer": 3,
    "question_date": "2023/06/01 (Thu) 10:00",
    "haystack_session_ids": ["answer_1_2", "sharegpt_9", "answer_1_1"],
    "haystack_dates": [
        "2023/05/30 (Tue) 21:56",
        "2023/05/20 (Sat) 02:21",
        "2023/05/25 (Thu) 08:00",
    ],
    "haystack_sessions": [
        [
            {"role": "user", "content": "Now I own 3 plants.", "has_answer": True},
            {"role": "assistant", "content": "Nice.", "has_answer": False},
        ],
        [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "  "}],
        [{"role": "user", "content": "I own 2 plants.", "has_answer": True}],
    ],
    "answer_session_ids": ["answer_1_1", "answer_1_2"],
}
CONVERSATION: dict[str, Any] = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ana",
        "speaker_b": "Bo",
        "session_2_date_time": "12:05 am on 9 May, 2023",
        "session_2": [{"speaker": "Ana", "dia_id": "D2:5", "text": "A cat."}],
        "session_10_date_time": "1:56 pm on 8 June, 2023",
        "session_10": [{"speaker": "Bo", "dia_id": "D10:26", "text": "", "blip_caption": "a dog"}],
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [{"speaker": "Bo", "dia_id": "D1:1", "text": "Hi.", "blip_caption": "a pie"}],
        "session_11_date_time": "1:56 pm on 9 June, 2023",
    },
    "qa": [
        {"question": "What?", "answer": 2022, "evidence": ["D1:1; D2:5"], "category": 1},
        {"question": "When?", "answer": "May", "evidence": ["D:10:26", "D2:05"], "category": 2},
        {"question": "When?", "answer": "May", "evidence": ["D99:1"], "category": 3},
        {"question": "Who?", "answer": "Bo", "evidence": [], "category": 4},
        {"question": "Why?", "adversarial_answer": "x", "evidence": ["D1:1"], "category": 5},
        {"question": "Why?", "answer": "so", "evidence": ["D"], "category": 5},
    ],
}
ROW: dict[str, Any] = {
    "context": "0. Ada is in Rome.\n1. Ben is in Oslo.\n2. Ada is in Bern.\n",
    "questions": ["Where is Ada?", "Where is Ben?"],
    "answers": [["Bern", "Berne"], "Oslo"],
    "metadata": {"source": "factconsolidation_sh_6k", "qa_pair_ids": ["a", "b"]},
}
EPISODE: dict[str, Any] = {
    "episode_id": 7,
    "task": "clean",
    "task_type": "house",
    "domain": "home",
    "trajectory": [
        {"turn_idx": 1, "action": "open door", "observation": {"door": "open"}},
        {"turn_idx": 0, "action": None, "observation": "a room"},
        {"turn_idx": 2, "action": "", "observation": None},
    ],
    "qa_pairs": [{"question": f"Q{kind}?", "answer": "a room", "type": kind} for kind in "ABCD"],
}


def imported(
    tmp_path: Path, kind: str, content: Any, name: str = "source.json", **settings: str
) -> tuple[list[Any], Any]:
    """Import content given as a document, or as text, and give sessions and summary."""
    source, out = tmp_path / name, tmp_path / "set.jsonl"
    source.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    summary = import_dataset(kind, source, out, settings)
    survey_dataset(out)
    return list(read_sessions(out)), summary


def refused(tmp_path: Path, kind: str, content: Any, **settings: str) -> str:
    with pytest.raises(InvalidInputError) as caught:
        imported(tmp_path, kind, content, **settings)
    assert not (tmp_path / "set.jsonl").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["source.json"]
    return str(caught.value).replace(f"{tmp_path}/", "")


def without(document: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name != key}
