"""Committed files are backed by this run: neither baseline nor items file is taken on trust."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from brainbench_gate.findings import Comparison, Finding, Status, refuse_verdict
from brainbench_gate.justification import STATES
from brainbench_gate.movements import describe_moves
from brainbench_schema.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_gate.ground import Ground
    from brainbench_schema.baseline import Baseline, Items
    from brainbench_schema.policy import Policy

NAME = "committed-files"
NOT_BACKED = "the committed baseline is not what this run measured"
BLESS = "run `brainbench bless` and commit both files"


def check(comparison: Comparison) -> Finding:
    """Inconclusive where a changed baseline or items file is not what the run gives."""
    tree = comparison.tree
    if tree.baseline is None:
        if _must_hold(comparison):
            return refuse_verdict(
                NAME, "baseline-missing", "no baseline is committed for this ground", BLESS
            )
        return Finding(name=NAME, status=Status.NOTE, text="no baseline is committed")
    if not (_must_hold(comparison) or _is_edited(comparison)):
        return Finding(name=NAME, status=Status.PASS, text="the files are main's own")
    lines = find_unbacked(
        tree, comparison.tree_policy, comparison.current, comparison.current_items
    )
    if not lines:
        return Finding(name=NAME, status=Status.PASS, text="both files equal this run")
    return _explain(comparison, lines)


def find_unbacked(
    tree: Ground, policy: Policy, current: Baseline, current_items: Items
) -> tuple[str, ...]:
    """List how the tree's files differ from a run; nothing where both equal it.

    Args:
        policy: The tree's.
        current: The baseline of the run.
        current_items: Its items file.
    """
    return (
        *(_find_fault(tree, policy.baseline) or _find_moves(tree.baseline, current, policy)),
        *(_find_fault(tree, policy.items) or _find_other_items(tree.items, current_items, policy)),
    )


def comparable(items: Items) -> Items:
    """Give an items file without what may differ between two equal runs."""
    return replace(items, against=None, system=replace(items.system, version=""))


def _find_fault(tree: Ground, path: str) -> list[str]:
    """Say why a file that stands there can't be read; nothing where it can, or where none does."""
    error = tree.broken.get(path)
    if error is None:
        return []
    what = error.faults[0].message if isinstance(error, InvalidInputError) else error.what
    return [f"{path} can't be read: {what}"]


def _find_moves(committed: Baseline | None, current: Baseline, policy: Policy) -> Iterator[str]:
    path = policy.baseline
    if committed is None:
        yield f"{path} is missing"
    elif committed.data() != current.data():
        yield f"{path} is not what this run measured"
        yield from describe_moves(committed, current)


def _find_other_items(committed: Items | None, current: Items, policy: Policy) -> Iterator[str]:
    path = policy.items
    if committed is None:
        yield f"{path} is missing"
    elif comparable(committed) != comparable(current):
        yield f"{path} is not what this run measured"
        for cell in sorted(committed.cells.keys() | current.cells.keys()):
            said, seen = set(committed.cells.get(cell, ())), set(current.cells.get(cell, ()))
            yield from (f"{cell}: {item} does not fail" for item in sorted(said - seen))
            yield from (f"{cell}: {item} fails" for item in sorted(seen - said))


def _must_hold(comparison: Comparison) -> bool:
    """Whether main's own files can't do: on changed ground, or in a state to get out of."""
    return comparison.moved or bool(comparison.tokens)


def _is_edited(comparison: Comparison) -> bool:
    tree, base = comparison.tree, comparison.base
    return tree.items != base.items or tree.baseline != base.baseline


def _explain(comparison: Comparison, lines: tuple[str, ...]) -> Finding:
    states = [state for state in comparison.tokens if state != "policy"]
    if states:
        advice = f'run `brainbench bless --justification "{", ".join(states)}: …"`'
        return refuse_verdict(NAME, STATES[states[0]], comparison.tokens[states[0]], advice, *lines)
    if comparison.grouped or _is_on_older_main(comparison):
        advice = "update the branch, run `brainbench bless` again, and queue again"
        text = "this baseline was made before main's present one"
        return refuse_verdict(NAME, "blessed-on-older-main", text, advice, *lines)
    return refuse_verdict(NAME, "baseline-not-backed", NOT_BACKED, BLESS, *lines)


def _is_on_older_main(comparison: Comparison) -> bool:
    items, base = comparison.tree.items, comparison.base
    if items is None or base.baseline_blob is None or items == base.items:
        return False
    return items.against != base.baseline_blob
