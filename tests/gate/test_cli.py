"""The command line as a process: exit codes, streams, and refusals that change nothing."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.gate.command_line import brainbench

CORPUS = Path(__file__).parents[1] / "conformance" / "corpus"
ROOT = Path(__file__).parents[2]


def small_corpus(folder: Path) -> tuple[str, ...]:
    """Copy a few fixtures of the edge-case corpus; gives the options that name them."""
    for name, kind in (("fixtures", "fixture"), ("gold", "gold")):
        (folder / name).mkdir()
        for fixture in ("mention-001", "writeback-011", "writer-015", "reader-016"):
            shutil.copy(CORPUS / name / f"{fixture}.{kind}.json", folder / name)
    return ("--fixtures", str(folder / "fixtures"), "--gold", str(folder / "gold"))


def without_receipt_times(text: str) -> dict[str, object]:
    document: dict[str, object] = json.loads(text)
    receipt = document["receipt"]
    assert isinstance(receipt, dict)
    receipt["ts"] = ""
    rows = document["turn_rows"]
    assert isinstance(rows, list)
    for row in rows:
        row["latency_ms"] = 0
    return document


def test_help_answers_for_every_command(tmp_path: Path) -> None:
    """Each command has a help text with an example, and exits 0."""
    overview = brainbench("--help", cwd=tmp_path)
    names = [
        line.split()[0]
        for line in overview.stdout.split("Commands:")[1].splitlines()
        if line.startswith("  ") and line[2:3].strip() and not line.startswith("  Exit")
    ]

    assert {"run", "gate", "compare", "bless", "corpus"} <= set(names)
    for name in names:
        answer = brainbench(name, "--help", cwd=tmp_path)
        assert 0 == answer.returncode, name
        assert "Example:" in answer.stdout, name


def test_two_runs_are_equal_but_for_time(tmp_path: Path) -> None:
    """A foreign corpus gives the same document twice; stdout carries nothing else."""
    options = small_corpus(tmp_path)
    first, second = (
        brainbench("run", *options, "--json", "--out", "r.json", cwd=tmp_path) for _ in range(2)
    )

    assert 0 == first.returncode
    assert without_receipt_times(first.stdout) == without_receipt_times(second.stdout)
    assert second.stdout == (tmp_path / "r.json").read_text("utf-8")


def test_a_run_outside_any_repository_measures_the_packaged_corpus(tmp_path: Path) -> None:
    """Right after installation `run` works, and says what it measured."""
    answer = brainbench("run", "--suite", "push", "--harness", "codex", cwd=tmp_path)

    assert 0 == answer.returncode
    assert "| codex" in answer.stdout
    assert "this measures the built-in memory, not yours\n" in answer.stderr

    whole = brainbench("run", cwd=tmp_path)
    assert "the numbers are those that this release was accepted with" in whole.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", "--harness", "opencraw"), "known are openclaw"),
        (("run", "--suite", "pull"), "known are know-to-ask"),
        (("run", "--suite", ","), "empty list"),
        (("run", "--system", "nobody"), "'nobody'"),
        (("run", "--fixtures", "."), "go together"),
        (("run", "--fixtures", "none", "--gold", "none"), "no such folder"),
        (("run", "--repo", "none"), "no such folder"),
        (("run", "--nonsense"), "No such option"),
        (("nonsense",), "No such command"),
        (("compare", "none.json", "none.json"), "can't be read"),
        (("gate",), "there is no policy"),
        (("gate", "--base", "main"), "--base main"),
    ],
)
def test_usage_is_exit_2(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    """What can't be done exits 2, says why on stderr, and leaves the folder as it was."""
    answer = brainbench(*arguments, cwd=tmp_path)

    assert 2 == answer.returncode, answer.stderr
    assert words in answer.stderr
    assert "Traceback" not in answer.stderr
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"schema_version": 1, "schema_version": 1}', "stands twice"),
        ('{"schema_version": NaN}', "not a JSON number"),
        ('{"schema_version": true}', "/schema_version"),
        ("[]", "must be object"),
    ],
)
def test_bad_input_is_exit_2(tmp_path: Path, text: str, words: str) -> None:
    """A bad fixture is refused with its file and place; nothing is written."""
    options = small_corpus(tmp_path)
    (tmp_path / "fixtures" / "mention-001.fixture.json").write_text(text)
    answer = brainbench("run", *options, "--out", "r.json", cwd=tmp_path)

    assert 2 == answer.returncode
    assert words in answer.stderr
    assert "mention-001.fixture.json" in answer.stderr
    assert not (tmp_path / "r.json").exists()


