"""The workflows that call the gate: a pull request may edit them, and its own run obeys."""

from __future__ import annotations

import re
from posixpath import normpath
from typing import TYPE_CHECKING

from brainbench_gate.base.errors import RefusedObjectError
from brainbench_gate.base.worktree import standing_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from brainbench_gate.base import Repository

PLACE = ".github"
WORKFLOWS = ".github/workflows/"
SUFFIXES = (".yml", ".yaml")
CALL = re.compile(r"brainbench|\bnox\b.{0,200}?\bgate\b", re.IGNORECASE | re.DOTALL)
"""What a file says that calls the gate: by its name, or by its nox session."""

ELSEWHERE = re.compile(r"\buses:\s*['\"]?\./(?!\.github/)([\w./-]+)")
"""An action of the same repository that stands outside `.github`."""

DETOUR = re.compile(r"[^/\s]+/\.\./|(?<=/)\./")
CALLER_VARIABLE = re.compile(r"[^/]+/[^/]+/(\.github/[^@]+)@")
"""GITHUB_WORKFLOW_REF: `owner/name/.github/workflows/file.yml@ref`."""


def find_edited_callers(
    repository: Repository, base: str | None, head: str | None, workflow_ref: str = ""
) -> tuple[str, ...]:
    """Name what calls the gate and differs between two commits, as of `compare_callers`.

    Args:
        base: Full object id; None for a first landing, which has nothing to differ from.
        head: Full object id; None for the work tree as it stands.
        workflow_ref: The workflow of this very run, as the runner names it.

    Raises:
        GitError: A commit or an object on the way can't be had or is damaged.
    """
    if base is None:
        return ()
    try:
        before = _read_side(repository, base)
        after = _read_side(repository, head)
    except RefusedObjectError as error:
        return (f"can't be compared: {error}",)
    running = CALLER_VARIABLE.match(workflow_ref)
    return compare_callers(before, after, running=running[1] if running else "")


def compare_callers(
    before: Mapping[str, str], after: Mapping[str, str], *, running: str = ""
) -> tuple[str, ...]:
    """Name every file that calls the gate and is not base's, sorted.

    Where none is known to call it, any workflow may: each that is not base's is named.

    Args:
        before: Base's files, text by path from the top.
        after: The tree's.
        running: The workflow that runs the gate just now; empty where that is not known.
    """
    calling = find_callers(before, running) | find_callers(after, running)
    if not calling:
        calling = {path for path in before.keys() | after.keys() if path.startswith(WORKFLOWS)}
    return tuple(
        f"{_say_change(before.get(path), after.get(path))} {path}"
        for path in sorted(calling)
        if before.get(path) != after.get(path)
    )


def find_callers(texts: Mapping[str, str], running: str = "") -> set[str]:
    """Give the files that call the gate: by themselves, or by naming another one that does.

    What is no YAML, such as a script, counts where a workflow or an action names it.
    """
    yaml = {path for path in texts if path.endswith(SUFFIXES)}
    named = {path for path in texts.keys() - yaml if _is_named(path, (texts[one] for one in yaml))}
    read = yaml | named
    calling = {path for path in read if CALL.search(texts[path])} | ({running} & texts.keys())
    while True:
        more = {
            path
            for path in read - calling
            if any(_is_named(other, [texts[path]]) for other in calling)
        }
        if not more:
            return calling
        calling |= more


def _is_named(path: str, texts: Iterable[str]) -> bool:
    """Tell whether a text names a file; an action goes by its folder."""
    folder, _, name = path.rpartition("/")
    said = folder if name in ("action.yml", "action.yaml") and folder else path
    word = re.compile(rf"(?<![\w-]){re.escape(said)}(?![\w-])")
    return any(word.search(text) for text in texts)


def _say_change(before: str | None, after: str | None) -> str:
    if before is None:
        return "added"
    return "removed" if after is None else "changed"


def _read_side(repository: Repository, commit: str | None) -> dict[str, str]:
    """Read what stands in `.github`, and the actions elsewhere that are used there."""
    texts = _read(repository, commit, PLACE)
    used = {normpath(place) for text in texts.values() for place in ELSEWHERE.findall(text)}
    for place in sorted(used):
        if not place.startswith(".."):
            for name in ("action.yml", "action.yaml"):
                texts |= _read(repository, commit, f"{place}/{name}")
    return texts


def _read(repository: Repository, commit: str | None, place: str) -> dict[str, str]:
    found: Mapping[str, bytes | None]
    if commit is None:
        found = standing_files(repository.top, place)
    else:
        found = repository.read_below(commit, place)
    return {
        path: DETOUR.sub("", (data or b"").decode("utf-8", errors="replace").replace("\r\n", "\n"))
        for path, data in found.items()
    }
