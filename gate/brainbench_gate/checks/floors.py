"""Floors: absolute bounds of the policy. Crossing one is a regression that no reason lifts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.findings import Comparison, Finding, Status
from brainbench_gate.rules import GATED, Verdict
from brainbench_schema.errors import Fault, InvalidInputError
from brainbench_schema.numbers import format_number
from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_schema.baseline import Baseline
    from brainbench_schema.policy import Policy

NAME = "floors"


def check(comparison: Comparison) -> Finding:
    """Fail where a bound of base's policy is crossed and main wasn't beyond it as far already."""
    current = comparison.current_on_base or comparison.current
    crossed = list(find_crossed(comparison.policy, current))
    worse = [entry for entry in crossed if not _was_beyond(comparison, *entry)]
    lines = tuple(
        f"{cell} {metric} {format_number(value)}, bound {format_number(bound)}"
        for cell, metric, value, bound in crossed
    )
    if worse:
        return Finding(
            name=NAME,
            status=Status.FAIL,
            text="a floor of the policy is crossed; no reason lifts this",
            lines=lines,
            verdict=Verdict.REGRESSION,
            reason="floor",
        )
    if crossed:
        text = "beyond a floor, as main is already"
        return Finding(name=NAME, status=Status.NOTE, text=text, lines=lines)
    count = len(comparison.policy.floors)
    text = "every bound holds" if count else "the policy sets none"
    return Finding(name=NAME, status=Status.PASS, text=text)


def find_crossed(policy: Policy, current: Baseline) -> Iterator[tuple[str, str, float, float]]:
    """List what lies beyond a bound: cell, metric, value, bound.

    For a metric where lower is better the bound is a ceiling.

    Raises:
        InvalidInputError: A bound names a cell or metric that nothing carries.
    """
    better = {**GATED, **policy.gated}
    for pointer, cell, metric, bound in _bounds(policy, current):
        if metric not in current.cells.get(cell, {}):
            message = f"no cell {cell!r} carries the metric {metric!r}"
            raise InvalidInputError([Fault(file=POLICY_FILE, pointer=pointer, message=message)])
        value = current.cells[cell][metric]
        lower = better.get(metric, "higher") == "lower"
        if (value > bound) if lower else (value < bound):
            yield cell, metric, value, bound


def _bounds(policy: Policy, current: Baseline) -> Iterator[tuple[str, str, str, float]]:
    for key, bound in policy.floors.items():
        pointer = f"/floors/{key.replace('/', '~1')}"
        if isinstance(bound, dict):
            for metric, value in bound.items():
                yield f"{pointer}/{metric}", key, metric, value
        else:
            cells = [cell for cell, metrics in current.cells.items() if key in metrics]
            for cell in cells or ["*"]:
                yield pointer, cell, key, bound


def _was_beyond(comparison: Comparison, cell: str, metric: str, value: float, bound: float) -> bool:
    main = comparison.main
    before = main.cells.get(cell, {}).get(metric) if main else None
    if before is None:
        return False
    lower = {**GATED, **comparison.policy.gated}.get(metric, "higher") == "lower"
    return bound < before >= value if lower else bound > before <= value
