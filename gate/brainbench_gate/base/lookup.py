"""Looks up what the rule of an event asks for, then has the rule applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.base.choice import (
    BaseChoice,
    Descent,
    Facts,
    Found,
    choose_base,
    default_remote,
    merge_parent,
    needs_merge_base,
)
from brainbench_gate.base.errors import FetchError, MissingObjectError, MissingRefError
from brainbench_gate.base.events import LOCAL, Event, EventName
from brainbench_gate.base.history import is_ancestor, merge_base
from brainbench_gate.base.remote import Remote
from brainbench_schema.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from brainbench_gate.base.repository import Repository

    Compare = Callable[[str, str], str | None]

FOLLOWS = {"ahead", "identical"}
"""Answers of GitHub's compare API for a head that holds its base:
https://docs.github.com/rest/commits/commits#compare-two-commits"""


def find_base(
    repository: Repository,
    event: Event = LOCAL,
    *,
    name: str | None = None,
    token: str = "",
    compare: Compare | None = None,
) -> BaseChoice:
    """Find the commit to compare with and make sure that it can be read.

    From here on the repository fetches what it lacks from the event's repository, in a local
    run from the remote whose default branch it is compared with.

    Args:
        repository: The checkout.
        event: What started the run.
        name: A local run's --base.
        token: For fetching from the event's server.
        compare: Asks the API how a head (second) stands to a base (first): `ahead`,
            `identical`, `behind`, `diverged`, or None where it can't tell.

    Raises:
        UsageError: A name was given in a run whose event decides.
        GitError: The commit can't be named, found, fetched or shown to be the right one.
    """
    if event.name is EventName.LOCAL:
        choice = choose_base(event, _local_facts(repository, name))
    elif name:
        raise UsageError(
            f"the {event.name} event decides the base",
            where=f"base {name}",
            advice="leave the base out in CI",
        )
    else:
        repository.remote = Remote(url=event.url, token=token)
        choice = choose_base(event, _event_facts(repository, event, compare))
    if choice.commit:
        repository.need(choice.commit)
    return choice


def _event_facts(repository: Repository, event: Event, compare: Compare | None) -> Facts:
    head = repository.head() or event.head_sha
    parents = repository.commit(head).parents if head else ()
    if event.base_ref and (parent := merge_parent(event, parents)):
        descent, doubt = _descent(repository, event, parent, compare)
        return Facts(head=head, head_parents=parents, descent=descent, doubt=doubt)
    if head and needs_merge_base(event):
        return Facts(head=head, merge_base=_merge_base(repository, event, head) or "")
    return Facts(head=head, head_parents=parents)


def _descent(
    repository: Repository, event: Event, parent: str, compare: Compare | None
) -> tuple[Descent, str]:
    """Whether a commit is or follows the base commit on the base branch, and any doubt about it.

    The clone's own refs have no say: where its base branch stands is asked of the server.
    """
    if parent == event.base_sha:
        return Descent.SHOWN, ""
    try:
        tip = repository.ask(event.base_ref)
        shown = repository.walk(
            lambda read: (
                is_ancestor(read, parent, tip) and is_ancestor(read, event.base_sha, parent)
            ),
            [event.base_ref],
        )
    except (FetchError, MissingRefError, MissingObjectError) as error:
        return _compared(event, parent, compare), error.what
    return (Descent.SHOWN if shown else Descent.DISPROVED), ""


def _compared(event: Event, parent: str, compare: Compare | None) -> Descent:
    if compare is None:
        return Descent.UNKNOWN
    branch = event.base_ref.removeprefix("refs/heads/")
    answers = {compare(event.base_sha, parent), compare(parent, branch)}
    if answers <= FOLLOWS:
        return Descent.SHOWN
    return Descent.UNKNOWN if None in answers else Descent.DISPROVED


def _merge_base(repository: Repository, event: Event, head: str) -> str | None:
    tip = repository.ask(event.default_ref)
    return repository.walk(
        lambda read: merge_base(read, head, tip),
        [event.default_ref, head],
    )


def _local_facts(repository: Repository, name: str | None) -> Facts:
    head = repository.head() or ""
    remotes = repository.remotes()
    if name is not None:
        nearest = (name.partition("/")[0], "upstream", "origin")
        repository.remote = next((remotes[n] for n in nearest if n in remotes), None)
        return Facts(head=head, named=repository.resolve(name))
    remote = default_remote(remotes)
    if remote is None:
        return Facts(head=head)
    repository.remote = remotes[remote]
    return Facts(head=head, named=_default_branch(repository, remote))


def find_default_branch(repository: Repository) -> str:
    """Name the branch that a local run compares with: the default of `upstream`, else `origin`.

    Returns:
        The branch's name on the remote; empty where there is no such remote or it has no commits.

    Raises:
        MissingRefError: There are only remotes of other names, or one without a default branch.
        FetchError: Where it stands is not known here, and the remote did not answer.
    """
    remotes = repository.remotes()
    remote = default_remote(remotes)
    if remote is None:
        return ""
    repository.remote = remotes[remote]
    found = _default_branch(repository, remote)
    return found.ref.removeprefix(f"refs/remotes/{remote}/") if found.commit else ""


def _default_branch(repository: Repository, remote: str) -> Found:
    """The remote's default branch as last fetched, else as the remote itself names it."""
    why = f"it is the default branch of the remote {remote}"
    folder = f"refs/remotes/{remote}/"
    stored = repository.symbolic_ref(f"{folder}HEAD") or ""
    if stored.startswith(folder) and (commit := repository.ref(stored)):
        return Found(ref=stored, commit=commit, why=why)
    listed = repository.list_remote("HEAD")
    if listed is None:
        return Found(ref=f"{folder}HEAD", commit=_require_empty(repository, remote), why=why)
    branch, commit = listed
    tracking = folder + branch.removeprefix("refs/heads/")
    return Found(ref=tracking, commit=repository.ref(tracking) or commit, why=why)


def _require_empty(repository: Repository, remote: str) -> str:
    """No commit, of a remote that has none; one with branches but no default is refused."""
    if repository.list_remote("refs/heads/*"):
        raise MissingRefError(
            "the remote has branches, but no default branch",
            where=remote,
            advice=f"name the base: --base {remote}/BRANCH",
        )
    return ""
