"""Items, not only counts: a newly failed item is a breach even where another was fixed."""

from __future__ import annotations

from brainbench_gate.findings import Comparison, Finding, Status
from brainbench_gate.rules import Breach

NAME = "items"


def check(comparison: Comparison) -> Finding:
    """Breach for each cell with a newly failed item or a new wrong push."""
    if comparison.main_items is None or comparison.run_on_base is None:
        return Finding(name=NAME, status=Status.NOTE, text="main has no item list to compare with")
    breaches: list[Breach] = []
    lines: list[str] = []
    before, after = comparison.main_items.cells, comparison.run_on_base.failed
    for entry in comparison.items:
        lines.extend(f"newly failed: {item} ({entry.cell})" for item in entry.newly_failed)
        if entry.newly_failed:
            counts = (len(before[entry.cell]), len(after[entry.cell]))
            breaches.append(
                Breach(cell=entry.cell, metric="items", baseline=counts[0], current=counts[1])
            )
    for entry in comparison.ground_items:
        lines.extend(
            f"fails on the new ground: {item} ({entry.cell})" for item in entry.newly_failed
        )
        if entry.newly_failed:
            counts = (len(after[entry.cell]), len(comparison.run.failed[entry.cell]))
            breaches.append(
                Breach(cell=entry.cell, metric="items", baseline=counts[0], current=counts[1])
            )
    fixed = sum(len(entry.newly_fixed) for entry in comparison.items)
    if breaches:
        count = len(lines)
        text = f"{count} newly failed, {fixed} newly fixed"
        return Finding(
            name=NAME,
            status=Status.FAIL,
            text=text,
            lines=tuple(lines),
            breaches=tuple(dict.fromkeys(breaches)),
        )
    return Finding(name=NAME, status=Status.PASS, text=f"none newly failed, {fixed} newly fixed")
