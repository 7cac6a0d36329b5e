"""GitHub's events, reduced to what decides the base. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from brainbench_gate.base.errors import EventError
from brainbench_gate.base.refs import FULL_OBJECT_ID

Payload = Mapping[str, object]


class EventName(StrEnum):
    """What started the run."""

    PULL_REQUEST = "pull_request"
    PULL_REQUEST_TARGET = "pull_request_target"
    MERGE_GROUP = "merge_group"
    PUSH = "push"
    SCHEDULE = "schedule"
    WORKFLOW_DISPATCH = "workflow_dispatch"
    WORKFLOW_RUN = "workflow_run"
    LOCAL = "local"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event. Text that an event of this name doesn't carry is empty.

    Attributes:
        name: The kind of event.
        server_url: The server's address without a path; empty for a local run.
        repository: `owner/name` of the repository the event happened in.
        base_sha: Base commit as the event names it.
        base_ref: Base branch as a full ref.
        head_sha: Head commit as the event names it.
        ref: Full ref that was pushed.
        before: Where the pushed ref stood; all zeros for a new one.
        default_ref: The default branch as a full ref.
        number: The pull request's; None where there is none.
    """

    name: EventName
    server_url: str = ""
    repository: str = ""
    base_sha: str = ""
    base_ref: str = ""
    head_sha: str = ""
    ref: str = ""
    before: str = ""
    default_ref: str = ""
    number: int | None = None

    @property
    def url(self) -> str:
        """Where the event's repository can be fetched; empty for a local run."""
        return f"{self.server_url}/{self.repository}" if self.server_url else ""


LOCAL = Event(name=EventName.LOCAL)


def parse_event(name: str, payload: Payload, environ: Mapping[str, str]) -> Event:
    """Read an event from its name, its payload and the runner's environment.

    Args:
        name: GITHUB_EVENT_NAME, or `local`.
        payload: The document at GITHUB_EVENT_PATH.
        environ: GITHUB_SERVER_URL and GITHUB_REPOSITORY are read from it.

    Raises:
        EventError: The event is not known, a field is missing or not what it must be, or the
            event has no commit to judge.
    """
    if name == EventName.LOCAL:
        return LOCAL
    if name not in PARSERS:
        known = ", ".join(sorted(PARSERS))
        raise EventError(
            f"the event {name!r} has no base", where="GITHUB_EVENT_NAME", advice=f"use {known}"
        )
    event = Event(
        name=EventName(name),
        server_url=_environment(environ, "GITHUB_SERVER_URL", r"https?://[^/\s@]+"),
        repository=_environment(environ, "GITHUB_REPOSITORY", r"[\w.-]+/[\w.-]+"),
    )
    return PARSERS[event.name](Fields(payload), event)


class Fields:
    """Typed reading of a payload; each refusal names the place."""

    def __init__(self, payload: Payload) -> None:
        self._payload = payload

    def value(self, pointer: str) -> object:
        """Whatever stands at a slash-separated place.

        Raises:
            EventError: Nothing stands there.
        """
        found: object = self._payload
        for part in pointer.split("/"):
            if not isinstance(found, Mapping) or found.get(part) is None:
                raise _bad_field(pointer, "is missing")
            found = found[part]
        return found

    def text(self, pointer: str) -> str:
        """A text that is not empty.

        Raises:
            EventError: It is missing or something else.
        """
        value = self.value(pointer)
        if not isinstance(value, str) or not value:
            raise _bad_field(pointer, "is not a text")
        return value

    def commit(self, pointer: str) -> str:
        """A full object id.

        Raises:
            EventError: It is missing or something else.
        """
        value = self.text(pointer)
        if not FULL_OBJECT_ID.fullmatch(value):
            raise _bad_field(pointer, f"is not a commit id: {value!r}")
        return value

    def branch(self, pointer: str) -> str:
        """A branch, as a full ref whichever way the payload writes it.

        Raises:
            EventError: It is missing or something else.
        """
        return f"refs/heads/{self.text(pointer).removeprefix('refs/heads/')}"

    def number(self, pointer: str) -> int:
        """A positive integer.

        Raises:
            EventError: It is missing or something else.
        """
        value = self.value(pointer)
        if type(value) is not int or value < 1:
            raise _bad_field(pointer, "is not a number")
        return value


def _pull_request(fields: Fields, event: Event) -> Event:
    return replace(
        event,
        base_sha=fields.commit("pull_request/base/sha"),
        base_ref=fields.branch("pull_request/base/ref"),
        head_sha=fields.commit("pull_request/head/sha"),
        number=fields.number("pull_request/number"),
    )


def _merge_group(fields: Fields, event: Event) -> Event:
    return replace(
        event,
        base_sha=fields.commit("merge_group/base_sha"),
        base_ref=fields.branch("merge_group/base_ref"),
        head_sha=fields.commit("merge_group/head_sha"),
    )


def _push(fields: Fields, event: Event) -> Event:
    head_sha = fields.commit("after")
    if is_zero(head_sha):
        raise EventError(
            "the push deleted its ref: nothing to judge",
            where="GITHUB_EVENT_PATH#/after",
            advice="let the job start only if github.event.deleted is false",
        )
    return replace(
        event,
        ref=fields.text("ref"),
        before=fields.commit("before"),
        head_sha=head_sha,
        default_ref=fields.branch("repository/default_branch"),
    )


def _of_head(fields: Fields, event: Event) -> Event:  # noqa: ARG001
    return event


def _workflow_run(fields: Fields, event: Event) -> Event:
    """The payload lists no pull request for a fork's run: `of_pull_request` adds it then."""
    started_by = fields.text("workflow_run/event")
    if started_by != EventName.PULL_REQUEST:
        raise EventError(
            f"the run was started by {started_by!r}, not by a pull request",
            where="GITHUB_EVENT_PATH#/workflow_run/event",
            advice="let the job start only if github.event.workflow_run.event is pull_request",
        )
    return replace(event, head_sha=fields.commit("workflow_run/head_sha"))


def of_pull_request(event: Event, *, number: int, base_sha: str, base_ref: str) -> Event:
    """A workflow_run event, completed with the pull request that it was found to come from.

    Args:
        event: The event as parsed.
        number: The pull request's.
        base_sha: Its base commit, a full object id.
        base_ref: Its base branch, by its short name or as a full ref.
    """
    full = f"refs/heads/{base_ref.removeprefix('refs/heads/')}"
    return replace(event, number=number, base_sha=base_sha, base_ref=full)


PARSERS: dict[EventName, Callable[[Fields, Event], Event]] = {
    EventName.PULL_REQUEST: _pull_request,
    EventName.PULL_REQUEST_TARGET: _pull_request,
    EventName.MERGE_GROUP: _merge_group,
    EventName.PUSH: _push,
    EventName.SCHEDULE: _of_head,
    EventName.WORKFLOW_DISPATCH: _of_head,
    EventName.WORKFLOW_RUN: _workflow_run,
}


def is_zero(commit_id: str) -> bool:
    """Whether an id is the one GitHub writes where there is no commit."""
    return set(commit_id) == {"0"}


def _environment(environ: Mapping[str, str], name: str, pattern: str) -> str:
    value = environ.get(name, "")
    if not re.fullmatch(pattern, value):
        what = f"is not what it must be: {value!r}" if value else "is missing"
        raise EventError(what, where=name, advice="GitHub's runner sets it")
    return value


def _bad_field(pointer: str, what: str) -> EventError:
    return EventError(
        what,
        where=f"GITHUB_EVENT_PATH#/{pointer}",
        advice="pass the event's payload as GitHub wrote it",
    )
