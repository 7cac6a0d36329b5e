"""The real action in odd places and with hostile inputs: `nox -s action`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.action import payloads
from tests.action.acting import ONE_STEP, make_template
from tests.action.consumer import FORGETFUL, POLICY, bless, ground_files
from tests.gate.gitrepo import Repo

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tests.action.acting import Run, World

BAD = {"memory.py": FORGETFUL}


def judge(
    world: World,
    head: str,
    inputs: Mapping[str, str] | None = None,
    *,
    workflow: str = ONE_STEP,
) -> Run:
    """Run the action for a pull request of a head."""
    merge = world.open_pull(head)
    payload = payloads.pull_request(head=head, base=world.base)
    return world.act("pull_request", payload, merge, workflow=workflow, inputs=inputs or {})


def test_path_with_spaces(world: World) -> None:
    """Checked out below a folder: every path is one word to the shell."""
    asked = "{persist-credentials: false}"
    workflow = ONE_STEP.replace(asked, asked.replace("}", ', path: "a work space"}'))
    run = judge(world, world.change(BAD), {"working-directory": "a work space"}, workflow=workflow)
    assert run.verdict()[0] == "regression", run.log


def test_working_directory(make_world: Callable[..., World], tmp_path: Path) -> None:
    """Policy, corpus, baseline and memory below a folder; `uses:` itself ignores it."""
    repo = Repo(tmp_path / "nested")
    for setting in ("allowAnySHA1InWant", "allowFilter"):
        repo.git("config", f"uploadpack.{setting}", "true")
    repo.write({f"services/my memory/{name}": text for name, text in ground_files().items()})
    bless(repo, folder="services/my memory")
    repo.commit({})
    world = make_world(start=repo)
    head = world.change({"services/my memory/memory.py": FORGETFUL})
    run = judge(world, head, {"working-directory": "services/my memory"})
    assert run.verdict()[0] == "regression", run.log
    assert "services/my memory/evals/brainbench/fixtures/tiny-project.fixture.json" in run.log


@pytest.mark.parametrize(
    "inputs",
    [
        {"system": "silent"},
        {"suites": "push"},
        {"harnesses": "codex"},
        {"include-holdout": "true"},
        {"name": "lax"},
        {"result": "result.json"},
    ],
    ids=str,
)
def test_input_against_the_base_policy_is_refused(world: World, inputs: dict[str, str]) -> None:
    """The workflow may be the pull request's own."""
    run = judge(world, world.change({"README.md": "hello\n"}), inputs)
    assert run.verdict() == ("inconclusive", "input-contradicts-policy"), run.log


def test_base_is_the_events_to_decide(world: World) -> None:
    """An input that names one is refused."""
    run = judge(world, world.change({"README.md": "hello\n"}), {"base": "HEAD"})
    assert run.verdict()[0] == "inconclusive", run.log


@pytest.mark.parametrize(
    "value",
    ['"; touch pwned; "', "$(touch pwned)", "`touch pwned`", "a\nb", "${{ github.token }}", "../x"],
)
def test_hostile_input_is_inert(world: World, value: str) -> None:
    """It is a path that isn't there, or one that is refused; never a command."""
    run = judge(world, world.change({"README.md": "hello\n"}), {"config": value})
    assert not run.ok
    assert run.verdict()[0] in ("", "inconclusive")
    assert not list(world.folder.rglob("pwned"))


def test_lax_policy_under_another_name_is_refused(world: World) -> None:
    """`config` can't take the place of the base's policy."""
    files = {**BAD, "lax.yml": POLICY.format(name="main")}
    run = judge(world, world.change(files), {"config": "lax.yml"})
    assert run.verdict()[0] == "inconclusive", run.log


