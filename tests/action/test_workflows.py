"""The YAML: `action.yml` and the program agree, and linters find nothing in any workflow."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from tests.action.templates import read_templates

from brainbench_gate.action.inputs import PREFIX, Inputs

PROJECT = Path(__file__).parents[2]
ACTION = PROJECT / "action.yml"
WORKFLOWS = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
PROGRAMS = Path(sys.prefix) / "bin"
INPUTS = (
    "config working-directory base system suites harnesses include-holdout result comment name "
    "token github-api-url python-version job"
)
OUTPUTS = (
    "verdict mode reason newly-failed fixed isolation-violations corpus-changed base-sha "
    "comment-url result-path recall-mode"
)


def read_yaml(text: str) -> Any:
    """Plain values of a YAML text."""
    return YAML(typ="safe").load(text)


def run(program: str, *arguments: str) -> None:
    """Run a linter, which has to find nothing."""
    done = subprocess.run(
        [str(PROGRAMS / program), *arguments], capture_output=True, check=False, cwd=PROJECT
    )
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()


@pytest.fixture(scope="module")
def action() -> Any:
    """The action's document."""
    return read_yaml(ACTION.read_text("utf-8"))


@pytest.fixture(scope="module")
def workflows(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """This project's own workflows, and those that the documentation gives to users."""
    folder = tmp_path_factory.mktemp("templates") / ".github" / "workflows"
    folder.mkdir(parents=True)
    for name, text in read_templates().items():
        (folder / f"{name}.yml").write_text(text, encoding="utf-8")
    return [str(path) for path in [*WORKFLOWS, *sorted(folder.iterdir())]]


def test_action_has_the_inputs_and_outputs_of_the_contract(action: Any) -> None:
    """Each described, each optional."""
    assert set(action["inputs"]) == set(INPUTS.split())
    assert set(action["outputs"]) == set(OUTPUTS.split())
    assert all("default" in one and one["description"] for one in action["inputs"].values())


def test_every_input_reaches_the_program_under_its_name(action: Any) -> None:
    """Inputs, environment and settings agree."""
    [step] = [one for one in action["runs"]["steps"] if one.get("id") == "publish"]
    passed = {key: value for key, value in step["env"].items() if key.startswith(PREFIX)}
    names = {name.upper().replace("-", "_"): name for name in action["inputs"]}
    del names["PYTHON_VERSION"]
    assert passed == {f"{PREFIX}{key}": f"${{{{ inputs.{name} }}}}" for key, name in names.items()}
    assert {key.lower() for key in names} == set(Inputs.__dataclass_fields__)


def test_inputs_that_are_not_given_are_the_programs_defaults(action: Any) -> None:
    """What the YAML says and what the program says is the same."""
    environ = {
        f"{PREFIX}{name.upper().replace('-', '_')}": one["default"]
        for name, one in action["inputs"].items()
        if name != "token"
    }
    assert Inputs.from_environ(environ) == Inputs(include_holdout="false")


def test_steps_run_one_command_and_interpolate_nothing(action: Any) -> None:
    """Values go through `env:`; what an earlier step could set is emptied."""
    for step in action["runs"]["steps"]:
        command = step.get("run", "")
        assert "${{" not in command
        assert not re.search(r"[;|&\n]", command)
        for name in ("BASH_ENV", "LD_PRELOAD", "LD_LIBRARY_PATH", "PYTHONPATH", "NODE_OPTIONS"):
            assert step["env"][name] == ""
        if command:
            assert " -I " in command


def test_everything_used_is_pinned_by_commit() -> None:
    """With the version in a comment."""
    texts = [ACTION.read_text("utf-8"), *(path.read_text("utf-8") for path in WORKFLOWS)]
    used = re.findall(r"^\s+(?:- )?uses: (.+)", "\n".join(texts), re.MULTILINE)
    foreign = [one for one in used if not one.startswith("./")]
    assert foreign
    for one in foreign:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one), one


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflow_grants_by_job_and_ends(path: Path) -> None:
    """No permission on top, a time limit for each job, one job that needs every other."""
    workflow = read_yaml(path.read_text("utf-8"))
    assert workflow["permissions"] == {}
    jobs = workflow["jobs"]
    assert all("timeout-minutes" in job and "permissions" in job for job in jobs.values())
    last = list(jobs.values())[-1]
    if len(jobs) > 1:
        assert set(last["needs"]) == set(jobs) - {list(jobs)[-1]}
    cancels = workflow["concurrency"]["cancel-in-progress"]
    assert cancels in (False, "${{ github.event_name == 'pull_request' }}")


def test_zizmor_finds_nothing(workflows: list[str]) -> None:
    """Without asking anybody; users pin this action as they like."""
    own = [path for path in workflows if str(PROJECT) in path]
    config = str(PROJECT / "tests" / "action" / "zizmor.yml")
    mine = str(PROJECT / ".github" / "zizmor.yml")
    run("zizmor", "--offline", "--quiet", f"--config={mine}", str(ACTION), *own)
    templates = [path for path in workflows if path not in own]
    run("zizmor", "--offline", "--quiet", f"--config={config}", *templates)


def test_actionlint_finds_nothing(workflows: list[str]) -> None:
    """Expressions, contexts, shell."""
    run("actionlint", *workflows)


def test_schemas_hold(workflows: list[str]) -> None:
    """GitHub's own shape of actions and workflows."""
    run("check-jsonschema", "--builtin-schema", "vendor.github-actions", str(ACTION))
    run("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows)


def test_lock_names_hashes_and_no_host() -> None:
    """Wheels only, each with its hash, from wherever the runner gets its packages."""
    text = (PROJECT / "action" / "requirements.txt").read_text("utf-8")
    assert "://" not in text
    entries = re.split(r"\n(?=\w)", text.strip())
    assert all("--hash=sha256:" in entry for entry in entries)


def test_lock_covers_what_this_project_asks_for() -> None:
    """A dependency that is added has to be locked; `action/requirements.in` adds the rest."""
    text = (PROJECT / "action" / "requirements.txt").read_text("utf-8")
    locked = set(re.findall(r"^([a-z0-9-]+)==", text, re.MULTILINE))
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    added = (PROJECT / "action" / "requirements.in").read_text("utf-8").splitlines()
    asked = [*project["dependencies"], *(line for line in added if not line.startswith("#"))]
    names = {re.split(r"[^A-Za-z0-9._-]", one)[0].lower().replace(".", "-") for one in asked}
    assert names <= locked
