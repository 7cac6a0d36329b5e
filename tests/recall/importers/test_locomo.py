"""LoCoMo: conversations become sessions, and counts stand beside those stated."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.recall.importers.sources import CONVERSATION, QUESTION, imported, refused, without

from brainbench_replay.recall.importers.locomo import find_turns
from brainbench_replay.recall.importers.run import render_summary

if TYPE_CHECKING:
    from pathlib import Path


def test_locomo_conversations_become_sessions(tmp_path: Path) -> None:
    [session], summary = imported(tmp_path, "locomo", [CONVERSATION])
    assert [(one.memory_id, one.timestamp, one.text) for one in session.memories] == [
        ("D1:1", "2023-05-08T13:56:00Z", "Bo: Hi."),
        ("D2:5", "2023-05-09T00:05:00Z", "Ana: A cat."),
        ("D10:26", "2023-06-08T13:56:00Z", "Bo: "),
    ]
    assert [(one.query_type, one.required) for one in session.queries] == [
        ("retrieval", ("D1:1", "D2:5")),
        ("temporal", ("D10:26", "D2:5")),
        ("retrieval", None),
        ("retrieval", None),
        ("retrieval", ("D1:1",)),
        ("retrieval", None),
    ]
    assert [one.query_id for one in session.queries] == ["q0", "q1", "q2", "q3", "q4", "q5"]
    assert [one.expected for one in session.queries][::4] == [("2022",), ()]
    assert [one.answer_kind for one in session.queries][4:] == ["abstain", "span"]
    assert summary.dropped == {"dates without a session": 1, "evidence that names no turn": 1}


def test_locomo_checks_stand_beside_what_was_found(tmp_path: Path) -> None:
    _, summary = imported(tmp_path, "locomo", [CONVERSATION])
    checks = {one.what: (one.stated, one.found) for one in summary.checks}
    assert checks == {
        "questions": (1986, 6),
        "questions with a resolvable turn": (1982, 3),
        "captioned turns": (1226, 2),
        "category 1 multi-hop": (282, 1),
        "category 2 temporal": (321, 1),
        "category 3 open-domain": (96, 1),
        "category 4 single-hop": (841, 1),
        "category 5 adversarial": (446, 2),
    }
    assert "captioned turns: 2 found, 1,226 stated" in summary.remarks
    assert summary.known is None
    assert "is not that of a known file" in summary.remarks[0]
    table = render_summary(summary)
    assert "(not a known one)" in table
    assert re.search(r"\| captioned turns +\| +2 \| +1226 +\|", table)


def test_locomo_captions_are_an_option_that_is_recorded(tmp_path: Path) -> None:
    [session], _ = imported(tmp_path, "locomo", [CONVERSATION], captions="yes")
    assert session.memories[0].text == "Bo: Hi. [image: a pie]"
    assert session.source["options"] == {"captions": "yes"}


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["D8:6; D9:17"], ["D8:6", "D9:17"]),
        (["D9:1 D4:4 D4:6"], ["D9:1", "D4:4", "D4:6"]),
        (["D:11:26"], ["D11:26"]),
        (["D30:05"], ["D30:5"]),
        (["D1:1", "D1:01"], ["D1:1"]),
        (["D", "", "no id"], []),
    ],
)
def test_locomo_evidence_is_read_in_all_its_forms(texts: list[str], expected: list[str]) -> None:
    assert find_turns(texts) == expected


def _talk(**changes: Any) -> dict[str, Any]:
    return {**CONVERSATION, "conversation": {**CONVERSATION["conversation"], **changes}}


@pytest.mark.parametrize(
    ("conversation", "message"),
    [
        ({**CONVERSATION, "qa": {}}, "source.json#/0/qa: must be a list, not an object"),
        (_talk(session_1_date_time="8 May"), "#/0/conversation/session_1_date_time: '8 May' is"),
        (_talk(session_1=[{"speaker": "A", "dia_id": "x", "text": "y"}]), "'x' is no turn id"),
        (_talk(session_1=[{"speaker": "A", "dia_id": "D2:5", "text": "y"}]), "stands twice"),
        ({**CONVERSATION, "qa": [{**CONVERSATION["qa"][0], "category": 6}]}, "6 is no category"),
        ({**CONVERSATION, "qa": [{**CONVERSATION["qa"][0], "evidence": "D1:1"}]}, "/qa/0/evidence"),
        (QUESTION, "this looks like a file of kind longmemeval"),
    ],
)
def test_locomo_that_is_wrong_is_refused(
    tmp_path: Path, conversation: dict[str, Any], message: str
) -> None:
    assert message in refused(tmp_path, "locomo", [conversation])


def test_a_locomo_session_without_a_date_keeps_its_place(tmp_path: Path) -> None:
    talk = CONVERSATION["conversation"]
    undated = {**CONVERSATION, "conversation": without(talk, "session_2_date_time")}
    [session], summary = imported(tmp_path, "locomo", [undated])
    assert [one.timestamp is None for one in session.memories] == [False, True, False]
    assert summary.found["sessions without a date"] == 1
