"""Each examination: what it says of a sound setting, and of one with a single fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.action.consumer import bless, ground_files
from tests.action.fake_github import serving_github
from tests.action.github_state import State
from tests.action.templates import read_templates
from tests.gate.gitrepo import Repo

from brainbench_gate.cli import invoke
from brainbench_gate.doctor import Level, Setting, Symptom, examine
from brainbench_gate.doctor.hosted import examine_rules

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WORKFLOW = ".github/workflows/brainbench.yml"
TWO_JOBS = read_templates()["two-jobs"].replace("gate@v1", f"gate@{'a' * 40}")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A sound repository."""
    made = Repo(tmp_path / "repo")
    made.write({**ground_files(), WORKFLOW: TWO_JOBS})
    bless(made)
    made.commit({})
    return made


def look(repo: Repo, environ: dict[str, str] | None = None) -> dict[str, Symptom]:
    """Examine a repository; gives what is not good by its name."""
    setting = Setting(folder=repo.path, policy_file="brainbench.yml", environ=environ or {})
    return {one.name: one for one in examine(setting) if one.level is not Level.GOOD}


def test_sound_repository_has_advice_at_most(repo: Repo) -> None:
    """No remote and no token are no fault."""
    assert set(look(repo)) == {"base", "github"}


@pytest.mark.parametrize(
    ("edit", "name", "level"),
    [
        (lambda text: text.replace("  merge_group:\n", ""), "triggers", Level.ADVICE),
        (
            lambda text: text.replace("pull_request:", "pull_request_target:"),
            "triggers",
            Level.STOPS,
        ),
        (
            lambda text: text.replace("pull_request:", "pull_request:\n    paths: [src]"),
            "filters",
            Level.STOPS,
        ),
        (lambda text: text.replace("      statuses: write\n", ""), "permissions", Level.ADVICE),
        (lambda text: text.replace("      actions: read\n", ""), "permissions", Level.ADVICE),
        (lambda text: text.replace(f"gate@{'a' * 40}", "gate@v1"), "pins", Level.ADVICE),
    ],
)
def test_workflow_fault_is_named(
    repo: Repo, edit: Callable[[str], str], name: str, level: Level
) -> None:
    """Triggers, filters, grants, pins: each with what to do."""
    edited = edit(TWO_JOBS)
    assert edited != TWO_JOBS
    repo.write({WORKFLOW: edited})
    found = look(repo)[f"{name} of brainbench.yml"]
    assert found.level is level
    assert found.advice


def test_missing_and_broken_workflows_are_named(repo: Repo) -> None:
    """None at all, and one that is no YAML."""
    repo.write({WORKFLOW: "on: [\n"})
    assert (
        "can't be read" in look(repo)["workflow"].text or "none uses" in look(repo)["workflow"].text
    )


@pytest.mark.parametrize(
    ("files", "name", "level"),
    [
        ({"brainbench.yml": None}, "policy", Level.STOPS),
        ({"brainbench.yml": "schema_version: 9\nsystem: x\n"}, "policy", Level.STOPS),
        ({"baselines/main.json": None}, "baseline", Level.ADVICE),
        ({"baselines/main.json": "<<<<<<< ours\n"}, "policy", Level.STOPS),
        ({"baselines/x.json": "version https://git-lfs.github.com/spec/v1\n"}, "lfs", Level.STOPS),
        ({"baselines/x.json": "{}\r\n"}, "line ends", Level.ADVICE),
    ],
)
def test_ground_fault_is_named(
    repo: Repo, files: dict[str, str | bytes | None], name: str, level: Level
) -> None:
    """Policy, baseline, LFS, line ends."""
    repo.write(files)
    found = look(repo)[name]
    assert found.level is level
    assert found.advice


def test_folder_outside_git_stops(tmp_path: Path) -> None:
    """There is nothing to compare with."""
    setting = Setting(folder=tmp_path, policy_file="brainbench.yml", environ={})
    names = {one.name for one in examine(setting) if one.level is Level.STOPS}
    assert names == {"clone", "policy"}


def test_unreachable_database_stops(repo: Repo) -> None:
    """One that was named has to answer."""
    url = "postgresql://127.0.0.1:1/none"
    assert look(repo, {"BRAINBENCH_DATABASE_URL": url})["database"].level is Level.STOPS


def require(*, strict: bool) -> dict[str, object]:
    """The rule that requires the gate's status."""
    checks = [{"context": "brainbench/main/main"}]
    key = "strict_required_status_checks_policy"
    parameters = {key: strict, "required_status_checks": checks}
    return {"type": "required_status_checks", "parameters": parameters}


@pytest.mark.parametrize(
    ("rules", "level"),
    [
        ([require(strict=True)], Level.GOOD),
        ([require(strict=False)], Level.ADVICE),
        ([require(strict=False), {"type": "merge_queue"}], Level.GOOD),
        ([], Level.ADVICE),
    ],
)
def test_ruleset_has_to_require_the_status(rules: list[dict[str, object]], level: Level) -> None:
    """And branches have to be up to date, or queue."""
    assert examine_rules(rules, "brainbench/main/main").level is level


def test_hosted_repository_is_asked(repo: Repo) -> None:
    """Token, rules, duplicates."""
    state = State()
    for _ in range(2):
        state.add_comment(7, "<!-- brainbench-gate:main -->")
    with serving_github(state) as server:
        environ = {
            "GITHUB_REPOSITORY": state.repository,
            "GITHUB_TOKEN": state.token,
            "GITHUB_API_URL": server.url,
            "GITHUB_REF": "refs/pull/7/merge",
        }
        found = look(repo, environ)
        assert "2 carry the marker" in found["comments"].text
        assert found["ruleset"].level is Level.ADVICE
        refused = look(repo, {**environ, "GITHUB_TOKEN": "wrong"})
    assert refused["token"].level is Level.STOPS


def test_command_ends_with_2_where_something_stops_the_gate(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line says what to do."""
    for name in ("GITHUB_TOKEN", "GH_TOKEN", "GITHUB_REPOSITORY"):
        monkeypatch.delenv(name, raising=False)
    assert invoke(["doctor", "--repo", str(repo.path)]) == 0
    repo.write({"brainbench.yml": "system: 1\n"})
    assert invoke(["doctor", "--repo", str(repo.path)]) == 2
    assert "✗ policy" in capsys.readouterr().out
    assert invoke(["doctor", "--json", "--repo", str(repo.path)]) == 2
