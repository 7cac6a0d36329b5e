"""`recall` and `import` as processes: streams, exit codes, files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.gate.command_line import brainbench
from tests.recall.importers.sources import CONVERSATION

from brainbench_schema.result import parse_result

ROOT = Path(__file__).parents[2]
DATASET = ROOT / "evals" / "braincore" / "synthetic_benchmark.jsonl"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder outside any repository, with a user's module in it."""
    module = Path(__file__).with_name("adapters_under_test.py")
    (tmp_path / "my_module.py").write_bytes(module.read_bytes())
    return tmp_path


def test_recall_prints_a_table_and_writes_a_valid_result(folder: Path) -> None:
    files = ("--output", "out/result.json", "--markdown", "out/result.md")
    done = brainbench(
        "recall", "--adapter", "keyword", "--dataset", str(DATASET), *files, cwd=folder
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "| evidence_recall *" in done.stdout
    result = parse_result((folder / "out/result.json").read_bytes(), "result.json")
    assert result.harnesses == ("keyword",)
    assert "# BrainCore results: keyword" in (folder / "out/result.md").read_text("utf-8")


def test_json_is_the_document_and_nothing_else(folder: Path) -> None:
    done = brainbench(
        "recall", "--adapter", "empty", "--dataset", str(DATASET), "--json", cwd=folder
    )
    assert parse_result(done.stdout.encode(), "stdout").system.name == "empty"


def test_the_postgres_adapter_starts_and_ends_its_server(folder: Path) -> None:
    done = brainbench("recall", "--adapter", "postgres", "--dataset", str(DATASET), cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("postgres, dataset ")


def test_a_users_own_class_is_found_where_the_command_runs(folder: Path) -> None:
    spec = "my_module:Plain"
    done = brainbench("recall", "--adapter", spec, "--dataset", str(DATASET), "-q", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{spec}, dataset ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--adapter", "my_module:Crashing", "--dataset", str(DATASET)], "exit code 7"),
        (["--adapter", "my-module", "--dataset", str(DATASET)], "no adapter 'my-module'"),
        (["--adapter", "empty", "--dataset", "none.jsonl"], "does not exist"),
        (["--adapter", "empty", "--dataset", "my_module.py"], "line 1: not JSON"),
        (["--adapter", "empty"], "Missing option '--dataset'"),
    ],
)
def test_errors_are_exit_code_2_with_empty_stdout(
    folder: Path, arguments: list[str], message: str
) -> None:
    done = brainbench("recall", *arguments, "--output", "result.json", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback (most recent call last)" not in done.stderr.replace("adapter | ", "")
    assert not (folder / "result.json").exists()


def test_import_prints_counts_and_the_dataset_can_be_recalled(folder: Path) -> None:
    (folder / "talks.json").write_text(json.dumps([CONVERSATION]), "utf-8")
    options = ("--out", "set.jsonl", "--option", "captions=yes")
    done = brainbench("import", "locomo", "talks.json", *options, cwd=folder)
    assert done.returncode == 0
    assert "| dropped: dates without a session" in done.stdout
    assert "note: captioned turns: 2 found, 1,226 stated" in done.stderr
    recalled = brainbench("recall", "--adapter", "everything", "--dataset", "set.jsonl", cwd=folder)
    assert recalled.returncode == 0
    assert "evidence_recall *" in recalled.stdout


def test_import_as_json(folder: Path) -> None:
    (folder / "talks.json").write_text(json.dumps([CONVERSATION]), "utf-8")
    done = brainbench(
        "import", "locomo", "talks.json", "--out", "set.jsonl", "--json", "-q", cwd=folder
    )
    assert done.stderr == ""
    assert json.loads(done.stdout)["found"]["captioned turns"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope", "my_module.py", "--out", "x"], "no kind 'nope'"),
        (["locomo", "my_module.py", "--out", "x"], "is no JSON"),
        (["locomo", "my_module.py", "--out", "x", "--option", "captions"], "has no value"),
        (["locomo", "none.json", "--out", "x"], "does not exist"),
    ],
)
def test_import_refuses_with_exit_code_2(folder: Path, arguments: list[str], message: str) -> None:
    done = brainbench("import", *arguments, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert not (folder / "x").exists()
