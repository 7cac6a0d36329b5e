"""What `init` and `system new` write, as contents by path; who writes them asks first. Pure
but for reading what ships with the package."""

from __future__ import annotations

import json
from enum import StrEnum
from importlib import resources
from typing import TYPE_CHECKING

from brainbench_schema.errors import UsageError
from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ACTION = "org/brainbench-gate@v1"
"""What a workflow `uses:`; the owner stands here and nowhere else."""

STUB_FOLDER = "brainbench"
WORKFLOW = ".github/workflows/brainbench.yml"
NOXFILE = "noxfile.py"
CORPUS = "evals/brainbench"

_SETUP_PYTHON = "actions/setup-python@5fda3b95a4ea91299a34e894583c3862153e4b97 # v7.0.0"
_SETUP_NODE = "actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0"


class Language(StrEnum):
    """A language in which a starter memory can be written."""

    PYTHON = "python"
    NODE = "node"


def find_language(folder: Path) -> Language:
    """Tell a repository's language by its ``pyproject.toml`` or ``package.json``.

    Raises:
        UsageError: It has neither, or both.
    """
    marks = {Language.PYTHON: "pyproject.toml", Language.NODE: "package.json"}
    found = [language for language, mark in marks.items() if (folder / mark).is_file()]
    if len(found) == 1:
        return found[0]
    raise UsageError(
        f"{'both' if found else 'neither'} pyproject.toml {'and' if found else 'nor'} package.json",
        where=str(folder),
        advice="say --language python or --language node",
    )


def stub_path(language: Language, folder: str = STUB_FOLDER) -> str:
    """Give the place of the starter memory, relative to the repository."""
    return f"{folder}/memory.{'py' if language is Language.PYTHON else 'mjs'}"


def write_stub(language: Language) -> bytes:
    """Give the starter memory: it works, and is there to be replaced."""
    name = "memory.py.txt" if language is Language.PYTHON else "memory.mjs.txt"
    return (resources.files("brainbench_replay.systems") / "stubs" / name).read_bytes()


def write_entry(language: Language, folder: str = STUB_FOLDER) -> str:
    """Give the policy's lines that declare the starter memory, indented for `systems.mine`."""
    if language is Language.PYTHON:
        module = folder.replace("/", ".")
        return f"    kind: python\n    factory: {module}.memory:make"
    return f"    kind: command\n    command: [node, {stub_path(language, folder)}]"


def plan_files(
    language: Language,
    *,
    corpus: Mapping[str, bytes],
    branch: str,
    installable: bool,
    has_lock: bool,
) -> dict[str, bytes]:
    """Give everything that `init` writes.

    Args:
        corpus: Contents by path below the corpus folder.
        branch: The default branch.
        installable: Whether the repository is a Python package that pip can install.
        has_lock: Whether npm has a lock file to install from.
    """
    suites = "" if any("continuity" in name or "cont-" in name for name in corpus) else MINIMAL
    files = {
        POLICY_FILE: _starter("brainbench.yml")
        .format(system=write_entry(language), ground=suites)
        .rstrip()
        + "\n",
        WORKFLOW: _starter("workflow.yml").format(
            branch=branch,
            action=ACTION,
            setup=_setup(language, installable=installable, has_lock=has_lock),
        ),
    }
    if language is Language.PYTHON:
        files[NOXFILE] = _starter("noxfile.py")
    written = {path: text.encode() for path, text in files.items()}
    stub = {stub_path(language): write_stub(language)}
    return {**written, **stub, **{f"{CORPUS}/{name}": data for name, data in corpus.items()}}


MINIMAL = "suites: [know-to-ask, push, write-back]"
"""What two example fixtures can measure."""


def minimal_corpus() -> dict[str, bytes]:
    """Give two example fixtures with their gold: one that is asked, one that is written back."""
    from brainbench_replay.systems.tiny import example_cases

    files = {}
    for fixture, gold in example_cases():
        files[f"fixtures/{fixture['fixture_id']}.fixture.json"] = _pretty(fixture)
        files[f"gold/{gold['fixture_id']}.gold.json"] = _pretty(gold)
    return files


def packaged_corpus(folder: Path) -> dict[str, bytes]:
    """Give the corpus that ships with the package, its ledger beside it."""
    paths = [*folder.glob("fixtures/*.json"), *folder.glob("gold/*.json"), folder / "_ledger.json"]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(paths)}


def _setup(language: Language, *, installable: bool, has_lock: bool) -> str:
    if language is Language.NODE:
        install = "npm ci" if has_lock else "npm install"
        return _steps(_SETUP_NODE, 'node-version: "20"', install)
    return _steps(_SETUP_PYTHON, 'python-version: "3.12"', "pip install ." if installable else "")


def _steps(uses: str, version: str, install: str) -> str:
    lines = [f"      - uses: {uses}", "        with:", f"          {version}"]
    return "\n".join(lines + ([f"      - run: {install}"] if install else []))


def _starter(name: str) -> str:
    return (resources.files(__package__) / "starters" / f"{name}.txt").read_text("utf-8")


def _pretty(document: object) -> bytes:
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()
