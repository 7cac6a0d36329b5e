"""Committed files are backed by this run: neither baseline nor items file is taken on trust."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from brainbench_gate.findings import Comparison, Finding, Status
from brainbench_gate.rules import Verdict

if TYPE_CHECKING:
    from brainbench_schema.baseline import Items

NAME = "committed-files"


def check(comparison: Comparison) -> Finding:
    """Inconclusive where a changed baseline or items file is not what the run gives."""
    committed, items = comparison.tree.baseline, comparison.tree.items
    if committed is None:
        if comparison.moved or comparison.tokens:
            return _fail(
                "baseline-missing",
                "the ground changed and no baseline is committed for it",
                ("run `brainbench bless` and commit both files",),
            )
        return Finding(name=NAME, status=Status.NOTE, text="no baseline is committed")
    if not _touched(comparison):
        return Finding(name=NAME, status=Status.PASS, text="the files are main's own")
    differing = []
    if committed.data() != comparison.current.data():
        differing.append(comparison.tree_policy.baseline)
    if items is None or comparable(items) != comparable(comparison.current_items):
        differing.append(comparison.tree_policy.items)
    if not differing:
        return Finding(name=NAME, status=Status.PASS, text="both files equal this run")
    if _on_older_main(comparison):
        return _fail(
            "blessed-on-older-main",
            "this baseline was made before main's present one",
            ("update the branch, run `brainbench bless` again, and queue again",),
        )
    return _fail(
        "baseline-not-backed",
        f"not what this run measured: {', '.join(differing)}",
        ("run `brainbench bless` and commit both files",),
    )


def comparable(items: Items) -> Items:
    """Give an items file without what may differ between two equal runs."""
    return replace(items, against=None, system=replace(items.system, version=""))


def _touched(comparison: Comparison) -> bool:
    """Whether the files have to hold for this run: changed ones, or on changed ground."""
    tree, base = comparison.tree, comparison.base
    if comparison.moved or comparison.tokens:
        return True
    assert tree.baseline is not None
    return (
        base.baseline is None
        or tree.baseline.data() != base.baseline.data()
        or tree.items != base.items
    )


def _on_older_main(comparison: Comparison) -> bool:
    items, base = comparison.tree.items, comparison.base
    return (
        items is not None and base.baseline_blob is not None and items.against != base.baseline_blob
    )


def _fail(reason: str, text: str, lines: tuple[str, ...]) -> Finding:
    return Finding(
        name=NAME,
        status=Status.FAIL,
        text=text,
        lines=lines,
        verdict=Verdict.INCONCLUSIVE,
        reason=reason,
    )
