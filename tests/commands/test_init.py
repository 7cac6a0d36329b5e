"""The default branch: what the written workflow names, and what a given one leaves out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gate.gitrepo import Repo

from brainbench_gate.commands.init import find_branch
from brainbench_gate.doctor import Level, Setting
from brainbench_gate.doctor.workflows import check_workflows, takes_branch

if TYPE_CHECKING:
    from pathlib import Path

WORKFLOW = ".github/workflows/gate.yml"
CALLS = """\
on: {{pull_request: , merge_group: , push: {{branches: {branches}}}}}
jobs:
  gate:
    permissions: {{contents: read, pull-requests: write, statuses: write}}
    steps: [{{uses: org/brainbench-gate@{commit}}}]
"""


@pytest.fixture
def origin(tmp_path: Path) -> Repo:
    """A repository whose default branch is trunk."""
    made = Repo(tmp_path / "origin")
    made.git("symbolic-ref", "HEAD", "refs/heads/trunk")
    made.commit({"a": "1"})
    return made


def work(folder: Path, *remotes: tuple[str, str]) -> Repo:
    """A repository on the branch gate, with remotes of which nothing was fetched."""
    made = Repo(folder)
    made.git("symbolic-ref", "HEAD", "refs/heads/gate")
    for name, url in remotes:
        made.git("remote", "add", name, url)
    return made


def test_the_remote_is_asked_where_nothing_of_it_is_stored(tmp_path: Path, origin: Repo) -> None:
    """`git remote add` stores no default branch."""
    made = work(tmp_path / "work", ("origin", origin.url))
    assert find_branch(made.path) == "trunk"
    made.commit({"b": "1"})
    assert find_branch(made.path) == "trunk"


def test_upstream_goes_before_origin(tmp_path: Path, origin: Repo) -> None:
    """As for the base of a local run."""
    fork = Repo(tmp_path / "fork")
    fork.commit({"a": "1"})
    made = work(tmp_path / "work", ("origin", fork.url), ("upstream", origin.url))
    assert find_branch(made.path) == "trunk"


@pytest.mark.parametrize("url", ["empty", "nowhere"])
@pytest.mark.parametrize("born", [False, True])
def test_a_remote_that_cannot_tell_leaves_main(tmp_path: Path, url: str, *, born: bool) -> None:
    """It is empty or does not answer: a new branch is not taken for the default one."""
    Repo(tmp_path / "empty")
    made = work(tmp_path / "work", ("origin", str(tmp_path / url)))
    if born:
        made.commit({"a": "1"})
        made.git("branch", "main")
    assert find_branch(made.path) == "main"


@pytest.mark.parametrize("name", ["main", "trunk"])
def test_a_clone_of_an_empty_repository_knows_its_branch(tmp_path: Path, name: str) -> None:
    """And a branch made there at once is not the default one, before and after its commit."""
    empty = Repo(tmp_path / "empty")
    empty.git("symbolic-ref", "HEAD", f"refs/heads/{name}")
    clone = empty.clone(tmp_path / "clone")
    clone.git("checkout", "--quiet", "-b", "gate")
    assert find_branch(clone.path) == name
    clone.commit({"a": "1"})
    assert find_branch(clone.path) == name


@pytest.mark.parametrize(
    ("branches", "expected"),
    [(("gate", "main"), "main"), (("gate", "master"), "master"), (("gate",), "gate")],
)
def test_without_a_remote_a_likely_branch_is_taken(
    tmp_path: Path, branches: tuple[str, ...], expected: str
) -> None:
    """`main`, `master`, else the one checked out."""
    made = work(tmp_path / "work")
    assert find_branch(made.path) == "gate"
    made.commit({"a": "1"})
    for branch in branches[1:]:
        made.git("branch", branch)
    assert find_branch(made.path) == expected


def test_outside_a_repository_it_is_main(tmp_path: Path) -> None:
    """Nothing can tell."""
    assert find_branch(tmp_path) == "main"


@pytest.mark.parametrize(
    ("branches", "told"), [("[gate]", True), ("gate", True), ("[trunk]", False), ("['**']", False)]
)
def test_a_workflow_that_leaves_the_default_branch_out_is_named(
    tmp_path: Path, origin: Repo, *, branches: str, told: bool
) -> None:
    """What main holds after a merge would not be judged."""
    made = work(tmp_path / "work", ("origin", origin.url))
    made.write({WORKFLOW: CALLS.format(branches=branches, commit="a" * 40)})
    setting = Setting(folder=made.path, policy_file="brainbench.yml", environ={})
    found = list(check_workflows(setting))
    assert [one.level for one in found] == [Level.ADVICE if told else Level.GOOD]
    assert ("default branch trunk" in found[0].text) is told
    assert ("[trunk]" in found[0].advice) is told


@pytest.mark.parametrize(
    ("patterns", "taken"),
    [
        (["main"], True),
        (["ma*", "!main"], False),
        (["!main", "main"], True),
        (["mai+n"], True),
        (["release/**"], False),
    ],
)
def test_a_filter_takes_a_branch_by_its_last_word(patterns: list[str], *, taken: bool) -> None:
    """Patterns that are not surely understood are taken to fit."""
    assert takes_branch(patterns, "main") is taken
