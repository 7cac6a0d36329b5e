"""Which change on the base branch left its corpus and baseline apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brainbench_gate.base import Repository
    from brainbench_gate.ground import Ground

UNKNOWN = "this clone is too shallow to name the merge that did it: fetch-depth: 0 would"


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
