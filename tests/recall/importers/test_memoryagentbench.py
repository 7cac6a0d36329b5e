"""MemoryAgentBench: rows become sessions, their contexts cut at lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.recall.importers.sources import ROW, imported, refused, without

from brainbench_replay.recall.importers.memoryagentbench import split_text

if TYPE_CHECKING:
    from pathlib import Path


def test_memoryagentbench_rows_become_sessions(tmp_path: Path) -> None:
    lines = "".join(f"{json.dumps(ROW)}\n" for _ in range(2))
    sessions, _ = imported(tmp_path, "memoryagentbench", lines, chunk_chars="40")
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
    row = without(ROW, "metadata")
    [plain], _ = imported(tmp_path, "memoryagentbench", [row])
    assert {one.query_type for one in plain.queries} == {"retrieval"}
    [split], _ = imported(tmp_path, "memoryagentbench", [row], split="Conflict_Resolution")
    assert {one.query_type for one in split.queries} == {"contradiction"}
    kinds = {"source": "longmemeval_s", "question_types": ["temporal-reasoning", "other"]}
    [typed], _ = imported(tmp_path, "memoryagentbench", [{**row, "metadata": kinds}])
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
    assert message in refused(tmp_path, "memoryagentbench", row)


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
