"""Asking a remote and fetching from it, without the user's settings."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from brainbench_gate.base.errors import FetchError, MissingRefError
from brainbench_gate.base.program import SETTINGS, settings_variables
from brainbench_gate.base.refs import FULL_OBJECT_ID

if TYPE_CHECKING:
    from pathlib import Path

    from git import Git
    from git.exc import GitCommandError

FETCH_SECONDS = 300
"""A fetch that takes longer is given up."""

NOT_THERE = ("couldn't find remote ref", "not our ref", "unadvertised object")
"""What git says, in English whatever the locale, when a server lacks a ref or a commit."""

QUIET = ("--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance")


@dataclass(frozen=True, slots=True, kw_only=True)
class Remote:
    """A repository elsewhere.

    Attributes:
        url: What git fetches from.
        token: Sent to the url's host alone; empty for none.
    """

    url: str
    token: str = field(default="", repr=False)

    def variables(self) -> dict[str, str]:
        """The environment in which git sends the token; never an argument, never a file."""
        if not self.token:
            return {}
        parts = urlsplit(self.url)
        basic = base64.b64encode(f"x-access-token:{self.token}".encode()).decode()
        key = f"http.{parts.scheme}://{parts.netloc}/.extraHeader"
        return settings_variables([*SETTINGS, (key, f"Authorization: Basic {basic}")])


def remote_url(url: str, top: Path) -> str:
    """A url as a clone's settings hold it, made independent of the current folder."""
    if re.match(r"[\w+.-]+://|[^/]+:", url):
        return url
    return str(top / url)


def public(text: str) -> str:
    """Text without the user names and passwords of its urls."""
    return re.sub(r"(?<=://)[^/@\s]+@", "", text)


def fetch(git: Git, remote: Remote, wanted: list[str], *options: str) -> None:
    """Bring refs or commits, each given in full, into the repository git stands in.

    Raises:
        MissingRefError: The remote answered, and has not got one of them.
        FetchError: The remote did not answer or refused.
    """
    from git.exc import GitCommandError

    try:
        git.fetch(
            *QUIET,
            *options,
            "--",
            remote.url,
            *wanted,
            env=remote.variables(),
            kill_after_timeout=FETCH_SECONDS,
        )
    except GitCommandError as error:
        raise _failure(error, remote, " ".join(wanted)) from None


def list_refs(git: Git, remote: Remote, ref: str) -> tuple[str, str] | None:
    """Ask a remote what one ref is.

    Args:
        git: A repository whose settings have no say in this.
        remote: The one to ask.
        ref: A full ref, HEAD, or `refs/heads/*` for any branch.

    Returns:
        The full ref (of HEAD: the branch it stands for) and its commit; None without it.

    Raises:
        FetchError: The remote did not answer or refused.
    """
    from git.exc import GitCommandError, UnsafeProtocolError

    try:
        answer = git.ls_remote(
            "--symref",
            "--",
            remote.url,
            ref,
            env=remote.variables(),
            kill_after_timeout=FETCH_SECONDS,
        )
    except UnsafeProtocolError as error:
        raise FetchError(str(error), where=remote.url, advice="use https, ssh or a path") from None
    except GitCommandError as error:
        raise _failure(error, remote, ref) from None
    return parse_listing(str(answer), ref)


def parse_listing(answer: str, ref: str) -> tuple[str, str] | None:
    """Read `git ls-remote --symref`, whose pattern also matches the ends of other refs."""
    name, commit_id = "", ""
    for value, _, listed in (line.partition("\t") for line in answer.splitlines()):
        if fnmatchcase(listed, ref) and value.startswith("ref: "):
            name = value.removeprefix("ref: ")
        elif fnmatchcase(listed, ref):
            commit_id = value
    return (name or ref, commit_id) if commit_id else None


def _failure(error: GitCommandError, remote: Remote, wanted: str) -> FetchError | MissingRefError:
    said = public(str(error.stderr)).strip().removeprefix("stderr: ").strip("'\n ")
    where = public(remote.url)
    if any(words in said for words in NOT_THERE):
        return MissingRefError(f"{wanted} is not there", where=where, advice=_advise(wanted))
    last = said.splitlines()[-1] if said else f"git ended with {error.status}"
    return FetchError(
        f"{wanted} could not be fetched: {last}",
        where=where,
        advice="check the network, and that the token may read the repository (contents: read)",
    )


def _advise(wanted: str) -> str:
    if all(FULL_OBJECT_ID.fullmatch(one) for one in wanted.split()):
        return "a force push may have removed it: update the branch, then run again"
    return "check the name"
