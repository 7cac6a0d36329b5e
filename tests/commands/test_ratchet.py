"""Banking improvements: only where nothing is worse, and floors only upwards."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from tests.commands.project import POLICY, make_project, write_corpus

from brainbench_gate.ratcheting import tighten_floors
from brainbench_schema.baseline import Baseline
from brainbench_schema.policy import Policy

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.conftest import Brainbench
    from tests.gate.gitrepo import Repo


def numbers(repo: Repo) -> Any:
    return json.loads(repo.path.joinpath("baselines/main.json").read_bytes())


@pytest.fixture
def project(tmp_path: Path, brainbench: Brainbench) -> Repo:
    """A project whose baseline holds one failing turn on each harness."""
    repo = make_project(tmp_path / "repo")
    assert brainbench("bless", "--repo", repo.path).code == 0
    repo.commit({}, "Accept")
    return repo


def improve(repo: Repo) -> None:
    """Make the committed baseline as if one number had been worse; corpus and run stay."""
    document = numbers(repo)
    for cell in ("openclaw/push", "codex/push"):
        document["cells"][cell]["push_recall"] = 0.25
    text = json.dumps(document, indent=2)
    repo.commit({"baselines/main.json": f"{text}\n"}, "Worse")


def test_nothing_to_bank(project: Repo, brainbench: Brainbench) -> None:
    """A run that equals the baseline writes nothing."""
    ran = brainbench("ratchet", "--repo", project.path)
    assert (0, "nothing to bank: baselines/main.json equals this run\n") == (ran.code, ran.out)
    assert project.git("status", "--porcelain") == ""


def test_an_improvement_is_banked(project: Repo, brainbench: Brainbench) -> None:
    """Better numbers are written and told, one a line."""
    good = numbers(project)
    improve(project)
    ran = brainbench("ratchet", "--repo", project.path)
    assert ran.code == 0
    assert "- codex/push push_recall: 0.25 → 0.5" in ran.out
    assert good == numbers(project)


def test_anything_worse_is_refused(project: Repo, brainbench: Brainbench) -> None:
    """One number that is worse keeps all others from being banked, and is named."""
    improve(project)
    document = numbers(project)
    document["cells"]["claude-code/push"]["push_recall"] = 1
    project.write({"baselines/main.json": f"{json.dumps(document, indent=2)}\n"})
    project.commit({}, "Better in one")
    ran = brainbench("ratchet", "--repo", project.path, "--floors")
    assert ran.code == 2
    assert "worse in 1 number or item\n  claude-code/push push_recall: 1 → 0.5" in ran.err
    assert project.git("status", "--porcelain") == ""


@pytest.mark.parametrize("name", ["main.json", "main.items.json"])
def test_a_file_that_can_not_be_read_is_no_missing_one(
    project: Repo, brainbench: Brainbench, name: str
) -> None:
    """Both commands say what is wrong with it; neither that it isn't there."""
    project.write({f"baselines/{name}": "<<<<<<< ours\n"})
    ran = brainbench("ratchet", "--repo", project.path)
    assert ran.code == 2
    assert f"baselines/{name}: not JSON" in ran.err
    assert "resolve them" in ran.err
    checked = brainbench("bless", "--check", "--repo", project.path)
    assert checked.code == 2
    assert f"- baselines/{name} can't be read: not JSON" in checked.out
    assert "missing" not in checked.out


def test_a_missing_baseline_is_told_before_anything_is_measured(
    project: Repo, brainbench: Brainbench
) -> None:
    """And how to make one."""
    project.write({"baselines/main.json": None})
    ran = brainbench("ratchet", "--repo", project.path)
    assert ran.code == 2
    assert "baselines/main.json: there is no baseline to improve on" in ran.err


def test_a_swapped_item_is_worse(project: Repo, brainbench: Brainbench) -> None:
    """An item that fails newly counts even where another was fixed."""
    items = json.loads(project.path.joinpath("baselines/main.items.json").read_bytes())
    for cell in items["cells"]:
        items["cells"][cell] = [item.replace("#2", "#1") for item in items["cells"][cell]]
    project.commit({"baselines/main.items.json": f"{json.dumps(items, indent=2)}\n"}, "Swap")
    ran = brainbench("ratchet", "--repo", project.path)
    assert ran.code == 2
    assert "openclaw/push: talk#2:people/bo-berg fails now" in ran.err
    assert re.search(r"worse in \d+ numbers and items", ran.err)


