"""The gold items of a corpus: every id that a run could pass or fail. Follows from gold alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_replay.plan import plan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brainbench_replay.corpus import Case
    from brainbench_replay.plan import Unit
    from brainbench_schema.gold import GoldTurn


def list_items(cases: Sequence[Case], suites: Sequence[str]) -> dict[str, frozenset[str]]:
    """List the ids of all gold items by suite.

    Args:
        cases: The cases of a run, held-out ones left out or not.
        suites: The suites of the run.
    """
    found: dict[str, set[str]] = {suite: set() for suite in suites}
    for unit in plan(cases, suites):
        for suite, item in _unit_items(unit):
            found[suite].add(item)
    return {suite: frozenset(items) for suite, items in found.items()}


def _unit_items(unit: Unit) -> Iterator[tuple[str, str]]:
    if unit.writer and unit.scores_writing:
        yield from (("write-back", item) for item in _facts(unit.writer))
    if unit.reader is None:
        return
    if "continuity" in unit.suites:
        for decision in unit.reader.gold.decisions:
            yield "continuity", f"{unit.reader.gold.pair_id}/{decision.decision_id}"
        return
    for turn, gold in _asked(unit.reader):
        if "know-to-ask" in unit.suites:
            yield "know-to-ask", turn
        if "push" in unit.suites and gold.should_retrieve:
            yield from (("push", f"{turn}:{slug}") for slug in gold.gold_slugs)


def _asked(case: Case) -> Iterator[tuple[str, GoldTurn]]:
    for turn in case.fixture.turns:
        if turn.role == "user" and turn.turn_id in case.gold.turns:
            yield f"{case.fixture.fixture_id}#{turn.turn_id}", case.gold.turns[turn.turn_id]


def _facts(case: Case) -> Iterator[str]:
    for turn_id, gold in case.gold.turns.items():
        for place in range(1, len(gold.gold_facts) + 1):
            yield f"{case.fixture.fixture_id}#{turn_id}/{place}"
