"""Importers against small files made by hand, with every oddity that the sources are known for."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from brainbench_replay.recall.dataset import read_sessions, survey_dataset
from brainbench_replay.recall.importers import source as source_module
from brainbench_replay.recall.importers.locomo import find_turns
from brainbench_replay.recall.importers.memoryagentbench import split_text
from brainbench_replay.recall.importers.run import KINDS, import_dataset, render_summary
from brainbench_replay.recall.importers.times import read_slashed, read_spoken, sort_by_time
from brainbench_schema.errors import InvalidInputError, UsageError

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


def _import(
    tmp_path: Path, kind: str, content: Any, name: str = "source.json", **settings: str
) -> tuple[list[Any], Any]:
    """Import content given as a document, or as text, and give sessions and summary."""
    source, out = tmp_path / name, tmp_path / "set.jsonl"
    source.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    summary = import_dataset(kind, source, out, settings)
    survey_dataset(out)
    return list(read_sessions(out)), summary


def _refuse(tmp_path: Path, kind: str, content: Any, **settings: str) -> str:
    with pytest.raises(InvalidInputError) as caught:
        _import(tmp_path, kind, content, **settings)
    assert not (tmp_path / "set.jsonl").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["source.json"]
    return str(caught.value).replace(f"{tmp_path}/", "")


def _without(document: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name != key}


def test_longmemeval_turns_come_in_order_of_time_under_ids_that_tell_nothing(
    tmp_path: Path,
) -> None:
    [session], summary = _import(tmp_path, "longmemeval", [QUESTION])
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
    [session], _ = _import(tmp_path, "longmemeval", [QUESTION], memory="session")
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
    [session], _ = _import(tmp_path, "longmemeval", [{**QUESTION, **changes}])
    [query] = session.queries
    assert (query.query_type, query.answer_kind) == (query_type, answer_kind)
    assert (query.required is not None) is has_evidence


def test_longmemeval_names_evidence_sessions_that_are_not_there(tmp_path: Path) -> None:
    question = {**QUESTION, "answer_session_ids": ["answer_1_1", "gone"]}
    _, summary = _import(tmp_path, "longmemeval", [question])
    assert summary.dropped["evidence sessions that the haystack lacks"] == 1


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (_without(QUESTION, "answer"), "source.json#/1: lacks 'answer'"),
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
    assert message in _refuse(tmp_path, "longmemeval", [QUESTION, question])


def test_longmemeval_releases_are_told_apart(tmp_path: Path) -> None:
    """The release stands in every line, so that two can't be joined unseen."""
    [session], summary = _import(tmp_path, "longmemeval", [QUESTION], "x_cleaned.json")
    assert session.source["options"]["release"] == "cleaned"
    assert not any("release" in remark for remark in summary.remarks)
    with pytest.raises(UsageError, match="name says cleaned"):
        _import(tmp_path, "longmemeval", [QUESTION], "x_cleaned.json", release="original")
    _, unknown = _import(tmp_path, "longmemeval", [QUESTION])
    assert any("never mix" in remark for remark in unknown.remarks)


def test_locomo_conversations_become_sessions(tmp_path: Path) -> None:
    [session], summary = _import(tmp_path, "locomo", [CONVERSATION])
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
    _, summary = _import(tmp_path, "locomo", [CONVERSATION])
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


def test_a_known_source_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = "79fa87e90f04081343b8c8debecb80a9a6842b76a7aa537dc9fdf651ea698ff4"
    assert KINDS["locomo"].known == {digest: "locomo10.json"}
    own = hashlib.sha256(json.dumps([CONVERSATION]).encode()).hexdigest()
    monkeypatch.setitem(KINDS, "locomo", replace(KINDS["locomo"], known={own: "locomo10.json"}))
    _, summary = _import(tmp_path, "locomo", [CONVERSATION])
    assert summary.known == "locomo10.json"


def test_locomo_captions_are_an_option_that_is_recorded(tmp_path: Path) -> None:
    [session], _ = _import(tmp_path, "locomo", [CONVERSATION], captions="yes")
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
    assert message in _refuse(tmp_path, "locomo", [conversation])


def test_a_locomo_session_without_a_date_keeps_its_place(tmp_path: Path) -> None:
    talk = CONVERSATION["conversation"]
    undated = {**CONVERSATION, "conversation": _without(talk, "session_2_date_time")}
    [session], summary = _import(tmp_path, "locomo", [undated])
    assert [one.timestamp is None for one in session.memories] == [False, True, False]
    assert summary.found["sessions without a date"] == 1


