"""What the base branch's history tells: which change left it apart, which baselines it had."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from brainbench_gate.base.errors import FetchError, MissingObjectError
from brainbench_schema.baseline import parse_baseline
from brainbench_schema.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_gate.base import Repository
    from brainbench_gate.ground import Ground
    from brainbench_schema.baseline import Baseline

UNKNOWN = "the merge that did it is not in the history at hand: fetch-depth: 0 would bring it"

LOOKED_BACK = 500
"""Commits of the base branch, newest first, among which an old reason is looked for."""


def find_cause(
    repository: Repository, commit: str | None, base: Ground, tree: Ground, policy_file: str
) -> str:
    """Name the last change, along first parents, of what has to hold together.

    Args:
        commit: The base commit.
        base: Its ground.
        tree: The tree's ground, whose policy stands in where base has none.
        policy_file: The policy's path.
    """
    policy = base.policy or tree.policy
    if commit is None or policy is None:
        return UNKNOWN
    with suppress(FetchError):  # then the clone's own history has to do: it only words a line
        repository.reach_back(commit, LOOKED_BACK)
    paths = (policy_file, policy.fixtures, policy.gold, policy.baseline, policy.items)
    changes = [repository.last_change(commit, repository.tree_path(path)) for path in paths]
    known = [change for change in changes if change is not None]
    if not known:
        return UNKNOWN
    last = min(known, key=lambda change: change.age_commits)
    kind = "merge" if len(repository.commit(last.commit).parents) > 1 else "commit"
    return f"since the {kind} {last.commit[:12]}"


def has_stood(
    repository: Repository, commit: str | None, path: str, base: Ground, baseline: Baseline
) -> bool:
    """Tell whether a baseline, its reason included, was the base branch's before.

    The present one is base's own; base's items file names the one before it; those before that
    are looked up along first parents, at whatever path they stood, in a history that is fetched
    where the clone is shallow.

    Args:
        commit: The base commit, from which is looked back.
        path: The baseline file, from the folder that was opened.
        base: The base commit's ground.

    Raises:
        FetchError: The history can't be had.
    """
    if baseline == base.baseline:
        return True
    own = repository.blob_id(baseline.serialize())
    if base.items is not None and base.items.against == own:
        return True
    if commit is None:
        return False
    repository.reach_back(commit, LOOKED_BACK)
    if repository.has_held(commit, own, LOOKED_BACK):
        return True
    place = repository.tree_path(path)
    with _without_fetching(repository):
        changes = _walk_back(repository, commit, place)
        return any(_is(baseline, repository, change, place) for change in changes)


def _walk_back(repository: Repository, commit: str | None, place: str) -> Iterator[str]:
    """Give each commit that changed a file, newest first."""
    for _ in range(LOOKED_BACK):
        change = repository.last_change(commit, place) if commit is not None else None
        if change is None:
            return
        yield change.commit
        commit = next(iter(repository.commit(change.commit).parents), None)


def _is(baseline: Baseline, repository: Repository, commit: str, place: str) -> bool:
    """Tell the same baseline in other white space, where its content is at hand."""
    try:
        blob = repository.read_file(commit, place)
        return blob is not None and parse_baseline(blob.data, place) == baseline
    except (InvalidInputError, MissingObjectError):
        return False


@contextmanager
def _without_fetching(repository: Repository) -> Iterator[None]:
    """What is missing ends the search; it is not fetched commit by commit."""
    remote, repository.remote = repository.remote, None
    try:
        yield
    finally:
        repository.remote = remote
