"""What doctor says of a policy's second benchmark and of files that can't be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.commands.project import POLICY, make_project

from brainbench_gate.doctor import Level, Setting
from brainbench_gate.doctor.ground import check_policy
from brainbench_gate.doctor.workflows import read_workflow

if TYPE_CHECKING:
    from pathlib import Path

RECALL = f"{POLICY}recall: {{dataset: set.jsonl, adapter: keyword, baseline: b.json}}\n"


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({}, ("corpus", "nothing stands at set.jsonl", "check `recall.dataset`")),
        (
            {"b.json": "<<<<<<< ours\n"},
            (
                "policy",
                "b.json: not JSON: Expecting value at line 1, column 1",
                "the file holds merge conflict markers: resolve them, then write the file again",
            ),
        ),
    ],
)
def test_what_the_policy_names_is_looked_at(
    tmp_path: Path, files: dict[str, str | bytes | None], told: tuple[str, str, str]
) -> None:
    """The dataset, and files with their first fault and what to do about it."""
    repo = make_project(tmp_path, policy=RECALL)
    repo.write(files)
    setting = Setting(folder=repo.path, policy_file="brainbench.yml", environ={})
    stops = [one for one in check_policy(setting) if one.level is Level.STOPS]
    assert told in [(one.name, one.text, one.advice) for one in stops]


def test_a_workflow_without_end_is_not_read_to_the_end(tmp_path: Path) -> None:
    """A link to a device is a workflow that can't be read."""
    place = tmp_path / ".github" / "workflows" / "a.yml"
    place.parent.mkdir(parents=True)
    place.symlink_to("/dev/zero")
    assert read_workflow(place) is None
