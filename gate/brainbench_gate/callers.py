"""The workflows that call the gate: a pull request may edit them, and its own run obeys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from brainbench_gate.base.errors import RefusedObjectError
from brainbench_gate.base.worktree import standing_files

if TYPE_CHECKING:
    from collections.abc import Mapping

    from brainbench_gate.base import Repository

PLACE = ".github"
SUFFIXES = (".yml", ".yaml")
CALL = re.compile(r"brainbench|\bnox\b.*\bgate\b", re.IGNORECASE)
"""What a workflow says that calls the gate: by its name, or by its nox session."""

LOCAL_USE = re.compile(r"\buses:\s*['\"]?\./(\.github/[^\s'\"#]+)")
"""A workflow or action of the same repository, which may be the one that calls the gate."""


def find_edited_callers(
    repository: Repository, base: str | None, head: str | None
) -> tuple[str, ...]:
    """Name what calls the gate and differs between two commits, as of `compare_callers`.

    Args:
        base: Full object id; None for a first landing, which has nothing to differ from.
        head: Full object id; None for the work tree as it stands.

    Raises:
        GitError: A commit or an object on the way can't be had or is damaged.
    """
    if base is None or (head is not None and repository.is_same(base, head, PLACE)):
        return ()
    try:
        before = repository.read_below(base, PLACE)
        after = (
            repository.read_below(head, PLACE)
            if head is not None
            else standing_files(repository.top, PLACE)
        )
    except RefusedObjectError as error:
        return (f"can't be compared: {error}",)
    return compare_callers(before, {path: data or b"" for path, data in after.items()})


def compare_callers(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> tuple[str, ...]:
    """Name every workflow and action file that calls the gate and is not base's, sorted.

    Args:
        before: Base's files below `.github`, by path from the top.
        after: The tree's.
    """
    old, new = _read(before), _read(after)
    calling = find_callers(old) | find_callers(new)
    return tuple(
        f"{_say_change(old.get(path), new.get(path))} {path}"
        for path in sorted(calling)
        if old.get(path) != new.get(path)
    )


def find_callers(texts: Mapping[str, str]) -> set[str]:
    """Give the files that call the gate, themselves or through another one of these."""
    calling = {path for path, text in texts.items() if CALL.search(text)}
    while True:
        more = {path for path, text in texts.items() if _uses(text) & _names(calling)} - calling
        if not more:
            return calling
        calling |= more


def _uses(text: str) -> set[str]:
    return {place.rstrip("/") for place in LOCAL_USE.findall(text)}


def _names(paths: set[str]) -> set[str]:
    """A workflow is used by its file, an action by its folder."""
    return paths | {path.rpartition("/")[0] for path in paths}


def _say_change(before: str | None, after: str | None) -> str:
    if before is None:
        return "added"
    return "removed" if after is None else "changed"


def _read(files: Mapping[str, bytes]) -> dict[str, str]:
    return {
        path: data.decode("utf-8", errors="replace").replace("\r\n", "\n")
        for path, data in files.items()
        if path.endswith(SUFFIXES)
    }
