"""Which workflows call the gate, and which of them a pull request changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gate.gitrepo import Repo, opened

from brainbench_gate.callers import compare_callers, find_callers, find_edited_callers

if TYPE_CHECKING:
    from pathlib import Path

GATE = ".github/workflows/gate.yml"
CALLS = b"on: pull_request\njobs: {a: {steps: [{uses: org/brainbench-gate@v1}]}}\n"
OTHER = b"on: push\njobs: {a: {steps: [{run: make}]}}\n"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({GATE: CALLS}, {GATE: CALLS}, ()),
        ({GATE: CALLS}, {GATE: CALLS.replace(b"\n", b"\r\n")}, ()),
        ({GATE: CALLS}, {GATE: CALLS + b"# and more\n"}, (f"changed {GATE}",)),
        ({GATE: CALLS}, {GATE: OTHER}, (f"changed {GATE}",)),
        ({GATE: CALLS}, {}, (f"removed {GATE}",)),
        ({}, {GATE: CALLS}, (f"added {GATE}",)),
        ({GATE: OTHER}, {GATE: OTHER + b"#\n"}, ()),
        ({".github/CODEOWNERS": b"brainbench"}, {}, ()),
        ({}, {}, ()),
    ],
)
def test_callers_that_differ_are_named(
    before: dict[str, bytes], after: dict[str, bytes], told: tuple[str, ...]
) -> None:
    """Others, line ends, and files that no runner reads are not."""
    assert told == compare_callers(before, after)


def test_who_calls_a_caller_calls_the_gate() -> None:
    """A reusable workflow by its file, an action by its folder."""
    texts = {
        ".github/workflows/ci.yml": "uses: ./.github/workflows/memory.yml",
        ".github/workflows/memory.yml": "steps: [{uses: './.github/actions/hold/'}]",
        ".github/actions/hold/action.yml": "run: nox -s gate",
        ".github/workflows/docs.yml": "uses: ./.github/workflows/build.yml",
        ".github/workflows/build.yml": "run: make",
    }
    assert find_callers(texts) == {
        ".github/workflows/ci.yml",
        ".github/workflows/memory.yml",
        ".github/actions/hold/action.yml",
    }


def edited(repo: Repo, base: str | None, head: str | None) -> tuple[str, ...]:
    """What a repository tells of two commits."""
    with opened(repo.path) as repository:
        return find_edited_callers(repository, base, head)


def test_commits_and_the_work_tree_are_compared(tmp_path: Path) -> None:
    """Without a head it is the work tree; without a base there is nothing to differ from."""
    repo = Repo(tmp_path)
    base = repo.commit({GATE: CALLS, "README.md": "one"})
    same = repo.commit({"README.md": "two"})
    head = repo.commit({GATE: OTHER})
    assert () == edited(repo, base, same)
    assert (f"changed {GATE}",) == edited(repo, base, head) == edited(repo, base, None)
    assert () == edited(repo, None, head)
    repo.write({GATE: None})
    assert (f"removed {GATE}",) == edited(repo, base, None)


def test_a_link_among_the_workflows_is_told(tmp_path: Path) -> None:
    """It can't be compared, and that is not silently the same."""
    repo = Repo(tmp_path)
    base = repo.commit({GATE: CALLS})
    place = tmp_path / ".github" / "workflows" / "link.yml"
    place.symlink_to("/etc/passwd")
    head = repo.commit({})
    [line] = edited(repo, base, head)
    assert line.startswith("can't be compared: ")
    assert "link.yml" in line