def test_memoryagentbench_rows_become_sessions(tmp_path: Path) -> None:
    lines = "".join(f"{json.dumps(ROW)}\n" for _ in range(2))
    sessions, _ = _import(tmp_path, "memoryagentbench", lines, chunk_chars="40")
    assert [one.session_id for one in sessions] == [
        "factconsolidation_sh_6k-0000",
        "factconsolidation_sh_6k-0001",
    ]
    assert [one.text for one in sessions[0].memories] == [
        "0. Ada is in Rome.\n1. Ben is in Oslo.",
        "2. Ada is in Bern.",
    ]
    one, two = sessions[0].queries
    assert (one.query_type, one.expected, one.required) == (
        "contradiction",
        ("Bern", "Berne"),
        None,
    )
    assert two.expected == ("Oslo",)


def test_memoryagentbench_types_come_from_split_and_question_types(tmp_path: Path) -> None:
    row = _without(ROW, "metadata")
    [plain], _ = _import(tmp_path, "memoryagentbench", [row])
    assert {one.query_type for one in plain.queries} == {"retrieval"}
    [split], _ = _import(tmp_path, "memoryagentbench", [row], split="Conflict_Resolution")
    assert {one.query_type for one in split.queries} == {"contradiction"}
    kinds = {"source": "longmemeval_s", "question_types": ["temporal-reasoning", "other"]}
    [typed], _ = _import(tmp_path, "memoryagentbench", [{**row, "metadata": kinds}])
    assert [one.query_type for one in typed.queries] == ["temporal", "retrieval"]
    assert [one.source_category for one in typed.queries] == ["temporal-reasoning", "other"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({**ROW, "answers": ["x"]}, "source.json, line 1: has 2 questions and 1 answers"),
        ({**ROW, "answers": [{}, "x"]}, "line 1#/answers/0: must be a text or a number"),
        ({**ROW, "context": ["x"]}, "line 1#/context: must be a text, not a list"),
        ({**ROW, "metadata": {"question_types": ["x"]}}, "2 questions and 1 question types"),
        ({**ROW, "context": " "}, "holds nothing that can be used"),
    ],
)
def test_memoryagentbench_that_is_wrong_is_refused_by_line(
    tmp_path: Path, row: dict[str, Any], message: str
) -> None:
    assert message in _refuse(tmp_path, "memoryagentbench", row)


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("", 10, []),
        (" \n ", 10, []),
        ("ab\ncd\n", 3, ["ab", "cd"]),
        ("ab\ncd\n", 6, ["ab\ncd"]),
        ("one two three", 8, ["one two", "three"]),
        ("x" * 10, 4, ["xxxx", "xxxx", "xx"]),
    ],
)
def test_a_context_is_cut_at_lines_then_spaces(text: str, limit: int, expected: list[str]) -> None:
    assert split_text(text, limit) == expected


def test_ama_episodes_become_sessions(tmp_path: Path) -> None:
    [session], summary = _import(tmp_path, "ama-bench", f"{json.dumps(EPISODE)}\n\n")
    assert [(one.memory_id, one.timestamp, one.text) for one in session.memories] == [
        ("t0", None, "Observation: a room"),
        ("t1", None, 'Action: open door\nObservation: {"door": "open"}'),
    ]
    types = [(one.query_type, one.required) for one in session.queries]
    assert types == [
        ("temporal", None),
        ("retrieval", None),
        ("contradiction", None),
        ("retrieval", None),
    ]
    assert summary.found["trajectories brought into order"] == 1
    assert summary.dropped == {"turns without action and observation": 1}


@pytest.mark.parametrize(
    ("episode", "message"),
    [
        ({**EPISODE, "trajectory": [{"turn_idx": "0"}]}, "/trajectory/0/turn_idx: must be a whole"),
        ({**EPISODE, "trajectory": EPISODE["trajectory"][:1] * 2}, "1 stands twice"),
        ({**EPISODE, "qa_pairs": [{"question": "x", "type": "E"}]}, "'E' is none of A, B, C, D"),
        ({**EPISODE, "qa_pairs": []}, "holds nothing that can be used"),
    ],
)
def test_ama_that_is_wrong_is_refused_by_line(
    tmp_path: Path, episode: dict[str, Any], message: str
) -> None:
    assert message in _refuse(tmp_path, "ama-bench", json.dumps(episode))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds nothing"),
        ("[]", "holds nothing"),
        ("hello", "is no JSON: it starts with b'hello'"),
        ("\ufeff[]", "byte order mark"),
        ("PAR1...", "is packed, not JSON"),
        ("[" + json.dumps(QUESTION)[:-40], "#/0: not JSON: ends in the middle"),
        ("[" + json.dumps(QUESTION) + ",", "#/1: not JSON: ends in the middle"),
        ("[" + json.dumps(QUESTION) + "] x", "#/1: not JSON: trailing garbage"),
        ('[{"a": NaN}]', "#/0: not JSON: invalid char"),
        ('{"a": 1}\n{"a"', "line 1: lacks 'question_id'"),
    ],
)
def test_what_is_broken_is_refused_with_its_place(
    tmp_path: Path, content: str, message: str
) -> None:
    assert message in _refuse(tmp_path, "longmemeval", content)


