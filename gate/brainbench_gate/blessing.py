"""Blessing: the files that would be committed for a run, judged before they are written."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from brainbench_gate.baseline import build_baseline, build_items
from brainbench_gate.movements import find_movements
from brainbench_gate.run import judge_change, refuse_broken, require_ground
from brainbench_schema.numbers import format_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_gate.ground import Ground
    from brainbench_gate.measured import Bench, CorpusFiles, Measured, Survey
    from brainbench_gate.verdict import BenchmarkVerdict
    from brainbench_schema.baseline import Baseline, Items
    from brainbench_schema.policy import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Blessing:
    """What would be committed, and what the gate would say to it."""

    baseline: Baseline
    items: Items
    verdict: BenchmarkVerdict


@dataclass(slots=True, kw_only=True)
class RememberingBench:
    """A bench that measures the same ground once."""

    bench: Bench
    _seen: list[tuple[Policy, CorpusFiles, Measured]] = field(default_factory=list)

    def measure(self, policy: Policy, corpus: CorpusFiles) -> Measured:
        """Replay a corpus as a policy says, or give what that came to before."""
        for known_policy, known_corpus, measured in self._seen:
            if known_policy == policy and known_corpus == corpus:
                return measured
        measured = self.bench.measure(policy, corpus)
        self._seen.append((policy, corpus, measured))
        return measured

    def survey(self, policy: Policy, corpus: CorpusFiles) -> Survey:
        """Read a corpus without replaying it."""
        return self.bench.survey(policy, corpus)


def bless_ground(
    tree: Ground, base: Ground, bench: Bench, *, justification: str | None, policy_file: str
) -> Blessing:
    """Measure a tree and build the files to commit for it, with the verdict they would get.

    Args:
        tree: The tree; its own baseline files may be missing or broken.
        justification: Why worse numbers are worth it; None removes an earlier one.
    """
    bench = RememberingBench(bench=bench)
    policy = tree.policy
    replaced = {policy.baseline, policy.items} if policy else set()
    broken = {path: error for path, error in tree.broken.items() if path not in replaced}
    tree = replace(tree, broken=broken)
    refuse_broken(tree)
    policy, corpus = require_ground(tree, policy_file)
    run = bench.measure(policy, corpus)
    baseline = build_baseline(run.result, justification=justification)
    items = build_items(
        run.result, run.failed, capabilities=run.capabilities, against=base.baseline_blob
    )
    blessed = replace(tree, baseline=baseline, items=items)
    verdict, _ = judge_change(blessed, base, bench, policy_file=policy_file)
    return Blessing(baseline=baseline, items=items, verdict=verdict)


def describe_moves(before: Baseline | None, after: Baseline) -> Iterator[str]:
    """List what a new baseline changes, one number a line."""
    if before is None:
        yield f"{len(after.cells)} cells, {sum(c.gold_total for c in after.counts.values())} items"
        return
    for move in find_movements(before, after):
        numbers = (
            "nothing" if value is None else format_number(value)
            for value in (move.before, move.after)
        )
        yield f"{move.cell} {move.name or 'cell'}: {' → '.join(numbers)}"
