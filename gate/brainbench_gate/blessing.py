"""Blessing: the files that would be committed for a run, judged before they are written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from brainbench_gate.baseline import build_items, read_numbers
from brainbench_gate.movements import describe_moves
from brainbench_gate.refusals import refuse_broken
from brainbench_gate.run import Terms, judge_run, measure_own_ground

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_gate.ground import Ground
    from brainbench_gate.measured import Bench, Measured
    from brainbench_gate.verdict import BenchmarkVerdict
    from brainbench_schema.baseline import Baseline, Items


@dataclass(frozen=True, slots=True, kw_only=True)
class Blessing:
    """What would be committed, and the run it comes from."""

    baseline: Baseline
    items: Items
    run: Measured


def bless_tree(
    tree: Ground, base: Ground, bench: Bench, terms: Terms, *, justification: str | None
) -> Blessing:
    """Measure a tree and build the files to commit for it.

    Args:
        tree: The tree; its own baseline files may be missing or broken.
        justification: Why worse numbers are worth it; None removes an earlier one.

    Raises:
        BrainbenchError: The tree can't be read or measured.
    """
    refuse_broken(forgive_files(tree))
    run = measure_own_ground(tree, base, bench, terms)
    return Blessing(
        baseline=read_numbers(run, justification=justification),
        items=build_items(
            run.result, run.failed, capabilities=run.capabilities, against=base.baseline_blob
        ),
        run=run,
    )


def judge_blessing(
    blessing: Blessing, tree: Ground, base: Ground, bench: Bench, terms: Terms
) -> BenchmarkVerdict:
    """Tell what the gate would say to the tree with the blessed files in it."""
    blessed = replace(forgive_files(tree), baseline=blessing.baseline, items=blessing.items)
    return judge_run(blessed, base, bench, terms, blessing.run)


def forgive_files(tree: Ground) -> Ground:
    """Give a tree without the faults of the files that a blessing replaces."""
    policy = tree.policy
    replaced = {policy.baseline, policy.items} if policy is not None else set()
    broken = {path: error for path, error in tree.broken.items() if path not in replaced}
    return replace(tree, broken=broken)


def describe_blessing(tree: Ground, blessing: Blessing) -> Iterator[str]:
    """List what a new baseline changes, one number a line, and why whole cells come and go."""
    before, after = tree.baseline, blessing.baseline
    if before is None:
        yield f"{len(after.cells)} cells, {sum(c.gold_total for c in after.counts.values())} items"
        return
    if tree.items is not None:
        yield from _describe_capabilities(tree.items, blessing.items)
    yield from describe_moves(before, after)


def _describe_capabilities(before: Items, after: Items) -> Iterator[str]:
    had, has = set(before.system.capabilities), set(after.system.capabilities)
    if gone := sorted(had - has):
        yield f"the system no longer has {', '.join(gone)}: what asks for that is not measured"
    if new := sorted(has - had):
        yield f"the system now has {', '.join(new)}"