def test_worse_than_the_base_is_refused(
    project: Repo, brainbench: Brainbench, tmp_path: Path
) -> None:
    """A tree whose own baseline was lowered can't bank what is worse than main's."""
    write_corpus(project.path, "And Bo Berg?")
    clone = project.clone(tmp_path / "clone")
    document = numbers(clone)
    document["cells"]["codex/push"]["push_recall"] = 1
    document["cells"]["codex/push"]["push_precision"] = 1
    project.commit({"baselines/main.json": f"{json.dumps(document, indent=2)}\n"}, "Higher")
    clone.git("fetch", "--quiet", "origin")
    ran = brainbench("ratchet", "--repo", clone.path)
    assert ran.code == 2
    assert clone.git("status", "--porcelain") == ""


def test_floors_are_tightened_in_place(project: Repo, brainbench: Brainbench) -> None:
    """The bound comes to what all cells reach; comments around it stay."""
    ran = brainbench("ratchet", "--repo", project.path, "--floors")
    assert (0, True) == (ran.code, "floor push_recall: 0.5" in ran.out)
    text = project.path.joinpath("brainbench.yml").read_text(encoding="utf-8")
    assert POLICY.replace("0.1 ", "0.5 ") == text


def test_a_policy_without_floors_is_told_so(tmp_path: Path, brainbench: Brainbench) -> None:
    """No floor is made up."""
    repo = make_project(tmp_path / "repo", policy="schema_version: 1\nsystem: reflex\n")
    brainbench("bless", "--repo", repo.path)
    ran = brainbench("ratchet", "--repo", repo.path, "--floors")
    assert (2, True) == (ran.code, "sets no floors" in ran.err)


def test_without_a_baseline_there_is_nothing_to_improve_on(
    tmp_path: Path, brainbench: Brainbench
) -> None:
    """The first baseline is for `bless` to make."""
    repo = make_project(tmp_path / "repo")
    ran = brainbench("ratchet", "--repo", repo.path)
    assert (2, True) == (ran.code, "brainbench bless" in ran.err)


def baseline(**cells: dict[str, float]) -> Baseline:
    named = {name.replace("_", "/", 1): metrics for name, metrics in cells.items()}
    config = {"include_holdout": False, "llm": False, "harnesses": ["a"], "suites": ["push"]}
    counts = {name: {"gold_total": 1, "gold_failed": 0} for name in named}
    return Baseline.from_json(
        {"fixtures_hash": "0" * 64, "config": config, "cells": named, "counts": counts}
    )


@pytest.mark.parametrize(
    ("floors", "expected"),
    [
        ({"push_recall": 0.5}, {("floors", "push_recall"): 0.6}),
        ({"push_recall": 0.6}, {}),
        ({"push_recall": 0.9}, {}),
        ({"false_fire_rate": 0.5}, {("floors", "false_fire_rate"): 0.2}),
        ({"false_fire_rate": 0.2}, {}),
        ({"false_fire_rate": 0.1}, {}),
        ({"a/push": {"push_recall": 0.7}}, {("floors", "a/push", "push_recall"): 0.8}),
        ({"c/push": {"push_recall": 0.7}}, {}),
        ({"nonsense": 0.7}, {}),
        ({}, {}),
    ],
)
def test_a_bound_gets_stricter_or_stays(
    floors: dict[str, Any], expected: dict[tuple[str, ...], float]
) -> None:
    """A floor rises to the least of its cells, a ceiling comes down to the greatest."""
    measured = baseline(
        a_push={"push_recall": 0.8, "false_fire_rate": 0.1},
        b_push={"push_recall": 0.6, "false_fire_rate": 0.2},
    )
    assert expected == tighten_floors(Policy(system="reflex", floors=floors), measured)