def test_checkouts_own_tools_play_no_part(world: World) -> None:
    """noxfile, conftest, sitecustomize, a decoy package, nox's folder: none is looked at."""
    decoy = "import sys\nprint('decoy ran')\nsys.exit(0)\n"
    names = ("noxfile.py", "conftest.py", "sitecustomize.py", "usercustomize.py", "nox.py",
             "brainbench_gate/__init__.py", "brainbench_schema.py", "httpx.py",
             ".nox/publish/bin/python")  # fmt: skip
    head = world.change({**BAD, **dict.fromkeys(names, decoy)})
    run = judge(world, head)
    assert run.verdict()[0] == "regression", run.log
    assert "decoy ran" not in run.log


FAKE_GIT = (
    "mkdir -p evil; printf '#!/bin/sh\\nexit 0\\n' > evil/git; chmod +x evil/git; "
    "echo $PWD/evil >> $GITHUB_PATH"
)
EVIL = {
    "evil/sitecustomize.py": "raise SystemExit(0)\n",
    "evil.sh": '[ -z "$ACTION" ] || exit 0\n',
}
SHOUT = """\
import sys
print('::error::owned', file=sys.stderr)
print('::stop-commands::x', file=sys.stderr)
"""
INSTALL = "      - uses: org/brainbench-gate@v1\n"


@pytest.mark.parametrize(
    "step",
    [
        "echo PYTHONPATH=$PWD/evil >> $GITHUB_ENV",
        "echo BASH_ENV=$PWD/evil.sh >> $GITHUB_ENV",
        "echo PIP_TARGET=$PWD/evil >> $GITHUB_ENV",
        FAKE_GIT,
        "git config url.https://evil.example/.insteadOf http://",
        "git config core.fsmonitor 'touch pwned'",
    ],
)
def test_install_step_decides_nothing(world: World, step: str) -> None:
    """An earlier step of the job can set variables, paths and settings of the clone."""
    workflow = ONE_STEP.replace(INSTALL, f"      - run: |\n          {step}\n{INSTALL}")
    run = judge(world, world.change({**BAD, **EVIL}), workflow=workflow)
    assert run.verdict()[0] == "regression", run.log
    assert not list(world.folder.rglob("pwned"))


@pytest.mark.parametrize("file", ["baselines/main.json", "brainbench.yml", "memory-gold"])
def test_install_step_that_edits_the_ground_is_refused(world: World, file: str) -> None:
    """What is judged is the commit, and the work tree has to equal it."""
    if file == "memory-gold":
        file = "evals/brainbench/gold/tiny-project.gold.json"
    workflow = ONE_STEP.replace(INSTALL, f"      - run: echo >> {file}\n{INSTALL}")
    run = judge(world, world.change(BAD), workflow=workflow)
    assert run.verdict()[0] == "inconclusive", run.log


def test_removed_git_folder_is_no_first_landing(world: World) -> None:
    """Without a repository there is no base, and no verdict either."""
    workflow = ONE_STEP.replace(INSTALL, f"      - run: rm -rf .git\n{INSTALL}")
    run = judge(world, world.change(BAD), workflow=workflow)
    assert run.verdict()[0] == "inconclusive", run.log


def test_memory_that_speaks_to_the_runner_is_not_heard(world: World) -> None:
    """Workflow commands on its stderr are quoted, and outputs are the gate's own."""
    run = judge(world, world.change({"memory.py": SHOUT + FORGETFUL}))
    assert run.verdict()[0] == "regression", run.log
    assert "\n::error::owned" not in run.log


def test_environment_is_made_by_the_action_itself(world: World) -> None:
    """The only scenario without a prebuilt environment: hash-locked wheels, then a verdict."""
    world.environment = None
    run = judge(world, world.change(BAD))
    assert run.verdict()[0] == "regression", run.log


def test_second_gate_leaves_the_first_alone(
    make_world: Callable[..., World], tmp_path: Path
) -> None:
    """Name, baseline, comment and status of its own."""
    repo = make_template(tmp_path / "two")
    second = POLICY.format(name="second") + "baseline: baselines/second.json\n"
    world = make_world(start=repo)
    head = world.change({"second.yml": second})
    run = judge(world, head, {"config": "second.yml"})
    assert run.verdict() == ("pass", "bootstrap"), run.log
    assert world.state.statuses[-1]["context"] == "brainbench/second/main"
