"""A repository that uses the action: a small memory of its own, a small corpus, a baseline."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from tests.systems.kinds import PROGRAMS

from brainbench_replay.systems import tiny

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.gate.gitrepo import Repo

MEMORY = (PROGRAMS / "memory.py").read_text("utf-8")
FORGETFUL = MEMORY.replace('FORGOTTEN = ""', 'FORGOTTEN = "projects/granite-weir"')
LEAKY = MEMORY.replace("LEAKS = False", "LEAKS = True")
WORSE = {"memory.py": FORGETFUL}

POLICY = """\
schema_version: 1
name: {name}
system: mine
systems:
  mine:
    kind: command
    command: [python3, memory.py]
"""
LET_THROUGH = "    env: [{variable}]\n"
FIXTURES, GOLD = "evals/brainbench/fixtures", "evals/brainbench/gold"


def corpus_files(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The small corpus as files of a repository."""
    files = dict(extra or {})
    for fixture, gold in tiny._cases():
        name = fixture["fixture_id"]
        files[f"{FIXTURES}/{name}.fixture.json"] = write_json(fixture)
        files[f"{GOLD}/{name}.gold.json"] = write_json(gold)
    return files


def drifting(variable: str) -> dict[str, str]:
    """A memory that forgets the page named by a variable, which its policy lets through."""
    forgotten = f'__import__("os").environ.get({json.dumps(variable)}, "")'
    return {
        "brainbench.yml": POLICY.format(name="main") + LET_THROUGH.format(variable=variable),
        "memory.py": MEMORY.replace('FORGOTTEN = ""', f"FORGOTTEN = {forgotten}"),
    }


def write_json(document: Any) -> str:
    """JSON as people commit it."""
    return json.dumps(document, indent=2) + "\n"


def ground_files(name: str = "main") -> dict[str, str]:
    """Everything of the repository but workflow and baseline."""
    return {"brainbench.yml": POLICY.format(name=name), "memory.py": MEMORY, **corpus_files()}


def bless(repo: Repo, *arguments: str, folder: str = ".", base: str = "") -> None:
    """Write both baseline files into the work tree, as a developer does."""
    command = [sys.executable, "-m", "brainbench_gate", "bless", *arguments]
    command += ["--repo", str(repo.path / folder), *(["--base", base] if base else [])]
    names = ("PATH", "HOME", "TMPDIR")
    environ = {name: os.environ[name] for name in names if name in os.environ}
    done = subprocess.run(command, capture_output=True, check=False, env=environ, cwd=repo.path)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()


def add_case(number: int) -> dict[str, str]:
    """One more fixture, which the memory passes."""
    page = ("people/wanda-oyelaran", "Wanda Oyelaran", "Wanda has the keys.")
    fixture, gold = tiny._asks(f"more-{number}", ["push"], "Ask Wanda Oyelaran for the keys.", page)
    fixture["seed_pages"].append(tiny._page(page))
    return {
        f"{FIXTURES}/more-{number}.fixture.json": write_json(fixture),
        f"{GOLD}/more-{number}.gold.json": write_json(gold),
    }
