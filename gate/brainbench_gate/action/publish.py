"""What a verdict comes to on GitHub: status and sticky comment. Never changes the verdict."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from brainbench_gate.action.comment import find_own, is_wanted, plan_comment
from brainbench_gate.action.github import ApiError
from brainbench_gate.report.sections import marker
from brainbench_gate.rules import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from brainbench_gate.action.github import GitHub
    from brainbench_gate.verdict import VerdictDocument

STATES = {
    Verdict.PASS: "success",
    Verdict.REGRESSION: "failure",
    Verdict.INCONCLUSIVE: "error",
}
DESCRIPTION_LIMIT = 140
"""Characters that GitHub takes as a status's description."""

NEEDS = {"comment": "pull-requests: write", "status": "statuses: write"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a verdict is published.

    Attributes:
        head_sha: The verified commit that the status is set on.
        base_branch: Short name of the branch it would go into.
        number: The pull request's; None where there is none.
        run_url: Where the status links to.
    """

    head_sha: str
    base_branch: str
    number: int | None = None
    run_url: str = ""


@dataclass(slots=True, kw_only=True)
class Published:
    """What came of it; `remarks` are lines about what could not be done."""

    comment_url: str = ""
    remarks: list[str] = field(default_factory=list)


def publish(
    document: VerdictDocument, comment: str, target: Target, github: GitHub, *, mode: str
) -> Published:
    """Set the status and bring the comment up to date.

    Args:
        comment: The rendered comment.
        mode: One of `comment.MODES`.
    """
    done = Published()
    _attempt(done, "status", lambda: set_status(document, target, github))
    if target.number is not None:
        number = target.number
        _attempt(
            done,
            "comment",
            lambda: put_comment(document, comment, number, target, github, mode, done),
        )
    return done


def set_status(document: VerdictDocument, target: Target, github: GitHub) -> None:
    """Set the status that a ruleset can require."""
    text = document.headline
    short = text if len(text) <= DESCRIPTION_LIMIT else f"{text[: DESCRIPTION_LIMIT - 1]}…"
    status = {
        "state": STATES[document.verdict],
        "context": f"brainbench/{document.gate}/{target.base_branch}",
        "description": short,
    }
    if target.run_url:
        status["target_url"] = target.run_url
    github.set_status(target.head_sha, status)


def put_comment(
    document: VerdictDocument,
    body: str,
    number: int,
    target: Target,
    github: GitHub,
    mode: str,
    done: Published,
) -> None:
    """Update the gate's comment, or post it where one is wanted; remove later duplicates."""
    pull = github.get_pull(number)
    if pull["head"]["sha"] != target.head_sha:
        done.remarks.append("comment: left alone, the pull request has a newer head by now")
        return
    viewer = github.find_viewer()

    def list_own() -> list[dict[str, Any]]:
        return find_own(github.list_comments(number), viewer, marker(document.gate))

    plan = plan_comment(list_own(), wanted=is_wanted(mode, document))
    if plan.update is not None:
        done.comment_url = github.update_comment(plan.update, body)["html_url"]
    elif plan.create:
        posted = github.create_comment(number, body, lambda: next(iter(list_own()), None))
        done.comment_url = posted["html_url"]
    for duplicate in plan.delete:
        github.delete_comment(duplicate)


def _attempt(done: Published, what: str, act: Callable[[], None]) -> None:
    """Do one thing; what stands in the way becomes one line."""
    try:
        act()
    except ApiError as error:
        done.remarks.append(f"{what}: {error.what} ({error.where}); {_way_out(what, error)}")
    except (KeyError, TypeError, ValueError) as error:
        done.remarks.append(f"{what}: GitHub's answer lacks {error}")


def _way_out(what: str, error: ApiError) -> str:
    if error.status == 401:
        return "the token is not valid there: pass the job's own, `github.token`"
    if error.status in (403, 404):
        return (
            f"grant the job `{NEEDS[what]}`; where the token is read-only (a fork's or "
            "dependabot's run), publish from a workflow_run job"
        )
    return error.advice or "the verdict stands all the same"
