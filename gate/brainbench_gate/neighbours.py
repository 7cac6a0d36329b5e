"""Other policies of the base commit: none may be stepped round, a second gate leaves them alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.policy import MAX_BYTES, parse_policy
from brainbench_schema.errors import BrainbenchError, InvalidInputError
from brainbench_schema.policy import POLICY_FILE, Policy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from brainbench_gate.base import Repository

SUFFIXES = (".yml", ".yaml")
MARKS = (b"schema_version", b"system")


class SidestepError(BrainbenchError):
    """A policy of another place would take over, or change, what base's own policy gates."""

    reason = "policy-sidestepped"


def refuse_sidestep(
    repository: Repository,
    commit: str,
    policy: Policy,
    policy_file: str,
    read_head: Callable[[str], bytes | None],
) -> None:
    """Stop where base has policies elsewhere that this one would replace or that change along.

    Args:
        commit: The base commit, which has nothing at the policy's place.
        policy: The tree's policy.
        policy_file: Its path in the folder that was opened.
        read_head: Gives a file of the head by its path from the top; None where there is none.

    Raises:
        SidestepError: Naming the policy of base.
    """
    for path, other in find_policies(repository, commit):
        if other.name == policy.name:
            raise SidestepError(
                f"base has nothing here, but the gate {policy.name!r} in {path}",
                where=repository.tree_path(policy_file),
                advice="a second gate needs a `name` of its own; leave the other one where it is",
            )
        changed = _find_changed(repository, commit, path, other, read_head)
        if changed:
            raise SidestepError(
                f"the gate {other.name!r} changes along: {changed}",
                where=path,
                advice="add a gate in a pull request of its own that leaves the others unchanged",
            )


def refuse_taken_name(
    repository: Repository, commit: str, policy: Policy, policy_file: str
) -> None:
    """Stop where a gate takes the name of another one, whose comment and status it would set.

    Args:
        commit: The base commit.
        policy: The tree's policy.
        policy_file: Its path in the folder that was opened.

    Raises:
        SidestepError: Naming the policy of base that has the name.
    """
    own = repository.tree_path(policy_file)
    for path, other in find_policies(repository, commit):
        if path != own and other.name == policy.name:
            raise SidestepError(
                f"the name {policy.name!r} is that of the gate in {path}",
                where=own,
                advice="comment and status go by the name: choose one that no other gate has",
            )


def find_policies(repository: Repository, commit: str) -> Iterator[tuple[str, Policy]]:
    """Find every policy of a commit, wherever it stands and whatever its file is called."""
    for path in repository.find_files(commit, SUFFIXES):
        blob = repository.read_file(commit, path)
        if blob is None or len(blob.data) > MAX_BYTES:
            continue
        if not path.endswith(POLICY_FILE) and not all(mark in blob.data for mark in MARKS):
            continue
        try:
            yield path, parse_policy(blob.data, path)
        except InvalidInputError:
            continue


def _find_changed(
    repository: Repository,
    commit: str,
    path: str,
    policy: Policy,
    read_head: Callable[[str], bytes | None],
) -> str:
    """Name a file of a neighbouring gate that the head lacks or has otherwise."""
    folder = path.rpartition("/")[0]
    for name in (path, *(_join(folder, one) for one in (policy.baseline, policy.items))):
        blob = repository.read_file(commit, name)
        if blob is not None and _with_lf(read_head(name) or b"") != _with_lf(blob.data):
            return name
    return ""


def _with_lf(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
