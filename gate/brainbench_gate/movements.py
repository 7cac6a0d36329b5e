"""DeepDiff finds what moved between two baseline documents; nothing here says if that is bad."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from brainbench_schema.numbers import format_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_schema.baseline import Baseline


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """One number that differs, appeared or vanished.

    Attributes:
        section: ``cells`` or ``counts``.
        name: Metric or count; empty where the whole cell appeared or vanished.
        before: Value in the older document; None where there was none.
        after: Value in the newer one; None where there is none.
    """

    section: str
    cell: str
    name: str
    before: float | None
    after: float | None


def find_movements(older: Baseline, newer: Baseline) -> list[Movement]:
    """List every number of `cells` and `counts` that is not the same in both documents.

    Both were read strictly and hold one type per value, so DeepDiff compares like with like.

    Returns:
        Movements sorted by section (counts first), cell and name.
    """
    sections = ("cells", "counts")
    before, after = older.data(), newer.data()
    if all(before[section] == after[section] for section in sections):
        return []
    from deepdiff import DeepDiff

    diff = DeepDiff(
        {section: before[section] for section in sections},
        {section: after[section] for section in sections},
        view="tree",
        threshold_to_diff_deeper=0,
    )
    found = [_movement(level) for levels in diff.values() for level in levels]
    order = {"counts": 0, "cells": 1}
    return sorted(found, key=lambda move: (order[move.section], move.cell, move.name))


def _movement(level: Any) -> Movement:
    section, cell, *rest = level.path(output_format="list")
    return Movement(
        section=section,
        cell=cell,
        name=rest[0] if rest else "",
        before=_number(level.t1),
        after=_number(level.t2),
    )


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) else None


def describe_moves(older: Baseline, newer: Baseline) -> Iterator[str]:
    """Say what differs between two documents, one number a line."""
    if older.fixtures_hash != newer.fixtures_hash:
        yield f"corpus: {older.fixtures_hash[:12]} → {newer.fixtures_hash[:12]}"
    if older.config != newer.config:
        yield "config: other harnesses, suites or holdout"
    for move in find_movements(older, newer):
        if move.name:
            yield f"{move.cell} {move.name}: {_shown(move.before)} → {_shown(move.after)}"
        elif move.section == "counts":
            yield f"{move.cell}: {'gone' if move.cell in older.counts else 'new'}"


def _shown(value: float | None) -> str:
    return "nothing" if value is None else format_number(value)
