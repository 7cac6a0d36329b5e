"""Which workflows call the gate, and which of them a pull request changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gate.gitrepo import Repo, opened

from brainbench_gate.callers import compare_callers, find_callers, find_edited_callers

if TYPE_CHECKING:
    from pathlib import Path

GATE = ".github/workflows/gate.yml"
CI = ".github/workflows/ci.yml"
CALLS = "on: pull_request\njobs: {a: {steps: [{uses: org/brainbench-gate@v1}]}}\n"
OTHER = "on: push\njobs: {a: {steps: [{run: make}]}}\n"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({GATE: CALLS}, {GATE: CALLS}, ()),
        ({GATE: CALLS}, {GATE: CALLS + "# and more\n"}, (f"changed {GATE}",)),
        ({GATE: CALLS}, {GATE: OTHER}, (f"changed {GATE}",)),
        ({GATE: CALLS}, {}, (f"removed {GATE}",)),
        ({}, {GATE: CALLS}, (f"added {GATE}",)),
        ({GATE: CALLS, CI: OTHER}, {GATE: CALLS, CI: OTHER + "#\n"}, ()),
        ({".github/CODEOWNERS": "brainbench"}, {}, ()),
        ({}, {}, ()),
    ],
)
def test_callers_that_differ_are_named(
    before: dict[str, str], after: dict[str, str], told: tuple[str, ...]
) -> None:
    """Other workflows, and files that no runner reads, are not."""
    assert told == compare_callers(before, after)


def test_where_no_caller_is_known_any_workflow_may_be_one() -> None:
    """It may call through a Makefile, say; each change is told then."""
    assert (f"changed {CI}",) == compare_callers({CI: OTHER}, {CI: f"{OTHER}#\n"})
    assert (f"removed {CI}",) == compare_callers({CI: OTHER}, {})
    assert () == compare_callers({CI: OTHER}, {CI: OTHER})


def test_the_running_workflow_is_a_caller() -> None:
    """The runner says which it is, however it comes to the gate."""
    before, after = {CI: OTHER, GATE: CALLS}, {CI: f"{OTHER}#\n", GATE: CALLS}
    assert () == compare_callers(before, after)
    assert (f"changed {CI}",) == compare_callers(before, after, running=CI)
    assert () == compare_callers(before, after, running=".github/workflows/gone.yml")


def test_who_names_a_caller_calls_the_gate() -> None:
    """A reusable workflow or a script by its file, an action by its folder."""
    texts = {
        ".github/workflows/ci.yml": "uses: octo/memory/.github/workflows/memory.yml@main",
        ".github/workflows/memory.yml": "steps: [{uses: './.github/actions/hold/'}]",
        ".github/actions/hold/action.yml": "run: |\n  nox \\\n    -s gate",
        ".github/workflows/script.yml": "run: .github/check.sh",
        ".github/check.sh": "brainbench gate",
        ".github/unused.sh": "brainbench gate",
        ".github/workflows/elsewhere.yml": "steps: [{uses: ./ci/memory}]",
        "ci/memory/action.yml": "uses: org/brainbench-gate@v1",
        ".github/workflows/docs.yml": "uses: ./.github/workflows/build.yml",
        ".github/workflows/build.yml": "run: make",
    }
    others = {
        ".github/unused.sh",
        ".github/workflows/docs.yml",
        ".github/workflows/build.yml",
    }
    assert find_callers(texts) == texts.keys() - others


def edited(repo: Repo, base: str | None, head: str | None) -> tuple[str, ...]:
    """What a repository tells of two commits."""
    with opened(repo.path) as repository:
        return find_edited_callers(repository, base, head)


def test_an_action_outside_the_folder_is_read_where_a_workflow_uses_it(tmp_path: Path) -> None:
    """Also by a detour; line ends are no change."""
    repo = Repo(tmp_path)
    action = "runs: {using: composite, steps: [{uses: org/brainbench-gate@v1}]}\n"
    uses = "jobs: {a: {steps: [{uses: ./ci/../ci/memory}, {uses: ./../out}, {uses: ./a//b}]}}\n"
    base = repo.commit({GATE: uses, "ci/memory/action.yml": action})
    ends = repo.commit({"ci/memory/action.yml": action.replace("\n", "\r\n")})
    head = repo.commit({"ci/memory/action.yml": "runs: {using: composite, steps: []}\n"})
    assert () == edited(repo, base, ends)
    assert ("changed ci/memory/action.yml",) == edited(repo, base, head)


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
