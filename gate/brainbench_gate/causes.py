"""What the base branch's history tells: which change left it apart, which baselines it had."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from brainbench_schema.baseline import parse_baseline
from brainbench_schema.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_gate.base import Blob, Repository
    from brainbench_gate.ground import Ground
    from brainbench_schema.baseline import Baseline

UNKNOWN = "this clone is too shallow to name the merge that did it: fetch-depth: 0 would"

LOOKED_BACK = 200
"""Changes of a baseline that are looked at, newest first."""


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
    are looked up as far as the clone's history goes.

    Args:
        commit: The base commit, along whose first parents is looked.
        path: The baseline file, from the folder that was opened.
        base: The base commit's ground.
    """
    if baseline == base.baseline:
        return True
    if base.items is not None and base.items.against == repository.blob_id(baseline.serialize()):
        return True
    place = repository.tree_path(path)
    with _without_fetching(repository):
        return any(_is(baseline, blob) for blob in _walk_back(repository, commit, place))


def _walk_back(repository: Repository, commit: str | None, place: str) -> Iterator[Blob]:
    for _ in range(LOOKED_BACK):
        change = repository.last_change(commit, place) if commit is not None else None
        if change is None:
            return
        blob = repository.read_file(change.commit, place)
        if blob is not None:
            yield blob
        commit = next(iter(repository.commit(change.commit).parents), None)


def _is(baseline: Baseline, blob: Blob) -> bool:
    try:
        return parse_baseline(blob.data, blob.path) == baseline
    except InvalidInputError:
        return False


@contextmanager
def _without_fetching(repository: Repository) -> Iterator[None]:
    """What is missing ends the search; it is not fetched commit by commit."""
    remote, repository.remote = repository.remote, None
    try:
        yield
    finally:
        repository.remote = remote
