"""The workflow on the first page does what the other pages say of the gate."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from brainbench_gate.doctor import Level
from brainbench_gate.doctor.workflows import examine_workflow, read_workflow

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
PROGRAMS = Path(sys.prefix) / "bin"


@pytest.fixture
def workflow(tmp_path: Path) -> Path:
    """The workflow as somebody pastes it."""
    [text] = re.findall(r"```yaml\n(name: gate\n.*?)```", README, re.DOTALL)
    place = tmp_path / ".github" / "workflows" / "gate.yml"
    place.parent.mkdir(parents=True)
    place.write_text(text, encoding="utf-8")
    return place


def test_the_workflow_has_ten_lines(workflow: Path) -> None:
    """A page further on are longer ones."""
    assert workflow.read_text("utf-8").count("\n") <= 10


def test_the_workflow_judges_pull_requests_queues_and_main(workflow: Path) -> None:
    """The doctor asks for no trigger and no grant; only the pin is left to whoever pastes it."""
    read = read_workflow(workflow)
    assert read is not None
    assert set(read.triggers) == {"pull_request", "merge_group", "push"}
    found = [one for one in examine_workflow(read, "main") if one.level is not Level.GOOD]
    assert [one.name for one in found] == ["pins of gate.yml"]


@pytest.mark.parametrize(
    "linter",
    [("actionlint",), ("check-jsonschema", "--builtin-schema", "vendor.github-workflows")],
    ids=lambda words: words[0],
)
def test_linters_find_nothing(workflow: Path, linter: tuple[str, ...]) -> None:
    """As in every other workflow that the documentation gives."""
    command = [str(PROGRAMS / linter[0]), *linter[1:], str(workflow)]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
