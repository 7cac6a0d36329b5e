"""What is refused before anything is measured or compared: faults of the tree itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.checks import floors
from brainbench_gate.recall_view import is_recall
from brainbench_schema.errors import BrainbenchError, Fault, InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_gate.ground import Ground
    from brainbench_gate.measured import CorpusFiles
    from brainbench_schema.baseline import Baseline
    from brainbench_schema.policy import Policy


def refuse_broken(tree: Ground) -> None:
    """Stop where the tree's own files can't be read, so that main can't get there.

    Raises:
        BrainbenchError: With every fault of every file.
    """
    faults = [
        fault
        for error in tree.broken.values()
        if isinstance(error, InvalidInputError)
        for fault in error.faults
    ]
    if faults:
        raise InvalidInputError(faults)
    for error in tree.broken.values():
        raise error


def refuse_deleted(tree: Ground, base: Ground, policy_file: str) -> None:
    """Stop where base has a policy, baseline or items file and the tree lacks it.

    Raises:
        InvalidInputError: Naming each missing file.
    """
    gone = list(_find_deleted(tree, base, policy_file))
    if gone:
        raise InvalidInputError(
            Fault(
                file=path,
                pointer="",
                message=f"{what} stands on the base branch and is missing here",
                advice="restore it from the base branch, or name its new place in the policy",
            )
            for path, what in gone
        )


def _find_deleted(tree: Ground, base: Ground, policy_file: str) -> Iterator[tuple[str, str]]:
    if tree.policy is None:
        if base.policy or policy_file in base.broken:
            yield policy_file, "the policy"
        return
    base_policy = base.policy or tree.policy
    if tree.baseline is None and (base.baseline or base_policy.baseline in base.broken):
        yield tree.policy.baseline, "the baseline"
    if tree.items is None and (base.items or base_policy.items in base.broken):
        yield tree.policy.items, "the items file"


def require_ground(tree: Ground, policy_file: str) -> tuple[Policy, CorpusFiles]:
    """Give the tree's policy and corpus.

    Raises:
        BrainbenchError: One of them is missing.
    """
    if tree.policy is None:
        raise BrainbenchError(
            "there is no policy",
            where=policy_file,
            advice="write one (two lines: schema_version: 1, system: reflex), or give --repo DIR",
        )
    if tree.corpus is None:
        raise _no_corpus(tree.policy)
    return tree.policy, tree.corpus


def _no_corpus(policy: Policy) -> BrainbenchError:
    if is_recall(policy):
        return BrainbenchError(
            "there is no dataset where the policy says",
            where=policy.fixtures,
            advice="check `recall.dataset` in the policy",
        )
    return BrainbenchError(
        "there is no corpus where the policy says",
        where=f"{policy.fixtures}, {policy.gold}",
        advice="check `fixtures` and `gold` in the policy",
    )


def refuse_own_floors(
    tree: Ground, base: Ground, policy: Policy, current: Baseline, policy_file: str
) -> None:
    """Stop where the tree's policy sets a floor that its own committed baseline breaks.

    What base breaks already, and the tree does not break further, may stand.

    Raises:
        InvalidInputError: Naming each broken floor, or one that nothing carries.
    """
    floors.require_carried(policy, current, policy_file)
    if tree.baseline is None:
        return
    known = list(_broken_on_base(base))
    crossed = [
        crossing
        for crossing in floors.find_crossed(policy, tree.baseline)
        if not any(crossing.is_no_worse(one) for one in known)
    ]
    if crossed:
        raise InvalidInputError(
            Fault(
                file=policy.baseline,
                pointer=f"/cells/{one.cell.replace('/', '~1')}/{one.metric}",
                message=f"{one.value} is beyond the floor {one.bound} of the policy beside it",
                advice="lower the floor, or bless a run that keeps it",
            )
            for one in crossed
        )


def _broken_on_base(base: Ground) -> Iterator[floors.Crossing]:
    if base.policy is not None and base.baseline is not None:
        yield from floors.find_crossed(base.policy, base.baseline)
