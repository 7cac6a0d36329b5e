"""Which commit a run is compared with.

pull_request          the first parent of GitHub's merge commit, else the event's base commit
merge_group           the group's base commit
push                  on the default branch what it was before, else the merge base with it
schedule, dispatch    HEAD's own commit, so that drift of the environment shows
workflow_run          the base commit of the pull request it came from
local                 what was asked for, else the default branch of `upstream` or `origin`

Pure: everything that has to be looked up comes in as Facts.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from brainbench_gate.base.errors import (
    AncestryError,
    EventError,
    ForeignParentError,
    MissingRefError,
    NoMergeBaseError,
)
from brainbench_gate.base.events import Event, EventName, is_zero

if TYPE_CHECKING:
    from collections.abc import Callable, Collection


class Descent(Enum):
    """Whether a commit was shown to be the base commit or to follow it on the base branch."""

    SHOWN = "shown"
    DISPROVED = "disproved"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A commit that a name was found to stand for.

    Attributes:
        ref: The full ref or object id.
        commit: The commit's full object id; empty where a remote has no commits.
        why: Why this name was looked up.
    """

    ref: str
    commit: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What was looked up for an event.

    Attributes:
        head: The commit checked out; empty in a repository without commits.
        head_parents: Its parents as the raw commit names them.
        descent: Of the first parent, where the event's rule asks for it.
        doubt: What stood in the way of finding out; empty where nothing did.
        merge_base: Of head and the default branch, where the event's rule asks for it.
        named: A local run's base, from --base or a remote; None without any remote.
    """

    head: str = ""
    head_parents: tuple[str, ...] = ()
    descent: Descent = Descent.UNKNOWN
    doubt: str = ""
    merge_base: str = ""
    named: Found | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseChoice:
    """The commit to compare with.

    Attributes:
        ref: The name it goes by: a full ref, an object id, or a field of the event.
        commit: Full object id; None for a first landing.
        why: Why this one, in words that follow "because".
    """

    ref: str
    commit: str | None
    why: str


def choose_base(event: Event, facts: Facts) -> BaseChoice:
    """Apply the rule of the event.

    Raises:
        AncestryError: Nothing could show where the merge commit's first parent comes from.
        ForeignParentError: It is shown not to come from the base branch.
        NoMergeBaseError: The pushed branch shares no commit with the default branch.
        MissingRefError: There is no commit to judge.
        EventError: The workflow run's pull request is not known.
    """
    return RULES[event.name](event, facts)


def describe(choice: BaseChoice) -> dict[str, str]:
    """The choice as texts for a report's first line."""
    return {"ref": choice.ref, "commit": choice.commit or "", "why": choice.why}


def merge_parent(event: Event, parents: tuple[str, ...]) -> str | None:
    """The first parent of GitHub's merge commit; None where HEAD is another commit."""
    if len(parents) == 2 and parents[1] == event.head_sha:
        return parents[0]
    return None


def needs_merge_base(event: Event) -> bool:
    """Whether the event's rule compares with a merge base."""
    return event.name is EventName.PUSH and event.ref != event.default_ref


def default_remote(remotes: Collection[str]) -> str | None:
    """The remote whose default branch a local run compares with; None without remotes.

    Raises:
        MissingRefError: There are remotes, and none of the two names.
    """
    for name in ("upstream", "origin"):
        if name in remotes:
            return name
    if remotes:
        raise MissingRefError(
            f"no remote is named upstream or origin, only {', '.join(sorted(remotes))}",
            advice="name the base: --base REMOTE/BRANCH",
        )
    return None


def _pull_request(event: Event, facts: Facts) -> BaseChoice:
    parent = merge_parent(event, facts.head_parents)
    if parent is None:
        why = "HEAD is not the merge commit of the pull request, so its base commit applies"
        return BaseChoice(ref=event.base_ref, commit=event.base_sha, why=why)
    if facts.descent is Descent.UNKNOWN:
        raise AncestryError(
            f"nothing shows that the merge commit's first parent {parent} follows the pull "
            f"request's base commit {event.base_sha} on {event.base_ref} ({facts.doubt})",
            where=facts.head,
            advice="give the job a token that may read this repository, and run it again",
        )
    if facts.descent is Descent.DISPROVED:
        raise ForeignParentError(
            f"the merge commit's first parent {parent} does not follow the pull request's base "
            f"commit {event.base_sha} on {event.base_ref}",
            where=facts.head,
            advice="check out the event's own ref, and run the job of the newest event",
        )
    why = "it is the first parent of the pull request's merge commit"
    return BaseChoice(ref=event.base_ref, commit=parent, why=why)


def _merge_group(event: Event, _: Facts) -> BaseChoice:
    why = "it is the base commit of the merge group"
    return BaseChoice(ref=event.base_ref, commit=event.base_sha, why=why)


def _push(event: Event, facts: Facts) -> BaseChoice:
    if needs_merge_base(event):
        return _branch_push(event, facts)
    if is_zero(event.before):
        why = "the push created the default branch: nothing came before it"
        return BaseChoice(ref=event.ref, commit=None, why=why)
    why = "it is what the default branch was before the push"
    return BaseChoice(ref=event.ref, commit=event.before, why=why)


def _branch_push(event: Event, facts: Facts) -> BaseChoice:
    if not facts.merge_base:
        raise NoMergeBaseError(
            f"{event.ref} shares no commit with {event.default_ref}",
            where=facts.head,
            advice="start the branch from the default branch",
        )
    why = f"it is the merge base of {event.ref} and the default branch"
    return BaseChoice(ref=event.default_ref, commit=facts.merge_base, why=why)


def _own_head(event: Event, facts: Facts) -> BaseChoice:
    if not facts.head:
        raise MissingRefError(
            "there is no commit to judge", where="HEAD", advice="check the repository out first"
        )
    why = f"a {event.name} run compares HEAD with itself, so that drift of the environment shows"
    return BaseChoice(ref="HEAD", commit=facts.head, why=why)


def _workflow_run(event: Event, _: Facts) -> BaseChoice:
    if not event.base_sha:
        raise EventError(
            "the pull request this run came from is not known",
            where="GITHUB_EVENT_PATH#/workflow_run",
            advice="it may be closed or have a newer head: run the gate there again",
        )
    why = "it is the base commit of the pull request the run came from"
    return BaseChoice(ref=event.base_ref, commit=event.base_sha, why=why)


def _local(_: Event, facts: Facts) -> BaseChoice:
    named = facts.named
    if named is not None and named.commit:
        return BaseChoice(ref=named.ref, commit=named.commit, why=named.why)
    if named is not None:
        return BaseChoice(ref=named.ref, commit=None, why=f"{named.why}, which has no commits")
    if not facts.head:
        return BaseChoice(ref="HEAD", commit=None, why="the repository has no commits")
    why = "the repository has no remote whose default branch it could be compared with"
    return BaseChoice(ref="HEAD", commit=None, why=why)


RULES: dict[EventName, Callable[[Event, Facts], BaseChoice]] = {
    EventName.PULL_REQUEST: _pull_request,
    EventName.PULL_REQUEST_TARGET: _pull_request,
    EventName.MERGE_GROUP: _merge_group,
    EventName.PUSH: _push,
    EventName.SCHEDULE: _own_head,
    EventName.WORKFLOW_DISPATCH: _own_head,
    EventName.WORKFLOW_RUN: _workflow_run,
    EventName.LOCAL: _local,
}