def test_a_fixture_that_can_not_be_seeded_is_exit_2(tmp_path: Path) -> None:
    """Broken front matter names the fixture and the page."""
    options = small_corpus(tmp_path)
    path = tmp_path / "fixtures" / "mention-001.fixture.json"
    fixture = json.loads(path.read_text("utf-8"))
    fixture["seed_pages"][0]["content"] = "---\na: [\n---\n"
    path.write_text(json.dumps(fixture))
    answer = brainbench("run", *options, cwd=tmp_path)

    assert 2 == answer.returncode
    assert "mention-001" in answer.stderr
    assert "seed_failed" in answer.stderr


def test_a_bug_is_exit_2(tmp_path: Path) -> None:
    """An exception that nobody expected exits 2, never 1, which would read as a regression."""
    code = (
        "import sys, brainbench_gate.cli as cli\n"
        "from brainbench_gate import __main__ as entry\n"
        "def broken(arguments): raise RuntimeError('unforeseen')\n"
        "cli.invoke = broken\n"
        "sys.argv = ['brainbench', 'corpus']\n"
        "entry.main()\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert 2 == answer.returncode
    assert "RuntimeError: unforeseen" in answer.stderr


def test_a_regression_is_exit_1_and_named(tmp_path: Path) -> None:
    """`compare` names cell, metric and both numbers."""
    main = json.loads((ROOT / "baselines" / "main.json").read_text("utf-8"))
    (tmp_path / "main.json").write_text(json.dumps(main))
    main["counts"]["codex/push"]["gold_failed"] += 1
    (tmp_path / "mine.json").write_text(json.dumps(main))
    answer = brainbench("compare", "main.json", "mine.json", cwd=tmp_path)
    document = brainbench("compare", "main.json", "mine.json", "--json", cwd=tmp_path)
    before = main["counts"]["codex/push"]["gold_failed"] - 1

    assert 1 == answer.returncode
    assert f"codex/push gold_failed: {before} → {before + 1}" in answer.stdout
    assert {"verdict", "mode", "breaches", "notes"} == set(json.loads(document.stdout))


def test_an_allowance_is_refused_in_ci(tmp_path: Path) -> None:
    """A local trial's allowance has no place in CI."""
    for command in ("gate",):
        answer = brainbench(command, "--allow-regression", "trial", cwd=tmp_path, CI="true")

        assert 2 == answer.returncode
        assert "refused in CI" in answer.stderr


def test_corpus_hash_and_validate(tmp_path: Path) -> None:
    """The hash is the contract's check value."""
    options = ("--fixtures", str(CORPUS / "fixtures"), "--gold", str(CORPUS / "gold"))
    expected = json.loads((CORPUS.parent / "expected.json").read_text("utf-8"))["fixtures_hash"]

    assert expected == brainbench("corpus", "hash", *options, cwd=tmp_path).stdout.strip()
    valid = brainbench("corpus", "validate", *options, "--json", cwd=tmp_path)
    assert (90, expected) == (
        json.loads(valid.stdout)["fixtures"],
        json.loads(valid.stdout)["fixtures_hash"],
    )


def test_update_baseline_writes_both_files_and_refuses_worse_ones(tmp_path: Path) -> None:
    """Without a repository a run is held to the file that it replaces."""
    options = (*small_corpus(tmp_path), "--update-baseline", "kept/main.json")
    first = brainbench("run", *options, cwd=tmp_path)
    baseline = tmp_path / "kept" / "main.json"
    document = json.loads(baseline.read_text("utf-8"))

    assert 0 == first.returncode, first.stderr
    assert {"main.json", "main.items.json"} == {path.name for path in baseline.parent.iterdir()}
    assert 0 == brainbench("run", *options, cwd=tmp_path).returncode

    document["counts"]["codex/push"]["gold_failed"] -= 1
    baseline.write_text(json.dumps(document))
    worse = brainbench("run", *options, cwd=tmp_path)

    assert 2 == worse.returncode
    assert "nothing was written: codex/push gold_failed" in worse.stderr
    assert json.dumps(document) == baseline.read_text("utf-8")


@pytest.mark.parametrize("closed", ["2>&-", ">&-", "<&- >&- 2>&-"])
def test_closed_streams_change_no_exit_code(tmp_path: Path, closed: str) -> None:
    """A caller that closes streams gets the code of the command, never Python's own 1."""
    for arguments, expected in (("--version", 0), ("compare a b", 2)):
        command = f"'{sys.executable}' -m brainbench_gate {arguments} {closed}"
        done = subprocess.run(command, shell=True, cwd=tmp_path, check=False)
        assert expected == done.returncode


def test_a_full_disk_is_a_refusal(tmp_path: Path) -> None:
    """Neither a bug nor a verdict, whatever would have been printed."""
    for arguments in ("--version", "compare --help"):
        command = f"'{sys.executable}' -m brainbench_gate {arguments} >/dev/full"
        done = subprocess.run(command, shell=True, cwd=tmp_path, check=False, stderr=-1)
        assert 2 == done.returncode
        assert b"can't write: No space left on device" in done.stderr
        assert b"Traceback" not in done.stderr


def test_temporary_folder_with_a_long_path_is_refused(tmp_path: Path) -> None:
    """What stops the server before any command is read is a refusal too, not a bug."""
    deep = tmp_path / ("x" * 120)
    deep.mkdir()
    done = brainbench("run", cwd=tmp_path, TMPDIR=str(deep))
    assert 2 == done.returncode
    assert "→ set TMPDIR to a folder with a shorter path" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("system: reflex\nsystem: silent\n", "at line 2, column 1"),
        ("system:\n\t- reflex\n", "at line 2, column 1"),
    ],
)
def test_broken_yaml_is_told_by_line_and_with_advice(
    tmp_path: Path, policy: str, expected: str
) -> None:
    """A policy that is no YAML is refused by line, without the parser's hints to programmers."""
    (tmp_path / "brainbench.yml").write_text(policy)
    done = brainbench("gate", cwd=tmp_path)
    assert 2 == done.returncode
    assert expected in done.stderr
    assert "→ mend the file there" in done.stderr
    assert "yaml.dev" not in done.stderr


