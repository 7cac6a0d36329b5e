"""Measuring and judging apart: both jobs of a workflow, or a fork's run and the trusted one."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

from tests.action import payloads
from tests.action.templates import read_templates

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.action.acting import Run, World

TEMPLATES = read_templates()
TWO_JOBS = TEMPLATES["two-jobs"]
MEASURED = 900
"""Id of the fork's run."""

Files = dict[str, bytes]


def measure_fork(world: World, head: str) -> str:
    """Run a fork's pull request, whose token can only read; gives the merge commit."""
    merge = world.open_pull(head, fork_id=payloads.FORK["id"])
    world.state.read_only, world.run_id = True, MEASURED
    payload = payloads.pull_request(head=head, base=world.base, fork=True)
    run = world.act("pull_request", payload, merge, workflow=TWO_JOBS)
    assert world.state.comments == world.state.statuses == [], run.log
    world.state.read_only, world.run_id = False, 4711
    return merge


def judge_fork(world: World, head: str) -> Run:
    """Run the trusted workflow after it, at the default branch."""
    payload = payloads.workflow_run(head=head, run_id=MEASURED)
    return world.act("workflow_run", payload, world.base, workflow=TEMPLATES["comment"])


def read_artifact(world: World) -> Files:
    """The files of the newest artifact."""
    with zipfile.ZipFile(io.BytesIO(world.state.zips[world.state.artifacts[-1]["id"]])) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write_artifact(world: World, files: Files) -> None:
    """Put other files in their place."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    world.state.zips[world.state.artifacts[-1]["id"]] = data.getvalue()


def edit_result(files: Files, edit: Callable[[dict[str, Any]], None]) -> Files:
    """Change the result document."""
    document = json.loads(files["result.json"])
    edit(document)
    return {**files, "result.json": json.dumps(document).encode()}
