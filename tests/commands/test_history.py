"""The baseline through git history: landings, justifications, renames, and where a clone ends."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.gate.gitrepo import Repo

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.conftest import Brainbench

POLICY = "schema_version: 1\nsystem: reflex\n"


def baseline(recall: float, failed: int = 1, *, reason: str | None = None) -> str:
    """A baseline of one cell."""
    document: dict[str, Any] = {
        "schema_version": 1,
        "fixtures_hash": "0" * 64,
        "config": {
            "include_holdout": False,
            "llm": False,
            "harnesses": ["codex"],
            "suites": ["push"],
        },
        **({"justification": reason} if reason else {}),
        "cells": {"codex/push": {"push_recall": recall}},
        "counts": {"codex/push": {"gold_total": 10, "gold_failed": failed}},
    }
    return json.dumps(document)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Five commits, three of which accept numbers; one lowers them with a reason."""
    repo = Repo(tmp_path / "repo")
    repo.commit({"brainbench.yml": POLICY, "baselines/main.json": baseline(0.8, 2)}, "First")
    repo.commit({"other.txt": "x"}, "Unrelated")
    reason = "codex/push: recall traded for calm | and more"
    repo.commit({"baselines/main.json": baseline(0.7, 3, reason=reason)}, "Trade")
    repo.commit({"other.txt": "y"}, "Unrelated, too")
    repo.commit({"baselines/main.json": baseline(0.9)}, "Better")
    return repo


def test_the_audit_lists_the_reason_with_what_it_covered(
    repo: Repo, brainbench: Brainbench
) -> None:
    """Author, day, commit, words and the moves that got worse stand in one row."""
    ran = brainbench("audit", "--repo", repo.path)
    assert "# 1 justification in 3 baselines" == ran.out.splitlines()[0]
    row = next(line for line in ran.out.splitlines() if "traded" in line)
    assert "2023-11-14" in row
    assert repo.id("HEAD~2")[:10] in row
    assert "Ada" in row
    assert r"calm \| and more" in row
    assert "codex/push gold_failed 2 → 3; codex/push push_recall 0.8 → 0.7" in row


def test_the_audit_for_machines(repo: Repo, brainbench: Brainbench) -> None:
    """The same as JSON, with full ids and every movement."""
    document = json.loads(brainbench("audit", "--repo", repo.path, "--json").out)
    [one] = document["justifications"]
    assert (True, "Ada", repo.id("HEAD~2")) == (document["complete"], one["author"], one["commit"])
    assert {"cell": "codex/push", "metric": "push_recall", "from": 0.8, "to": 0.7} in one[
        "breaches"
    ]
    assert {"cell": "codex/push", "name": "gold_failed", "from": 2, "to": 3} in one["movements"]


def test_a_reason_that_merely_stayed_is_listed_once(repo: Repo, brainbench: Brainbench) -> None:
    """The same words in the next baseline are no new justification."""
    reason = "codex/push: recall traded for calm"
    repo.commit({"baselines/main.json": baseline(0.8, 2, reason=reason)}, "Lower")
    repo.commit({"baselines/main.json": baseline(0.85, 2, reason=reason)}, "Forgot to drop it")
    assert brainbench("audit", "--repo", repo.path).out.startswith("# 2 justifications in 5")


def test_the_history_shows_how_numbers_moved(repo: Repo, brainbench: Brainbench) -> None:
    """From the oldest to the newest, each move with day and commit; unmoved ones plainly."""
    ran = brainbench("history", "--repo", repo.path)
    moves = {line.split("|")[2].strip(): line for line in ran.out.splitlines() if "codex/" in line}
    newest = repo.head[:10]
    assert (
        f"0.8 → 0.7 (2023-11-14, {repo.id('HEAD~2')[:10]}) → 0.9 (2023-11-14, {newest})"
        in moves["push_recall"]
    )
    assert "| 10 " in moves["gold_total"]


def test_the_history_for_machines(repo: Repo, brainbench: Brainbench) -> None:
    """Newest first, each with its whole baseline."""
    document = json.loads(brainbench("history", "--repo", repo.path, "--json").out)
    recalls = [
        one["baseline"]["cells"]["codex/push"]["push_recall"] for one in document["baselines"]
    ]
    assert [0.9, 0.7, 0.8] == recalls


def test_a_moved_baseline_is_followed(repo: Repo, brainbench: Brainbench) -> None:
    """Where a policy gives the baseline another place, what stood at the old one counts on."""
    files = {
        "brainbench.yml": f"{POLICY}baseline: gate/numbers.json\n",
        "baselines/main.json": None,
        "gate/numbers.json": baseline(0.9),
    }
    repo.commit(files, "Move")
    document = json.loads(brainbench("history", "--repo", repo.path, "--json").out)
    assert (True, 4) == (document["complete"], len(document["baselines"]))


def test_a_baseline_taken_away_and_a_broken_one_are_told(
    repo: Repo, brainbench: Brainbench
) -> None:
    """Neither stops the history; each is named as what it is."""
    repo.commit({"baselines/main.json": None}, "Drop")
    repo.commit({"baselines/main.json": "<<<<<<< HEAD"}, "Break")
    repo.commit({"baselines/main.json": baseline(0.9)}, "Mend")
    document = json.loads(brainbench("history", "--repo", repo.path, "--json").out)
    assert [True, False, False, True, True, True] == [
        one["baseline"] is not None for one in document["baselines"]
    ]
    assert "taken away" == document["baselines"][2]["fault"]


def test_a_merge_is_a_landing(repo: Repo, brainbench: Brainbench) -> None:
    """What a branch did counts when it lands, at the merge."""
    repo.branch("topic")
    repo.commit({"baselines/main.json": baseline(0.95)}, "On a branch")
    repo.checkout("main")
    merge = repo.merge("topic")
    document = json.loads(brainbench("history", "--repo", repo.path, "--json").out)
    assert (merge, 4) == (document["baselines"][0]["commit"], len(document["baselines"]))


def test_a_shallow_clone_says_where_it_ends(
    repo: Repo, brainbench: Brainbench, tmp_path: Path
) -> None:
    """A history that is cut short is never passed off as whole."""
    clone = repo.clone(tmp_path / "clone", depth=2)
    ran = brainbench("history", "--repo", clone.path)
    assert (0, True) == (ran.code, "git fetch --unshallow" in ran.out)


def test_another_ref_can_be_asked_for(repo: Repo, brainbench: Brainbench) -> None:
    """`--ref` starts somewhere else; a name that isn't there is exit 2."""
    ref = repo.id("HEAD~2")
    document = json.loads(brainbench("history", "--repo", repo.path, "--json", "--ref", ref).out)
    assert 2 == len(document["baselines"])
    assert 2 == brainbench("audit", "--repo", repo.path, "--ref", "refs/heads/none").code


def test_a_history_without_baselines(tmp_path: Path, brainbench: Brainbench) -> None:
    """A repository that never accepted numbers says so."""
    repo = Repo(tmp_path / "bare")
    repo.commit({"brainbench.yml": POLICY}, "Start")
    assert (
        "# No baseline was ever accepted here\n" == brainbench("history", "--repo", repo.path).out
    )


def test_outside_git_and_before_the_first_commit(tmp_path: Path, brainbench: Brainbench) -> None:
    """Both are refused with what to do."""
    (tmp_path / "plain").mkdir()
    assert "not in a git repository" in brainbench("audit", "--repo", tmp_path / "plain").err
    Repo(tmp_path / "empty")
    assert "no commit yet" in brainbench("audit", "--repo", tmp_path / "empty").err