def test_bytes_that_are_no_utf8_are_refused(tmp_path: Path) -> None:
    source = tmp_path / "source.json"
    source.write_bytes(b'[{"a": "\xff"}]')
    with pytest.raises(InvalidInputError, match=r"#/0: not JSON: .*UTF8"):
        import_dataset("locomo", source, tmp_path / "out", {})


@pytest.mark.parametrize("mark", ["[", ""])
def test_an_element_without_an_end_is_refused_before_it_fills_memory(
    tmp_path: Path, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_module, "MAX_ELEMENT_BYTES", 100_000)
    huge = f'{mark}{{"a": "{"x" * 400_000}'
    told = _refuse(tmp_path, "longmemeval", huge)
    assert "larger than 100,000 bytes" in told or "the limit is" in told


def test_half_a_surrogate_pair_becomes_a_mark(tmp_path: Path) -> None:
    text = json.dumps([QUESTION]).replace("Hello.", "Hello \\ud83d")
    [session], _ = _import(tmp_path, "longmemeval", text)
    assert session.memories[0].text == "user: Hello ?"


def test_progress_is_told_in_bytes(tmp_path: Path) -> None:
    source = tmp_path / "source.json"
    source.write_text(json.dumps([QUESTION]), "utf-8")
    seen: list[int] = []
    import_dataset("longmemeval", source, tmp_path / "out", {}, seen.append)
    assert sum(seen) == source.stat().st_size


@pytest.mark.parametrize(
    ("kind", "settings", "message"),
    [
        ("nope", {}, "no kind 'nope'"),
        ("ama-bench", {"x": "1"}, "has no option 'x'"),
        ("locomo", {"captions": "maybe"}, "captions=maybe can't be"),
        ("memoryagentbench", {"chunk_chars": "0"}, "whole numbers from 1"),
        ("memoryagentbench", {"chunk_chars": "ten"}, "whole numbers from 1"),
    ],
)
def test_kinds_and_options_that_do_not_exist_are_refused(
    tmp_path: Path, kind: str, settings: dict[str, str], message: str
) -> None:
    with pytest.raises(UsageError) as caught:
        import_dataset(kind, tmp_path / "x", tmp_path / "out", settings)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12:05 am on 9 May, 2023", "2023-05-09T00:05:00Z"),
        ("12:30 pm on 1 December, 2022", "2022-12-01T12:30:00Z"),
        ("1:56 PM on 8 may 2023", "2023-05-08T13:56:00Z"),
    ],
)
def test_spoken_times(text: str, expected: str) -> None:
    assert read_spoken(text) == expected


@pytest.mark.parametrize(
    "text",
    ["13:00 pm on 8 May, 2023", "0:10 am on 8 May, 2023", "1:00 pm on 31 June, 2023", "8 Mai", ""],
)
def test_times_that_no_calendar_knows_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_spoken(text)


def test_slashed_times() -> None:
    assert read_slashed("2023/05/30 (Tue) 21:56") == "2023-05-30T21:56:00Z"
    with pytest.raises(ValueError, match="2023-05-30"):
        read_slashed("2023-05-30 21:56")


def test_sorting_keeps_ties_and_undated_entries_in_place() -> None:
    entries = [("2", "b"), (None, "after b"), ("1", "a"), ("2", "c")]
    assert [name for _, name in sort_by_time(entries)] == ["a", "b", "after b", "c"]


def test_a_refused_source_is_told_what_to_do(tmp_path: Path) -> None:
    """Where nothing better can be told, too."""
    told = _refuse(tmp_path, "locomo", [{"x": 1}])
    assert "lacks 'conversation'" in told
    assert "→ give the file as its authors publish it" in told