def test_init_takes_the_base_that_its_refusal_asks_for(tmp_path: Path) -> None:
    """Where the remote has no default branch, init ends with `--base`, and then goes on with it."""
    shell = (
        "git init -q --bare -b gone origin.git && git init -q -b main here && cd here"
        " && git remote add origin ../origin.git && git -c user.name=n -c user.email=e@example.org"
        " commit -q --allow-empty -m start && git push -q origin main"
    )
    subprocess.run(shell, shell=True, cwd=tmp_path, check=True)
    arguments = ("init", "--minimal", "--language", "python")
    refused = brainbench(*arguments, cwd=tmp_path / "here")
    assert 2 == refused.returncode
    assert "--base origin/BRANCH" in refused.stderr
    done = brainbench(*arguments, "--base", "origin/main", cwd=tmp_path / "here")
    assert 0 == done.returncode, done.stderr
    assert (tmp_path / "here" / "baselines" / "main.json").is_file()


def test_file_that_cannot_be_written_is_a_refusal(tmp_path: Path) -> None:
    """A place for a result below a file is named; it is not called a bug."""
    corpus = small_corpus(tmp_path)
    place = "fixtures/mention-001.fixture.json/result.json"
    done = brainbench("run", *corpus, "--system", "silent", "--out", place, cwd=tmp_path)
    assert 2 == done.returncode
    assert f"{place}: can't be written" in done.stderr
    assert "Traceback" not in done.stderr


def test_bless_refuses_an_empty_reason(tmp_path: Path) -> None:
    """A reason of white space is never recorded."""
    (tmp_path / "brainbench.yml").write_text("schema_version: 1\nsystem: silent\n")
    done = brainbench("bless", "--justification", " ", cwd=tmp_path)
    assert 2 == done.returncode
    assert "--justification: the reason is empty" in done.stderr


@pytest.mark.parametrize("words", [("gate",), ("compare", "a.json", "b.json")])
def test_an_empty_allowance_is_refused(tmp_path: Path, words: tuple[str, ...]) -> None:
    """In a local trial too, before anything is read."""
    done = brainbench(*words, "--allow-regression", " ", cwd=tmp_path)
    assert done.returncode == 2
    assert "--allow-regression: the reason is empty\n  → say why" in done.stderr
