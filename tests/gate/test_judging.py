"""A folder is judged as it stands, and an error is told as a verdict would be."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.gate.memories import DescribedBench
from tests.gate.worlds import LOCAL, World

from brainbench_gate.judging import describe_error, judge_folder, refuse_allowance
from brainbench_schema.errors import GitError, UsageError

if TYPE_CHECKING:
    from pathlib import Path


def test_a_local_run_reads_the_work_tree(tmp_path: Path) -> None:
    """Uncommitted changes count, and an allowance is for here."""
    world = World(tmp_path)
    clone = world.origin.clone(tmp_path / "clone").path
    (clone / "memory.json").write_text(json.dumps({"deaf": ["Bob Ray"]}), encoding="utf-8")

    def judge(allowance: str | None) -> int:
        found = judge_folder(
            clone,
            lambda sides: DescribedBench(folder=sides.folder),
            environ=LOCAL,
            allowance=allowance,
        )
        return found.document.exit_code

    assert (1, 0) == (judge(None), judge("a trial"))
    with pytest.raises(UsageError, match="empty"):
        judge(" ")
    refuse_allowance("a trial", {"CI": "false"})


def test_an_error_is_told_to_machines() -> None:
    """Inconclusive, with its code and its first line."""
    told = describe_error(GitError("no base", where="origin", advice="fetch it"))
    assert ("inconclusive", "git", "Could not judge: origin: no base", []) == (
        told["verdict"],
        told["reason"],
        told["headline"],
        told["benchmarks"],
    )
