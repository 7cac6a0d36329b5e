"""`brainbench explain` as a user sees it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.commands.project import make_project, write_corpus

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.conftest import Brainbench
    from tests.gate.gitrepo import Repo


@pytest.fixture
def project(tmp_path: Path) -> Repo:
    return make_project(tmp_path / "repo")


def test_the_first_line_says_the_cause(project: Repo, brainbench: Brainbench) -> None:
    """One sentence with item, harnesses and cause; then what led to it."""
    ran = brainbench("explain", "talk#2", "--repo", project.path)
    assert ran.out.splitlines()[0] == (
        "# talk#2 fails on openclaw, claude-code and codex: “Ask” is glued to “Bo Berg”: "
        "capitalised words in a row are looked up as one name, “Ask Bo Berg”"
    )
    for part in (
        "- `people/bo-berg` comes",
        "- 1 user: “I met Ada Lind.”",
        "- **2 user: “Ask Bo Berg.”** ← this turn",
        "| “Ask Bo Berg” | “Ask Bo Berg”  | kept     | nothing |",
        "| `people/ada-lind` | Ada Lind |           | default  |",
    ):
        assert part in ran.out


def test_one_harness_alone(project: Repo, brainbench: Brainbench) -> None:
    """`--harness` leaves out the others."""
    ran = brainbench("explain", "talk#1", "--repo", project.path, "--harness", "codex")
    assert ran.out.startswith("# talk#1 passes on codex: it came in place 1")


def test_an_item_for_machines(project: Repo, brainbench: Brainbench) -> None:
    """The cause is a code, and every stage is there."""
    item = "talk#2:people/bo-berg"
    document = json.loads(brainbench("explain", item, "--json", "--repo", project.path).out)
    assert ["glued"] * 3 == [one["diagnosis"]["cause"] for one in document["outcomes"]]
    assert "Ask Bo Berg" == document["heard"][0]["looked_up"]


def test_all_failing_items_by_cause(project: Repo, brainbench: Brainbench) -> None:
    """Grouped by cause, with how many there are of each."""
    out = brainbench("explain", "--failing", "--repo", project.path).out
    assert out.startswith("# Failing items: 2\n\n## Another capitalised word is glued")
    assert "| `talk#2:people/bo-berg` | push        | claude-code, codex, openclaw |" in out


def test_what_flipped_against_the_base(
    project: Repo, brainbench: Brainbench, tmp_path: Path
) -> None:
    """Only what fails here and not there is listed."""
    write_corpus(project.path, "and Bo Berg?")
    brainbench("bless", "--repo", project.path)
    project.commit({}, "Accept")
    clone = project.clone(tmp_path / "clone")
    nothing = brainbench("explain", "--flipped", "--repo", clone.path)
    assert "# Items that fail here and not on the base: none\n" == nothing.out
    write_corpus(clone.path, "and bo berg?")
    flipped = brainbench("explain", "--flipped", "--repo", clone.path, "--json")
    assert [("know-to-ask", "talk#2"), ("push", "talk#2:people/bo-berg")] == [
        (one["suite"], one["item"]) for one in json.loads(flipped.out)
    ]


def test_a_base_without_items_is_told(project: Repo, brainbench: Brainbench) -> None:
    """What failed there is not known, so nothing is guessed."""
    ran = brainbench("explain", "--flipped", "--repo", project.path)
    assert (2, True) == (ran.code, "no items file" in ran.err)


@pytest.mark.parametrize(
    "arguments",
    [[], ["talk#1", "--failing"], ["--failing", "--flipped"], ["talk#1", "--base", "x"], ["no#1"]],
)
def test_what_cannot_be_asked(project: Repo, brainbench: Brainbench, arguments: list[str]) -> None:
    """Exactly one thing is explained at a time, and it has to be there."""
    assert 2 == brainbench("explain", *arguments, "--repo", project.path).code


def test_another_system(project: Repo, brainbench: Brainbench) -> None:
    """Of another system it is told what it returned, not how it read the turn."""
    ran = brainbench("explain", "talk#2", "--system", "silent", "--repo", project.path)
    assert "memory gave nothing for the turn" in ran.out.splitlines()[0]
    assert "How memory read the turn" not in ran.out
