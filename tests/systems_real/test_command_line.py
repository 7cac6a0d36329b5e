"""`init` and `system` as a user types them."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from brainbench_gate.scaffold import ACTION

if TYPE_CHECKING:
    from pathlib import Path

MARKS = {"python": "pyproject.toml", "node": "package.json"}


def brainbench(folder: Path, *arguments: str, said: str = "") -> tuple[int, str]:
    """Type a command; give its exit code and what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "brainbench_gate", *arguments],
        cwd=folder,
        input=said,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository of its own, wherever the temporary folder is."""
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    return tmp_path


@pytest.fixture(params=sorted(MARKS))
def repository(request: pytest.FixtureRequest, folder: Path) -> Path:
    """An empty repository in one of the languages."""
    text = "{}" if request.param == "node" else '[project]\nname = "a"\nversion = "1"\n'
    (folder / MARKS[request.param]).write_text(text)
    return folder


@pytest.mark.parametrize("options", [(), ("--minimal",)])
def test_init_makes_a_repository_that_gates(repository: Path, options: tuple[str, ...]) -> None:
    """Policy, stub, workflow, corpus and baseline; the gate runs, and the baseline is the run's."""
    code, printed = brainbench(repository, "init", *options)
    assert code == 0, printed
    workflow = (repository / ".github/workflows/brainbench.yml").read_text("utf-8")
    assert f"uses: {ACTION}\n" in workflow
    fixtures = list((repository / "evals/brainbench/fixtures").iterdir())
    assert len(fixtures) == 2 if options else len(fixtures) > 100
    assert (repository / "evals/brainbench/_ledger.json").exists() is not bool(options)
    assert brainbench(repository, "bless", "--check")[0] == 0
    assert brainbench(repository, "gate")[0] == 0


def test_init_asks_before_it_replaces(repository: Path) -> None:
    """Without a person to ask, what stands there is kept, and said so."""
    (repository / "brainbench.yml").write_text("schema_version: 1\nsystem: silent\n")
    code, printed = brainbench(repository, "init", "--minimal", "--no-bless")
    assert code == 0
    assert "kept  brainbench.yml" in printed
    assert (repository / "brainbench.yml").read_text().endswith("silent\n")


def test_init_twice_changes_nothing(repository: Path) -> None:
    """The second time there is nothing to write."""
    brainbench(repository, "init", "--minimal")
    before = {path: path.read_bytes() for path in repository.rglob("*") if path.is_file()}
    assert brainbench(repository, "init", "--minimal")[0] == 0
    assert before == {path: path.read_bytes() for path in repository.rglob("*") if path.is_file()}


def test_init_refuses_to_guess(folder: Path) -> None:
    """Neither language, or both, is a question to the user."""
    code, printed = brainbench(folder, "init")
    assert code == 2
    assert "--language" in printed


@pytest.mark.parametrize(
    ("language", "spec"),
    [("python", "python:brainbench.memory:make"), ("node", "command:node brainbench/memory.mjs")],
)
def test_a_starter_is_short_and_passes_the_check(language: str, spec: str, folder: Path) -> None:
    """Under 60 lines, conforming, all items of the tiny corpus found."""
    assert brainbench(folder, "system", "new", "--language", language)[0] == 0
    stub = next((folder / "brainbench").iterdir())
    assert len(stub.read_text("utf-8").splitlines()) < 60
    code, printed = brainbench(folder, "system", "check", spec, "--json")
    report = json.loads(printed)
    assert code == 0
    assert report["conforms"]
    assert (report["items"], report["failed"]) == (8, [])


def test_check_tells_what_is_missing(folder: Path) -> None:
    """Exit code 2, the step that failed, and what to do."""
    (folder / "deaf.py").write_text(
        "class Memory:\n"
        "    capabilities = ['push']\n"
        "    def reset(self, sources): pass\n"
        "    def seed(self, pages, facts): pass\n"
        "    def inject(self, prompt, source_id, session_id): return []\n"
        "def make(): return Memory()\n"
    )
    code, printed = brainbench(folder, "system", "check", "python:deaf:make")
    assert code == 2
    assert "ok    a page is stored" in printed
    assert "FAIL  it comes back under its slug" in printed
    assert "→ check that pages are stored" in printed


def test_several_systems_stand_side_by_side(repository: Path) -> None:
    """One table, a column for each."""
    brainbench(repository, "init", "--minimal")
    code, printed = brainbench(repository, "run", "--system", "mine", "--system", "silent")
    assert code == 0
    header = printed.splitlines()[0]
    assert [cell.strip() for cell in header.split("|")[3:5]] == ["mine", "silent"]
    assert brainbench(repository, "run", "--system", "a", "--system", "b", "--json")[0] == 2
