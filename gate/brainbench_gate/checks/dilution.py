"""Dilution: failing items that left, or easy ones that came, are listed as such."""

from __future__ import annotations

from brainbench_gate.findings import Comparison, Finding, Status

NAME = "dilution"


def check(comparison: Comparison) -> Finding:
    """Note removed items that failed, and added ones that all pass while failing ones left."""
    lines: list[str] = []
    for entry in comparison.ground_items:
        lines.extend(
            f"removed while failing: {item} ({entry.cell})" for item in entry.removed_failing
        )
        swapped = entry.removed_failing and len(entry.added) == len(entry.removed)
        if swapped and not entry.added_failing:
            lines.append(f"{entry.cell}: the {len(entry.added)} items that replace them all pass")
    if lines:
        text = "gold items that failed on main have left the corpus"
        return Finding(name=NAME, status=Status.NOTE, text=text, lines=tuple(lines))
    return Finding(name=NAME, status=Status.PASS, text="no failing item left the corpus")
