"""Push: is what memory injects right, and is all of it there?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_replay.metrics.score import Score, rate
from brainbench_schema.gold import gold_turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brainbench_schema.result import TurnRow


def score(rows: Sequence[TurnRow]) -> Score:
    """Score the rows of one harness; rows without gold don't count.

    Precision is over all judged rows, recall over gold pages of should-retrieve turns.
    """
    injected = right = total = 0
    failed: list[str] = []
    wrong: list[str] = []
    for row in rows:
        if row.gold is None:
            continue
        gold = gold_turn(row.gold)
        item = f"{row.fixture_id}#{row.turn_id}"
        pushed, asked = set(row.injected_slugs), set(gold.gold_slugs)
        strays = pushed - asked - set(gold.acceptable_slugs)
        injected += len(pushed)
        right += len(pushed) - len(strays)
        wrong.extend(f"{item}+{slug}" for slug in strays)
        if gold.should_retrieve:
            total += len(asked)
            failed.extend(f"{item}:{slug}" for slug in asked - pushed)
    denominators = {"push_precision": injected, "push_recall": total}
    return Score(
        gold_total=total,
        gold_failed=len(failed),
        metrics={
            "push_precision": rate(right, injected, empty=1),
            "push_recall": rate(total - len(failed), total, empty=1),
        },
        failed=tuple(sorted(failed)),
        wrong=tuple(sorted(wrong)),
        empty=frozenset(name for name, count in denominators.items() if not count),
    )
