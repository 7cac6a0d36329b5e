"""LongMemEval: questions become sessions, and nothing tells which of them holds the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.recall.importers.sources import CONVERSATION, QUESTION, imported, refused, without

from brainbench_schema.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def test_longmemeval_turns_come_in_order_of_time_under_ids_that_tell_nothing(
    tmp_path: Path,
) -> None:
    [session], summary = imported(tmp_path, "longmemeval", [QUESTION])
    assert [(one.memory_id, one.text) for one in session.memories] == [
        ("s000-000", "user: Hello."),
        ("s001-000", "user: I own 2 plants."),
        ("s002-000", "user: Now I own 3 plants."),
        ("s002-001", "assistant: Nice."),
    ]
    [query] = session.queries
    assert (query.query_type, query.expected) == ("contradiction", ("3",))
    assert query.required == ("s001-000", "s002-000")
    assert (query.source_category, query.asked_at) == ("knowledge-update", "2023-06-01T10:00:00Z")
    assert "answer_" not in (tmp_path / "set.jsonl").read_text("utf-8").split('"queries"')[0]
    assert summary.dropped == {"turns without text": 1}
    assert summary.found["haystacks brought into order of time"] == 1


def test_longmemeval_sessions_can_be_memories(tmp_path: Path) -> None:
    [session], _ = imported(tmp_path, "longmemeval", [QUESTION], memory="session")
    assert [one.text for one in session.memories][
        2
    ] == "user: Now I own 3 plants.\nassistant: Nice."
    assert session.queries[0].required == ("s001-000", "s002-000")


@pytest.mark.parametrize(
    ("changes", "query_type", "answer_kind", "has_evidence"),
    [
        ({"question_id": "x_abs"}, "contradiction", "abstain", False),
        ({"question_type": "temporal-reasoning"}, "temporal", "span", True),
        ({"question_type": "single-session-user"}, "retrieval", "span", True),
        ({"question_type": "single-session-assistant"}, "retrieval", "span", True),
        ({"question_type": "single-session-preference"}, "retrieval", "rubric", True),
        ({"question_type": "multi-session"}, "retrieval", "span", True),
        ({"haystack_sessions": [[{"role": "user", "content": "x"}]] * 3}, "contradiction", "span",
         False),
    ],
)  # fmt: skip
def test_longmemeval_types_abstentions_and_missing_marks(
    tmp_path: Path,
    changes: dict[str, Any],
    query_type: str,
    answer_kind: str,
    *,
    has_evidence: bool,
) -> None:
    [session], _ = imported(tmp_path, "longmemeval", [{**QUESTION, **changes}])
    [query] = session.queries
    assert (query.query_type, query.answer_kind) == (query_type, answer_kind)
    assert (query.required is not None) is has_evidence


def test_longmemeval_names_evidence_sessions_that_are_not_there(tmp_path: Path) -> None:
    question = {**QUESTION, "answer_session_ids": ["answer_1_1", "gone"]}
    _, summary = imported(tmp_path, "longmemeval", [question])
    assert summary.dropped["evidence sessions that the haystack lacks"] == 1


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (without(QUESTION, "answer"), "source.json#/1: lacks 'answer'"),
        (CONVERSATION, "this looks like a file of kind locomo"),
        (7, "source.json#/1: must be an object, not a number"),
        ({**QUESTION, "question_type": "x"}, "#/1/question_type: 'x' is none of"),
        ({**QUESTION, "answer": ["a"]}, "#/1/answer: must be a text or a number, not a list"),
        ({**QUESTION, "haystack_dates": ["x"]}, "has 3 sessions, 1 dates and 3 session ids"),
        ({**QUESTION, "question_date": "2023/02/30 (Thu) 10:00"}, "#/1/question_date: day"),
        ({**QUESTION, "haystack_sessions": [{}] * 3}, "#/1/haystack_sessions/1: must be a list"),
        (QUESTION, "session gpt4_1: stands twice; were two releases joined?"),
    ],
)
def test_longmemeval_that_is_wrong_is_refused_by_index(
    tmp_path: Path, question: Any, message: str
) -> None:
    assert message in refused(tmp_path, "longmemeval", [QUESTION, question])


def test_longmemeval_releases_are_told_apart(tmp_path: Path) -> None:
    """The release stands in every line, so that two can't be joined unseen."""
    [session], summary = imported(tmp_path, "longmemeval", [QUESTION], "x_cleaned.json")
    assert session.source["options"]["release"] == "cleaned"
    assert not any("release" in remark for remark in summary.remarks)
    with pytest.raises(UsageError, match="name says cleaned"):
        imported(tmp_path, "longmemeval", [QUESTION], "x_cleaned.json", release="original")
    _, unknown = imported(tmp_path, "longmemeval", [QUESTION])
    assert any("never mix" in remark for remark in unknown.remarks)
