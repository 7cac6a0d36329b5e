"""Blessing without a repository: a run against the baseline file that it replaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.baseline import build_baseline, build_items
from brainbench_gate.rules import ISOLATION, Verdict, judge
from brainbench_schema.baseline import parse_baseline
from brainbench_schema.errors import BrainbenchError
from brainbench_schema.files import read_file, write_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from brainbench_gate.measured import Measured
    from brainbench_schema.baseline import Baseline


def bless_file(place: Path, measured: Measured) -> Iterator[str]:
    """Write the baseline of a run and its items file, unless it is worse than what stands there.

    Args:
        place: The baseline file; the items file stands beside it.

    Returns:
        What was done, in words.

    Raises:
        BrainbenchError: The run is worse than the file, leaks, or covers other things.
        InvalidInputError: What stands there can't be read.
    """
    current = build_baseline(measured.result)
    before = parse_baseline(read_file(place), str(place)) if place.is_file() else None
    refuse_worse(current, before or current, str(place))
    items = build_items(
        measured.result, measured.failed, capabilities=measured.capabilities, against=None
    )
    beside = place.with_suffix(".items.json")
    write_file(beside, items.serialize())
    write_file(place, current.serialize())
    yield f"wrote {place} and {beside.name}"


def refuse_worse(current: Baseline, before: Baseline, place: str) -> None:
    """Stop where a run is worse than a baseline, leaks, or can't be compared with it."""
    judgement = judge(current, before, current)
    leaks = any(breach.metric == ISOLATION for breach in judgement.breaches)
    if judgement.verdict is Verdict.PASS and not leaks:
        return
    worse = "; ".join(
        f"{breach.cell} {breach.metric}: {breach.baseline} to {breach.current}"
        for breach in judgement.breaches
    )
    raise BrainbenchError(
        f"nothing was written: {worse or '; '.join(judgement.notes)}",
        where=place,
        advice="mend it; a reason can be recorded with `brainbench bless` in a repository",
    )
