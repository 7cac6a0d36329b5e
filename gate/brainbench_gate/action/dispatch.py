"""A button with a pull request's number stands for that pull request's event."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brainbench_gate.base import EventName
from brainbench_schema.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from brainbench_gate.action.github import GitHub

INPUT = "pull-request"


def find_number(event_name: str, payload: Mapping[str, object]) -> int | None:
    """Give the pull request that a workflow_dispatch names; None where it names none.

    Raises:
        UsageError: It names something else.
    """
    inputs = payload.get("inputs")
    named = str((inputs.get(INPUT) if isinstance(inputs, dict) else None) or "").strip()
    if event_name != EventName.WORKFLOW_DISPATCH or not named:
        return None
    if not named.isdecimal() or not named.isascii():
        raise UsageError(
            f"is no number: {named!r}", where=f"input {INPUT}", advice="give one such as 42"
        )
    return int(named)


def stand_for(
    number: int, environ: Mapping[str, str], payload: Mapping[str, object], github: GitHub
) -> dict[str, str]:
    """Give the environment of the pull request's own event, written from what the API says.

    Raises:
        ApiError: The pull request can't be read.
    """
    pull = github.get_pull(number)
    event: dict[str, Any] = {
        "pull_request": {
            "number": pull["number"],
            "head": {"sha": pull["head"]["sha"]},
            "base": {"sha": pull["base"]["sha"], "ref": pull["base"]["ref"]},
        },
        "repository": payload.get("repository"),
    }
    folder = Path(tempfile.mkdtemp(prefix="brainbench-event-", dir=environ.get("RUNNER_TEMP")))
    path = folder / "event.json"
    path.write_text(json.dumps(event), encoding="utf-8")
    name = EventName.PULL_REQUEST.value
    return {
        **environ,
        "GITHUB_EVENT_NAME": name,
        "GITHUB_EVENT_PATH": str(path),
        "GITHUB_SHA": pull["merge_commit_sha"] or "",
    }
