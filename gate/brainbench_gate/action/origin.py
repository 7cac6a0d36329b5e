"""Where a workflow_run comes from: the pull request and commits, found in trusted places only.

The run's own artifact says what it measured. It is believed only where the commit that it names
is the pull request's head, or GitHub's own merge of that head into its base branch. A commit with
the right two parents anybody can make: that it is GitHub's is asked of the server, where nobody
else can write the ref that holds it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from brainbench_gate.base import BaseChoice
from brainbench_gate.base.events import Fields
from brainbench_gate.base.lookup import FOLLOWS
from brainbench_schema.errors import BrainbenchError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from brainbench_gate.base import Repository

PULL_REQUEST = "pull_request"


class OriginError(BrainbenchError):
    """The pull request that a run came from can't be told; nothing is posted."""

    reason = "origin-unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The untrusted run, as the trusted event describes it."""

    run_id: int
    head_sha: str
    head_branch: str
    head_owner: str
    head_repository_id: int

    @classmethod
    def from_payload(cls, payload: Mapping[str, object]) -> Origin:
        """Read a workflow_run event.

        Raises:
            EventError: A field is missing or not what it must be.
            OriginError: The run was not started by a pull request.
        """
        fields = Fields(payload)
        started_by = fields.text("workflow_run/event")
        if started_by != PULL_REQUEST:
            raise OriginError(f"the run was started by {started_by!r}, not by a pull request")
        return cls(
            run_id=fields.number("workflow_run/id"),
            head_sha=fields.commit("workflow_run/head_sha"),
            head_branch=fields.text("workflow_run/head_branch"),
            head_owner=fields.text("workflow_run/head_repository/owner/login"),
            head_repository_id=fields.number("workflow_run/head_repository/id"),
        )

    @property
    def head(self) -> str:
        """The head as GitHub's list of pull requests is asked for it."""
        return f"{self.head_owner}:{self.head_branch}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pull:
    """An open pull request as the API gives it."""

    number: int
    head_sha: str
    base_sha: str
    base_branch: str


def match_pulls(listed: Iterable[Mapping[str, Any]], origin: Origin) -> list[Pull]:
    """Keep the pull requests whose head commit and head repository are the run's.

    Raises:
        OriginError: There is none.
    """
    found = [
        Pull(
            number=pull["number"],
            head_sha=pull["head"]["sha"],
            base_sha=pull["base"]["sha"],
            base_branch=pull["base"]["ref"],
        )
        for pull in listed
        if pull["head"]["sha"] == origin.head_sha
        and (pull["head"]["repo"] or {}).get("id") == origin.head_repository_id
    ]
    if not found:
        raise OriginError(
            f"no open pull request has {origin.head_sha[:12]} as its head",
            where=origin.head,
            advice="it may be closed or have a newer head: the newest run judges it",
        )
    return found


def choose_origin(
    pulls: Iterable[Pull],
    measured: str,
    repository: Repository,
    compare: Callable[[str, str], str | None],
) -> tuple[Pull, BaseChoice]:
    """Find the pull request that a measured commit belongs to, and its base commit.

    Args:
        measured: The commit that the result says was measured.
        compare: Asks the API how a head (second) stands to a base (first).

    Raises:
        OriginError: It belongs to none of them, or to several.
        GitError: The commit can't be had.
    """
    pulls = list(pulls)
    found = [
        (pull, choice)
        for pull in pulls
        if (choice := _find_choice(pull, measured, repository, compare))
    ]
    if len(found) != 1:
        raise OriginError(
            f"the measured commit {measured[:12]} is the head or GitHub's present merge of "
            f"{len(found)} of {len(pulls)} open pull requests with this head",
            advice="where the base branch has moved since, update the branch: that runs it again",
        )
    return found[0]


def _find_choice(
    pull: Pull,
    measured: str,
    repository: Repository,
    compare: Callable[[str, str], str | None],
) -> BaseChoice | None:
    if measured == pull.head_sha:
        return _choice(pull, pull.base_sha, HEAD)
    listed = repository.list_remote(f"refs/pull/{pull.number}/merge")
    if listed is None or measured != listed[1]:
        return None
    first, *others = repository.commit(measured).parents
    if others != [pull.head_sha] or not _follows(pull, first, compare):
        return None
    return _choice(pull, first, MERGE)


MERGE = "it is the first parent of the pull request's merge commit"
HEAD = "it is the base commit of the pull request the run came from"


def _follows(pull: Pull, parent: str, compare: Callable[[str, str], str | None]) -> bool:
    if parent == pull.base_sha:
        return True
    return {compare(pull.base_sha, parent), compare(parent, pull.base_branch)} <= FOLLOWS


def _choice(pull: Pull, commit: str, why: str) -> BaseChoice:
    return BaseChoice(ref=f"refs/heads/{pull.base_branch}", commit=commit, why=why)
