"""What is refused before anything is measured or compared, by name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.gate.documents import FILES, POLICY, baseline, ground_of, run_of

from brainbench_gate.ground import Ground
from brainbench_gate.recall_view import view_recall
from brainbench_gate.refusals import (
    refuse_broken,
    refuse_deleted,
    refuse_own_floors,
    require_ground,
)
from brainbench_schema.errors import BrainbenchError, Fault, GitError, InvalidInputError
from brainbench_schema.policy import POLICY_FILE, Recall


def test_a_ground_needs_policy_and_corpus() -> None:
    """Each is named where it is missing."""
    with pytest.raises(BrainbenchError, match="there is no policy"):
        require_ground(Ground(), POLICY_FILE)
    with pytest.raises(BrainbenchError, match="no corpus where the policy says"):
        require_ground(Ground(policy=POLICY), POLICY_FILE)
    recall = Recall(dataset="set.jsonl", adapter="keyword", baseline="b.json")
    second = view_recall(replace(POLICY, recall=recall))
    with pytest.raises(BrainbenchError, match="no dataset where the policy says") as caught:
        require_ground(Ground(policy=second), POLICY_FILE)
    assert (caught.value.where, caught.value.advice) == (
        "set.jsonl",
        "check `recall.dataset` in the policy",
    )
    assert (POLICY, FILES) == require_ground(Ground(policy=POLICY, corpus=FILES), POLICY_FILE)


def test_all_faults_are_told_before_other_refusals() -> None:
    """And those that are no faults one at a time."""
    fault = InvalidInputError([Fault(file="a", pointer="", message="odd")])
    refuse_broken(Ground())
    with pytest.raises(InvalidInputError, match="a: odd"):
        refuse_broken(Ground(broken={"b": GitError("x"), "a": fault}))
    with pytest.raises(GitError):
        refuse_broken(Ground(broken={"b": GitError("x")}))


def test_a_policy_that_was_never_there_is_not_deleted() -> None:
    """Nor is one that base can't read where the tree has it."""
    refuse_deleted(Ground(), Ground(), POLICY_FILE)
    refuse_deleted(Ground(policy=POLICY), Ground(), POLICY_FILE)
    broken: dict[str, BrainbenchError] = {
        POLICY_FILE: GitError("x"),
        POLICY.items: GitError("y"),
        POLICY.baseline: GitError("z"),
    }
    for tree, count in ((Ground(), 1), (Ground(policy=POLICY), 2)):
        with pytest.raises(InvalidInputError) as caught:
            refuse_deleted(tree, Ground(broken=broken), POLICY_FILE)
        assert count == len(caught.value.faults)


def test_own_floors_hold_for_what_is_committed() -> None:
    """What base breaks as far already may stand; without a baseline only the names count."""
    run = run_of()
    floors = replace(POLICY, floors={"push_recall": 0.8})
    tree, current = ground_of(run, policy=floors), baseline()
    with pytest.raises(InvalidInputError, match="beyond the floor"):
        refuse_own_floors(tree, Ground(), floors, current, POLICY_FILE)
    refuse_own_floors(tree, ground_of(run, policy=floors), floors, current, POLICY_FILE)
    refuse_own_floors(replace(tree, baseline=None), Ground(), floors, current, POLICY_FILE)
    odd = replace(POLICY, floors={"odd": 1})
    with pytest.raises(InvalidInputError, match=r"lax\.yml#/floors/odd"):
        refuse_own_floors(Ground(), Ground(), odd, current, "lax.yml")
