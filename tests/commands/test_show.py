"""Results looked at again: scoreboard, page and list."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from tests.commands.project import make_project

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.conftest import Brainbench


@pytest.fixture
def result(tmp_path: Path, brainbench: Brainbench) -> Path:
    """A result of a small corpus, with a failing turn."""
    repo = make_project(tmp_path / "repo")
    path = tmp_path / "results" / "one.json"
    assert brainbench("run", "--repo", repo.path, "--out", path, "-q").code == 0
    return path


def test_show_prints_the_scoreboard(result: Path, brainbench: Brainbench) -> None:
    """What the result is of, then its cells."""
    ran = brainbench("show", result)
    assert ran.out.startswith("- system reflex 1 (reflex)\n- measured 20")
    assert re.search(r"\| openclaw +\| push +\| \w+ +\| 1/2 ", ran.out)


def test_show_json_is_the_document(result: Path, brainbench: Brainbench) -> None:
    """Byte for byte what `run` wrote."""
    assert result.read_text(encoding="utf-8") == brainbench("show", result, "--json").out


@pytest.mark.parametrize("content", [b"", b"{}", b'{"a": NaN}', None])
def test_what_is_no_result_is_refused(
    tmp_path: Path, brainbench: Brainbench, content: bytes | None
) -> None:
    """Named by file, exit 2."""
    path = tmp_path / "bad.json"
    if content is not None:
        path.write_bytes(content)
    ran = brainbench("show", path)
    assert (2, True) == (ran.code, "bad.json" in ran.err)


def test_the_page_is_self_contained(result: Path, brainbench: Brainbench, tmp_path: Path) -> None:
    """Scoreboard, failing items and glossary, with no script and nothing from elsewhere."""
    page = tmp_path / "deep" / "page.html"
    assert brainbench("report", result, "--html", page).code == 0
    html = page.read_text(encoding="utf-8")
    for text in (
        "1 of 2",
        "1 failing item",
        "talk#2:people/bo-berg",
        "push_recall",
        "explain ITEM",
    ):
        assert text in html
    assert not re.search(r"<script|https?://|<link|<img|src=|@import|url\(", html)


def test_the_page_escapes_what_it_is_given(
    result: Path, brainbench: Brainbench, tmp_path: Path
) -> None:
    """Names and slugs of a foreign result stay text."""
    evil = "<script>alert(1)</script>"
    document = json.loads(result.read_bytes())
    document["_meta"]["system"]["name"] = evil
    for row in document["turn_rows"]:
        row["injected_slugs"] = [evil]
        row["gold"]["gold_slugs"] = [f"{evil}'\""]
    foreign, page = tmp_path / "foreign.json", tmp_path / "page.html"
    foreign.write_text(json.dumps(document), encoding="utf-8")
    assert brainbench("report", foreign, "--html", page).code == 0
    html = page.read_text(encoding="utf-8")
    assert "<script" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_runs_lists_the_newest_first(result: Path, brainbench: Brainbench) -> None:
    """Files that are no results are passed over."""
    document = json.loads(result.read_bytes())
    document["receipt"]["ts"] = "2001-01-01T00:00:00Z"
    (result.parent / "old.json").write_text(json.dumps(document), encoding="utf-8")
    (result.parent / "other.json").write_text("{}", encoding="utf-8")
    lines = brainbench("runs", result.parent).out.splitlines()[2:]
    assert ["one.json", "old.json"] == [line.split("|")[-2].strip() for line in lines]


def test_a_folder_without_results(tmp_path: Path, brainbench: Brainbench) -> None:
    """Says how to make one."""
    ran = brainbench("runs", tmp_path)
    assert (2, True) == (ran.code, "run --out" in ran.err)
