"""Improvements that can be banked: nothing may be worse, and bounds may only get stricter. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.rules import GATED, find_breaches
from brainbench_schema.numbers import format_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_gate.ground import Ground
    from brainbench_schema.baseline import Baseline, Items
    from brainbench_schema.policy import Policy


def find_worse(tree: Ground, baseline: Baseline, items: Items) -> Iterator[str]:
    """List everything in which a run is worse than the tree's own baseline files.

    Args:
        baseline: The baseline of the run.
        items: The items file of the run.
    """
    if tree.baseline is None or tree.policy is None:
        return
    for breach in find_breaches(baseline, tree.baseline, gated={**GATED, **tree.policy.gated}):
        before, after = (
            "nothing" if value is None else format_number(value)
            for value in (breach.baseline, breach.current)
        )
        yield f"{breach.cell} {breach.metric}: {before} → {after}"
    if tree.items is not None and tree.items.fixtures_hash == items.fixtures_hash:
        for cell in sorted(items.cells.keys() & tree.items.cells.keys()):
            fresh = sorted(set(items.cells[cell]) - set(tree.items.cells[cell]))
            yield from (f"{cell}: {item} fails now" for item in fresh)


def tighten_floors(policy: Policy, baseline: Baseline) -> dict[tuple[str, ...], float]:
    """Give the bounds of a policy that a run allows to be stricter, by their keys.

    A bound for all cells becomes the worst of the cells' values. What the policy does not bound
    stays unbounded.
    """
    tightened = {}
    for keys, metric, bound, values in _bounds(policy, baseline):
        lower = {**GATED, **policy.gated}.get(metric, "higher") == "lower"
        reached = max(values) if lower else min(values)
        if (reached < bound) if lower else (reached > bound):
            tightened[keys] = reached
    return tightened


def _bounds(
    policy: Policy, baseline: Baseline
) -> Iterator[tuple[tuple[str, ...], str, float, list[float]]]:
    """Each bound with its keys, its metric and the values that it bounds, if there are any."""
    for key, bound in policy.floors.items():
        if isinstance(bound, dict):
            metrics = baseline.cells.get(key, {})
            for metric, value in bound.items():
                if metric in metrics:
                    yield ("floors", key, metric), metric, value, [metrics[metric]]
        else:
            values = [metrics[key] for metrics in baseline.cells.values() if key in metrics]
            if values:
                yield ("floors", key), key, bound, values
