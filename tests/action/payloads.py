"""Events as GitHub sends them, cut down to what anybody reads of them."""

from __future__ import annotations

from typing import Any

REPOSITORY = {
    "id": 1001,
    "name": "consumer",
    "full_name": "owner/consumer",
    "private": True,
    "default_branch": "main",
    "owner": {"login": "owner", "type": "Organization"},
}
FORK = {
    "id": 2002,
    "name": "consumer",
    "full_name": "forker/consumer",
    "fork": True,
    "owner": {"login": "forker", "type": "User"},
}


def pull_request(
    *, head: str, base: str, action: str = "synchronize", fork: bool = False, **more: Any
) -> dict[str, Any]:
    """A pull request, number 7."""
    repository = FORK if fork else REPOSITORY
    return {
        "action": action,
        "number": 7,
        "pull_request": {
            "number": 7,
            "state": "open",
            "draft": False,
            "head": {"sha": head, "ref": "change", "repo": repository},
            "base": {"sha": base, "ref": "main", "repo": REPOSITORY},
            **more,
        },
        "repository": REPOSITORY,
        "sender": {"login": "ada", "type": "User"},
    }


def merge_group(*, head: str, base: str) -> dict[str, Any]:
    """A group of the merge queue."""
    return {
        "action": "checks_requested",
        "merge_group": {
            "head_sha": head,
            "head_ref": "refs/heads/gh-readonly-queue/main/pr-7-abc",
            "base_sha": base,
            "base_ref": "refs/heads/main",
        },
        "repository": REPOSITORY,
    }


def push(*, before: str, after: str, ref: str = "refs/heads/main") -> dict[str, Any]:
    """A push."""
    return {
        "ref": ref,
        "before": before,
        "after": after,
        "created": False,
        "deleted": False,
        "forced": False,
        "repository": REPOSITORY,
    }


def schedule() -> dict[str, Any]:
    """A timer."""
    return {"schedule": "17 4 * * 1", "repository": REPOSITORY}


def workflow_dispatch(**inputs: str) -> dict[str, Any]:
    """A button."""
    named = {name.replace("_", "-"): value for name, value in inputs.items()}
    return {"inputs": named, "ref": "refs/heads/main", "repository": REPOSITORY}


def workflow_run(*, head: str, run_id: int, fork: bool = True) -> dict[str, Any]:
    """The end of another workflow's run; GitHub lists no pull request of a fork here."""
    repository = FORK if fork else REPOSITORY
    return {
        "action": "completed",
        "workflow_run": {
            "id": run_id,
            "event": "pull_request",
            "status": "completed",
            "conclusion": "success",
            "head_sha": head,
            "head_branch": "change",
            "head_repository": repository,
            "pull_requests": [],
        },
        "repository": REPOSITORY,
    }
