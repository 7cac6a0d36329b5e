"""Sessions that a user imports: the command's own exit code, from their own repository."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.action.consumer import FORGETFUL, bless, ground_files
from tests.gate.gitrepo import Repo

if TYPE_CHECKING:
    from pathlib import Path

NOXFILE = """\
# /// script
# dependencies = ["nox", "brainbench-gate"]
# ///
from brainbench_gate.sessions import bless, gate
"""


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A repository whose noxfile is those three lines."""
    made = Repo(tmp_path_factory.mktemp("user") / "repo")
    made.write({**ground_files(), "noxfile.py": NOXFILE})
    bless(made)
    made.commit({})
    return made


def run_nox(repo: Repo, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run nox in the environment of this test, as its script mode would in its own."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    command = [sys.executable, "-m", "nox", *arguments]
    environ = {**kept, "NOX_SCRIPT_MODE": "none"}
    return subprocess.run(command, cwd=repo.path, env=environ, capture_output=True, check=False)


def test_sessions_are_listed(repo: Repo) -> None:
    """Two lines in `nox -l`."""
    listed = run_nox(repo, "--list").stdout.decode()
    assert "* bless" in listed
    assert "* gate" in listed


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"README.md": "hello\n"}, 0),
        ({"memory.py": FORGETFUL}, 1),
        ({"memory.py": "raise SystemExit(1)\n"}, 2),
    ],
)
def test_gate_ends_with_the_commands_exit_code(
    repo: Repo, files: dict[str, str], code: int
) -> None:
    """nox alone would turn 2 into 1."""
    repo.branch("change", "main").commit(files)
    done = run_nox(repo, "--session", "gate", "--", "--base", "refs/heads/main")
    assert done.returncode == code, done.stdout.decode() + done.stderr.decode()


def test_bless_takes_a_reason(repo: Repo, tmp_path: Path) -> None:
    """What follows `--` goes on to the command."""
    repo.branch("change", "main").commit({"memory.py": FORGETFUL})
    reason = "openclaw/push, claude-code/push, codex/push: the weir was retired on purpose"
    base = ("--base", "refs/heads/main")
    done = run_nox(repo, "--session", "bless", "--", *base, "--justification", reason)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    assert reason in (repo.path / "baselines" / "main.json").read_text("utf-8")
    repo.commit({})
    assert run_nox(repo, "--session", "gate", "--", *base).returncode == 0
