"""A source is read by elements and lines, and refused at the place where it breaks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.recall.importers.sources import QUESTION, imported, refused

from brainbench_replay.recall.importers import source as source_module
from brainbench_replay.recall.importers.run import import_dataset
from brainbench_schema.errors import InvalidInputError

if TYPE_CHECKING:
    from pathlib import Path


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
    assert message in refused(tmp_path, "longmemeval", content)


@pytest.mark.parametrize("content", ["", "hello", "\ufeff[]", "PAR1...", "[1"])
def test_what_is_no_json_says_what_to_do(tmp_path: Path, content: str) -> None:
    """Each refusal has its advice."""
    assert "\n  → " in refused(tmp_path, "longmemeval", content)


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
    told = refused(tmp_path, "longmemeval", huge)
    assert "larger than 100,000 bytes" in told or "the limit is" in told


def test_half_a_surrogate_pair_becomes_a_mark(tmp_path: Path) -> None:
    text = json.dumps([QUESTION]).replace("Hello.", "Hello \\ud83d")
    [session], _ = imported(tmp_path, "longmemeval", text)
    assert session.memories[0].text == "user: Hello ?"


def test_progress_is_told_in_bytes(tmp_path: Path) -> None:
    source = tmp_path / "source.json"
    source.write_text(json.dumps([QUESTION]), "utf-8")
    seen: list[int] = []
    import_dataset("longmemeval", source, tmp_path / "out", {}, seen.append)
    assert sum(seen) == source.stat().st_size


def test_a_refused_source_is_told_what_to_do(tmp_path: Path) -> None:
    """Where nothing better can be told, too."""
    told = refused(tmp_path, "locomo", [{"x": 1}])
    assert "lacks 'conversation'" in told
    assert "→ give the file as its authors publish it" in told
