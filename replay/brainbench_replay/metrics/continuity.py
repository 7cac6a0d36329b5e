"""Continuity: does another harness know what was decided in an earlier conversation?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from brainbench_replay.metrics.score import Score, rate
from brainbench_replay.metrics.write_back import contains_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brainbench_replay.systems.protocol import StoredFact
    from brainbench_schema.gold import Decision
    from brainbench_schema.result import ItemRow


def probe(
    decision: Decision, injected: set[str], facts: Sequence[StoredFact], *, source: str
) -> tuple[bool, dict[str, Any]]:
    """Ask whether a decision came back to a reader.

    Args:
        injected: Slugs injected in any of the reader's turns on one harness.
        facts: Active facts of the pair's brain.
        source: The reader's active source; facts of others don't count.

    Returns:
        Whether it was recalled, and the evidence: the slugs or the fact that did it.
    """
    slugs = sorted(injected & set(decision.expected_slugs))
    fact = next(
        (
            fact.fact
            for fact in facts
            if fact.source_id == source and contains_all(fact.fact, decision.match_keywords)
        ),
        None,
    )
    return bool(slugs) or fact is not None, {"slugs": slugs, "fact": fact}


def score(rows: Sequence[ItemRow]) -> Score:
    """Score the probes of one reader harness."""
    recalled = sum(row.passed for row in rows)
    return Score(
        gold_total=len(rows),
        gold_failed=len(rows) - recalled,
        metrics={"continuity_rate": rate(recalled, len(rows), empty=1)},
        failed=tuple(sorted(row.item for row in rows if not row.passed)),
    )
