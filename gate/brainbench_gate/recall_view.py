"""The second benchmark, seen as the gate sees the first: the same policy, read for BrainCore.

A policy's `recall` names a dataset, an adapter and a baseline. Put in the places of corpus,
system and baseline, everything that judges BrainBench judges BrainCore too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from brainbench_schema.policy import Policy

RECALL_NAME = "braincore"
RECALL_SUITES = ("retrieval", "temporal", "contradiction")
"""Query types, which are BrainCore's suites."""

RECALL_GATED = {
    "exact_match": "higher",
    "temporal_order_score": "higher",
    "contradiction_resolution_score": "higher",
    "evidence_recall": "higher",
}
"""BrainCore's gated metrics with their better direction."""


def view_recall(policy: Policy) -> Policy | None:
    """Read a policy for BrainCore; None where it doesn't ask for that."""
    recall = policy.recall
    if recall is None:
        return None
    return replace(
        policy,
        system=recall.adapter,
        systems={},
        fixtures=recall.dataset,
        gold=recall.dataset,
        baseline=recall.baseline,
        harnesses=(recall.adapter,),
        suites=RECALL_SUITES,
        gated={**RECALL_GATED, **policy.gated},
        repeats=1,
        recall=None,
    )


def is_recall(policy: Policy) -> bool:
    """Tell whether a policy is read for BrainCore."""
    return policy.suites == RECALL_SUITES


def own_floors(policy: Policy) -> Mapping[str, float | dict[str, float]]:
    """Give the floors that are about the benchmark a policy is read for."""
    recall = is_recall(policy)
    return {key: bound for key, bound in policy.floors.items() if _is_of_recall(key) is recall}


def _is_of_recall(key: str) -> bool:
    return key in RECALL_GATED or key.rpartition("/")[2] in RECALL_SUITES
