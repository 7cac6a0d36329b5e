"""Know-to-ask: does memory speak up when it should, and keep still when it should not?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_replay.metrics.score import Score, rate
from brainbench_schema.gold import gold_turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brainbench_schema.result import TurnRow


def score(rows: Sequence[TurnRow]) -> Score:
    """Score the rows of one harness; rows without gold don't count.

    A should-retrieve turn fails when nothing injected is gold or acceptable; a stay-silent
    turn fails when anything is injected.
    """
    judged = [(row, gold_turn(row.gold)) for row in rows if row.gold is not None]
    ask = [(row, gold) for row, gold in judged if gold.should_retrieve]
    silent = [row for row, gold in judged if not gold.should_retrieve]
    missed = [
        row
        for row, gold in ask
        if not set(row.injected_slugs) & {*gold.gold_slugs, *gold.acceptable_slugs}
    ]
    fired = [row for row in silent if row.injected_slugs]
    denominators = {"know_to_ask_failure_rate": len(ask), "false_fire_rate": len(silent)}
    return Score(
        gold_total=len(judged),
        gold_failed=len(missed) + len(fired),
        metrics={
            "know_to_ask_failure_rate": rate(len(missed), len(ask), empty=0),
            "false_fire_rate": rate(len(fired), len(silent), empty=0),
        },
        failed=tuple(sorted(f"{row.fixture_id}#{row.turn_id}" for row in (*missed, *fired))),
        empty=frozenset(name for name, count in denominators.items() if not count),
    )
