"""Floors: absolute bounds of the policy. Crossing one is a regression that no reason lifts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from brainbench_gate.findings import Comparison, Finding, Status
from brainbench_gate.recall_view import own_floors
from brainbench_gate.rules import GATED, Verdict
from brainbench_schema.errors import Fault, InvalidInputError
from brainbench_schema.numbers import format_number
from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_schema.baseline import Baseline
    from brainbench_schema.policy import Policy

NAME = "floors"
CHECK_SPELLING = "check the spelling; a floor that bounds nothing protects nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """A value beyond a bound. With `lower_is_better` the bound is a ceiling."""

    cell: str
    metric: str
    value: float
    bound: float
    lower_is_better: bool

    def is_no_worse(self, known: Crossing) -> bool:
        """Tell whether this is what another document breaks too, neither value nor bound worse."""
        if (self.cell, self.metric) != (known.cell, known.metric):
            return False
        if self.lower_is_better:
            return self.value <= known.value and self.bound >= known.bound
        return self.value >= known.value and self.bound <= known.bound


def check(comparison: Comparison) -> Finding:
    """Fail where a bound of base's policy is crossed and main wasn't beyond it as far already.

    Raises:
        InvalidInputError: A bound names a cell or metric that nothing carries.
    """
    policy, main = comparison.policy, comparison.main
    current = comparison.current_on_base or comparison.current
    require_carried(policy, current, advice=_advise(comparison))
    crossed = list(find_crossed(policy, current))
    known = list(find_crossed(policy, main)) if main else []
    worse = [one for one in crossed if not any(one.is_no_worse(old) for old in known)]
    lines = tuple(
        f"{one.cell} {one.metric} {format_number(one.value)}, bound {format_number(one.bound)}"
        for one in crossed
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
    text = "every bound holds" if own_floors(policy) else "the policy sets none"
    return Finding(name=NAME, status=Status.PASS, text=text)


def find_crossed(policy: Policy, document: Baseline) -> Iterator[Crossing]:
    """List what of a document lies beyond a bound; exactly on it is not beyond."""
    better = {**GATED, **policy.gated}
    for _, cell, metric, bound in _bounds(policy, document):
        value = document.cells.get(cell, {}).get(metric)
        lower = better.get(metric, "higher") == "lower"
        if value is not None and ((value > bound) if lower else (value < bound)):
            yield Crossing(
                cell=cell, metric=metric, value=value, bound=bound, lower_is_better=lower
            )


def _advise(comparison: Comparison) -> str:
    """Tell what to do about a bound of main's policy, which the tree's own may lack by now."""
    if comparison.policy.floors == comparison.tree_policy.floors:
        return CHECK_SPELLING
    return (
        "this floor is of main's policy, which applies here: take it out in a pull request of its "
        "own first, or keep measuring what it bounds"
    )


def require_carried(
    policy: Policy, document: Baseline, file: str = POLICY_FILE, *, advice: str = CHECK_SPELLING
) -> None:
    """Stop where a bound names what no cell of a document carries.

    Args:
        advice: What to do about it.

    Raises:
        InvalidInputError: Naming each such bound.
    """
    faults = [
        Fault(
            file=file,
            pointer=pointer,
            message=f"no cell {cell!r} carries the metric {metric!r}",
            advice=advice,
        )
        for pointer, cell, metric, _ in _bounds(policy, document)
        if metric not in document.cells.get(cell, {})
    ]
    if faults:
        raise InvalidInputError(faults)


def _bounds(policy: Policy, document: Baseline) -> Iterator[tuple[str, str, str, float]]:
    for key, bound in own_floors(policy).items():
        pointer = f"/floors/{key.replace('/', '~1')}"
        if isinstance(bound, dict):
            for metric, value in bound.items():
                yield f"{pointer}/{metric}", key, metric, value
        else:
            cells = [cell for cell, metrics in document.cells.items() if key in metrics]
            for cell in cells or ["*"]:
                yield pointer, cell, key, bound
