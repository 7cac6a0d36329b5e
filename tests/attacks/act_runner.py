"""Attacks on the runner by a memory under test, on the real action."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.action.acting import ONE_STEP, with_step
from tests.action.consumer import FORGETFUL, MEMORY
from tests.action.two_jobs import TWO_JOBS
from tests.attacks.rows import row

if TYPE_CHECKING:
    from tests.action.acting import Run, World

WRITER = (Path(__file__).parent / "programs" / "writer.py").read_text("utf-8")
TAKEN = re.compile(r"^\[[^]]*\]\s+[❗⚙🚧💬]\S*\s+(.*owned.*)$", re.MULTILINE)
"""A line of the log that the runner took as a command: `|` stands before mere text."""

COMMANDS = (
    "::error::owned",
    "::set-output name=verdict::owned",
    "::warning::owned",
    "::add-mask::OWNED",
    "::stop-commands::owned",
    "  ::debug::owned",
    "\r::notice::owned",
    "##[error]owned",
)


def list_taken(run: Run) -> list[str]:
    """What the runner took as a command, beside the gate's own."""
    return TAKEN.findall(run.log)


@row(22)
def test_the_runner_takes_commands_that_are_printed(world: World) -> None:
    """Without this the scenarios after it would show nothing."""
    step = "\n".join(f"echo '{command}'" for command in COMMANDS[:3])
    run = world.judge(world.change({"README.md": "hello\n"}), workflow=with_step(ONE_STEP, step))
    assert 3 == len(list_taken(run)), run.log


@row(22)
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_memory_that_prints_commands_is_not_heard(world: World, stream: str) -> None:
    """What it says is quoted, and outputs are the gate's own."""
    shout = (
        f"import sys\nfor line in {COMMANDS!r}:\n    print(line, file=sys.{stream}, flush=True)\n"
    )
    run = world.judge(world.change({"memory.py": shout + FORGETFUL}))
    assert ("regression", "regression") == run.verdict(), run.log
    assert "::error::owned" in run.log
    assert [] == list_taken(run)


@row(22)
def test_a_command_in_an_error_is_not_heard(world: World) -> None:
    """Why there is no verdict is told in the memory's words, quoted."""
    raised = "raise ValueError('\\n'.join(('', *COMMANDS)))"
    seed = "def seed(params):\n"
    text = MEMORY.replace(seed, f"COMMANDS = {COMMANDS!r}\n\n\n{seed}    {raised}\n")
    run = world.judge(world.change({"memory.py": text}))
    assert ("inconclusive", "system") == run.verdict(), run.log
    assert "::error::owned" in run.log
    assert [] == list_taken(run)


def change_writer(world: World, how: str) -> str:
    """Propose a memory that writes to the runner's command files."""
    program = WRITER.replace('HOW = ""', f"HOW = {how!r}")
    return world.change({"memory.py": f"{program}\n{FORGETFUL}"})


@row(22)
@row(43)
@pytest.mark.parametrize("how", ["append", "replace", "remove", "folder", "link"])
def test_a_memory_that_finds_the_runners_files_gives_no_verdict(world: World, how: str) -> None:
    """They are put back as they were, whatever stands in their place, and it is said."""
    run = world.judge(change_writer(world, how))
    assert ("inconclusive", "runner-files") == run.verdict(), run.log
    assert not run.ok
    assert "owned" not in str(run.outputs)
    assert [] == list_taken(run)
    assert "command files were changed" in world.state.comments[0]["body"]


@row(22)
@row(43)
def test_a_process_that_outlives_the_memory_writes_nothing(world: World) -> None:
    """It waits for the memory's end, in a session of its own; it is ended before."""
    run = world.judge(change_writer(world, "later"))
    assert run.verdict()[0] in ("regression", "inconclusive"), run.log
    assert "owned" not in str(run.outputs)
    assert [] == list_taken(run)


@row(22)
@row(43)
def test_two_jobs_hear_nothing_of_it_either(world: World) -> None:
    """The job that measures ends without a result, and the one that judges says so."""
    run = world.judge(change_writer(world, "append"), workflow=TWO_JOBS)
    assert {"measure", "judge"} == run.jobs
    assert "inconclusive" == run.verdict()[0], run.log
    assert "owned" not in str(run.outputs)
    assert "error" == world.state.statuses[-1]["state"]
