"""Reading the dataset: what is refused, and where the error points."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.recall.making import document, memory, query, write_lines

from brainbench_replay.recall.dataset import (
    hash_dataset,
    parse_session,
    read_sessions,
    survey_dataset,
)
from brainbench_schema.errors import InvalidInputError

if TYPE_CHECKING:
    from pathlib import Path


def _refuse(line: dict[str, Any]) -> str:
    with pytest.raises(InvalidInputError) as caught:
        parse_session(json.dumps(line).encode(), "set.jsonl, line 3")
    return str(caught.value)


def _line(**changes: Any) -> dict[str, Any]:
    line = document(memory("m1", "01"), memory("m2", "02"), queries=[query("retrieval", ["m1"])])
    return {**line, **changes}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (_line(session_id="a/b"), "#/session_id"),
        (_line(session_id=7), "#/session_id: must be string, not 7"),
        (_line(gold=1), "#/gold: unknown key 'gold'"),
        (_line(memories=[]), "#/memories: must not be empty"),
        (_line(queries=[]), "#/queries: must not be empty"),
        (_line(memories=[memory("m1", "02"), memory("m2", "01")]), "#/memories/1/timestamp"),
        (_line(memories=[memory("m1"), memory("m1")]), "#/memories/1/memory_id"),
        (_line(memories=[memory("m1", "01", supersedes="m9")]), "'m9' is no earlier memory"),
        (_line(memories=[memory("m1", "yesterday")]), "is not an RFC 3339 time"),
        (_line(memories=[memory("m1", text=" ")]), "#/memories/0/text"),
        (_line(queries=[query("retrieval", [])]), "required_memory_ids: must not be empty"),
        (_line(queries=[query("retrieval", ["m7"])]), "'m7' is no memory of this session"),
        (_line(queries=[query("retrieval", ["m1", "m1"])]), "#/queries/0/required_memory_ids"),
        (_line(queries=[query("guess", None)]), "must be one of retrieval, temporal"),
        (_line(queries=[query("retrieval", None, expected_answer="")]), "expected_answer"),
        (_line(queries=[query("retrieval", None, top_k=0)]), "#/queries/0/top_k"),
        (_line(queries=[query("retrieval", None)] * 2), "#/queries/1/query_id"),
    ],
)
def test_a_faulty_line_is_refused_with_its_place(line: dict[str, Any], message: str) -> None:
    told = _refuse(line)
    assert message in told
    assert told.startswith("set.jsonl, line 3")


def test_a_contradiction_must_require_what_supersedes() -> None:
    line = document(
        memory("m1", "01"),
        memory("m2", "02", supersedes="m1"),
        queries=[query("contradiction", ["m1"])],
    )
    assert "'m1' is superseded by 'm2', which is not required" in _refuse(line)


def test_a_survey_counts_and_hashes_line_ends_away(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "set.jsonl", _line(), _line(session_id="s2"))
    data = path.read_bytes()
    found = survey_dataset(path)
    assert (found.sessions, found.memories, found.queries) == (2, 4, 2)
    assert found.fixtures_hash == hashlib.sha256(data).hexdigest()
    path.write_bytes(data.replace(b"\n", b"\r\n"))
    assert survey_dataset(path).fixtures_hash == found.fixtures_hash == hash_dataset(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no session"),
        ("\n", "line 1: is empty"),
        ("{", "line 1: not JSON"),
        ('{"session_id": NaN}', "NaN is not a JSON number"),
        ('{"a": 1, "a": 2}', "stands twice"),
    ],
)
def test_what_is_no_dataset_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(InvalidInputError, match=message):
        survey_dataset(path)


def test_a_missing_file_is_no_traceback(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="No such file"):
        survey_dataset(tmp_path / "none.jsonl")


def test_a_session_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "set.jsonl", _line(), _line())
    with pytest.raises(InvalidInputError, match=r"line 2#/session_id: stands on line 1"):
        survey_dataset(path)


def test_lines_of_two_releases_are_refused(tmp_path: Path) -> None:
    source = {"kind": "longmemeval", "sha256": "0" * 64, "options": {"release": "original"}}
    other = {**source, "options": {"release": "cleaned"}}
    path = write_lines(
        tmp_path / "set.jsonl", _line(source=source), _line(session_id="s2", source=other)
    )
    with pytest.raises(InvalidInputError, match="another source, release or import"):
        survey_dataset(path)


def test_optional_fields_are_kept_verbatim(tmp_path: Path) -> None:
    gold = query(
        "retrieval", None, top_k=9, source_category="Multi Hop", answer_kind="choice",
        asked_at="2031-02-01T00:00:00Z",
    )  # fmt: skip
    path = write_lines(tmp_path / "set.jsonl", _line(queries=[gold]))
    [one] = read_sessions(path)
    [asked] = one.queries
    assert (asked.top_k, asked.source_category, asked.answer_kind) == (9, "Multi Hop", "choice")
    assert asked.asked_at == "2031-02-01T00:00:00Z"


def test_top_k_is_five_where_the_dataset_does_not_say(tmp_path: Path) -> None:
    [one] = read_sessions(write_lines(tmp_path / "set.jsonl", _line()))
    assert one.queries[0].top_k == 5
