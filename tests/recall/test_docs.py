"""The examples of docs/recall.md do what the page says."""

from __future__ import annotations

import json
import os
import re
from contextlib import closing
from pathlib import Path

import pytest

from brainbench_replay.recall.adapters.hosted import HostedDriver
from brainbench_replay.recall.dataset import parse_session, read_sessions
from brainbench_replay.recall.errata import parse_errata
from brainbench_replay.recall.importers.run import KINDS, import_dataset
from brainbench_schema.errors import InvalidInputError

PAGE = (Path(__file__).parents[2] / "docs" / "recall.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
DIARY = {
    "owner": "ada",
    "entries": [{"day": "2031-01-01", "text": "Rain."}, {"day": "2031-01-02", "text": "Sun."}],
    "ask": "What was the weather on the second?",
    "day": "2031-01-02",
}


def test_the_adapter_runs(tmp_path: Path) -> None:
    (tmp_path / "my_module.py").write_text(BLOCKS[0], "utf-8")
    spec = "my_module:MyAdapter"
    with closing(HostedDriver(spec, folder=tmp_path, environ=dict(os.environ))) as driver:
        driver.begin([])
        assert driver.storage_bytes() == 0
        assert driver.retrieve("x", 1).returned == ()


def test_the_importer_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    namespace: dict[str, object] = {}
    monkeypatch.setitem(KINDS, "diary", KINDS["locomo"])  # taken out again after the test
    exec(BLOCKS[2], namespace)
    source, out = tmp_path / "diaries.jsonl", tmp_path / "set.jsonl"
    source.write_text(json.dumps(DIARY), "utf-8")
    summary = import_dataset("diary", source, out, {})
    [session] = read_sessions(out)
    assert session.queries[0].required == ("e1",)
    assert summary.found["entries"] == 2
    source.write_text('{"owner": "ada", "entries": [{"text": "x"}]}', "utf-8")
    with pytest.raises(InvalidInputError, match="line 1#/entries/0: lacks 'day'"):
        import_dataset("diary", source, out, {})


def test_the_errata_are_read() -> None:
    [block] = re.findall(r"```\n(\{.*?)```", PAGE, re.DOTALL)
    assert len(parse_errata(block.encode(), "errata.jsonl").entries) == 3


def test_the_readme_counts_the_dataset() -> None:
    folder = Path(__file__).parents[2] / "evals" / "braincore"
    readme = (folder / "README.md").read_text("utf-8")
    lines = (folder / "synthetic_benchmark.jsonl").read_bytes().splitlines()
    sessions = [parse_session(line, "set") for line in lines]
    memories = sum(len(one.memories) for one in sessions)
    queries = [query for one in sessions for query in one.queries]
    assert f"{len(sessions)} sessions, {memories:,} memories, {len(queries)} queries" in readme
    for category in {query.source_category for query in queries}:
        count = sum(query.source_category == category for query in queries)
        assert re.search(rf"\| `{category}` \| \w+ \| {count} \|", readme)
