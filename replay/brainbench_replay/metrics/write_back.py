"""Write-back: are the facts of a conversation stored, and do they say where they come from?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from brainbench_replay.metrics.score import Score, rate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brainbench_replay.systems.protocol import StoredFact
    from brainbench_schema.gold import GoldFact
    from brainbench_schema.result import ItemRow


def grade(
    gold_facts: Sequence[tuple[str, GoldFact]],
    stored: Sequence[StoredFact],
    *,
    page: str,
    provenance: str,
) -> list[tuple[str, bool, dict[str, Any]]]:
    """Match gold facts with what one conversation left in storage.

    Args:
        gold_facts: Item id and gold fact, in turn order.
        stored: All active facts, in the order stored; those of other pages don't count.
        page: Slug of the conversation's page.
        provenance: The constant that must stand as `source` and before the page in
            `source_session`.

    Returns:
        For each gold fact its item id, whether it passed, and the evidence: `found`,
        `provenance` and the stored text. A stored fact satisfies at most one gold fact; one
        with right provenance is taken first.
    """
    own = [fact for fact in stored if fact.source_markdown_slug == page]
    own.sort(key=lambda fact: not is_right(fact, page, provenance))
    graded = []
    for item, gold in gold_facts:
        fact = next((fact for fact in own if matches(gold, fact)), None)
        if fact is not None:
            own.remove(fact)
        right = fact is not None and is_right(fact, page, provenance)
        evidence = {
            "found": fact is not None,
            "provenance": right,
            "stored": fact.fact if fact else None,
        }
        graded.append((item, right, evidence))
    return graded


def score(rows: Sequence[ItemRow]) -> Score:
    """Score the write-back items of one harness."""
    found = sum(bool(row.evidence.get("found")) for row in rows)
    right = sum(row.passed for row in rows)
    return Score(
        gold_total=len(rows),
        gold_failed=len(rows) - right,
        metrics={
            "write_back_fidelity": rate(found, len(rows), empty=1),
            "provenance_accuracy": rate(right, found, empty=1),
        },
        failed=tuple(sorted(row.item for row in rows if not row.passed)),
        empty=frozenset() if found else frozenset({"provenance_accuracy"}),
    )


def matches(gold: GoldFact, fact: StoredFact) -> bool:
    """Tell whether a stored fact is a gold fact: all its keywords, and its entity if it has one."""
    if gold.entity_slug is not None and fact.entity_slug != gold.entity_slug:
        return False
    return contains_all(fact.fact, gold.match_keywords)


def contains_all(text: str, keywords: Sequence[str]) -> bool:
    """Tell whether every keyword occurs in a text, in any case. No keywords never match."""
    return bool(keywords) and not missing_keywords(text, keywords)


def missing_keywords(text: str, keywords: Sequence[str]) -> list[str]:
    """List the keywords that do not occur in a text, in any case."""
    text = text.lower()
    return [keyword for keyword in keywords if keyword.lower() not in text]


def is_right(fact: StoredFact, page: str, provenance: str) -> bool:
    """Tell whether a fact names the source and the session that its pipeline should write."""
    return fact.source == provenance and fact.source_session == f"{provenance}:{page}"
