"""What follows from a corpus alone: its hash, the ids of its gold items, the text of its turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.measured import Survey
from brainbench_replay.survey import list_items

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brainbench_replay.corpus import Case, Corpus


def survey_corpus(corpus: Corpus, suites: Sequence[str], *, include_holdout: bool) -> Survey:
    """Survey the part of a corpus that a run covers."""
    cases = corpus.select(include_holdout=include_holdout)
    items = list_items(cases, suites)
    return Survey(
        fixtures_hash=corpus.fixtures_hash,
        items=items,
        texts={
            f"{case.fixture.fixture_id}#{turn.turn_id}": turn.text
            for case in cases
            for turn in case.fixture.turns
        },
        empty_metrics=frozenset(_empty_metrics(cases)),
    )


def _empty_metrics(cases: Sequence[Case]) -> Iterator[str]:
    asked = {
        gold.should_retrieve
        for case in cases
        if "know-to-ask" in case.fixture.suites
        for gold in case.gold.turns.values()
    }
    if True not in asked:
        yield "know_to_ask_failure_rate"
    if False not in asked:
        yield "false_fire_rate"
    pushed = (
        gold.gold_slugs
        for case in cases
        if "push" in case.fixture.suites
        for gold in case.gold.turns.values()
        if gold.should_retrieve
    )
    if not any(pushed):
        yield "push_recall"
