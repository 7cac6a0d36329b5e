"""Metrics by hand: passing, failing, boundary and missing cases of each rule."""

from __future__ import annotations

from typing import Any

import pytest

from brainbench_replay.metrics import continuity, know_to_ask, push, write_back
from brainbench_replay.metrics.cells import build_cells, list_failed, score_suite
from brainbench_replay.metrics.glossary import GLOSSARY
from brainbench_replay.systems.protocol import StoredFact
from brainbench_schema.gold import Decision, GoldFact
from brainbench_schema.result import ItemRow, TurnRow

PAGE = "conversations/bench-a"


def row(turn_id: int, injected: list[str], gold: dict[str, Any] | None, **changes: Any) -> TurnRow:
    values: dict[str, Any] = {
        "fixture_id": "a",
        "turn_id": turn_id,
        "harness": "codex",
        "suite": "push",
        "injected_slugs": tuple(injected),
        "injected_tokens": 4,
        "gold": gold,
        "cross_source_slugs": (),
        "latency_ms": 1,
    }
    return TurnRow(**{**values, **changes})


def ask(*slugs: str, acceptable: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "should_retrieve": True,
        "gold_slugs": list(slugs),
        "acceptable_slugs": list(acceptable),
    }


SILENT = {"should_retrieve": False}


def item(name: str, *, passed: bool, suite: str = "write-back", **evidence: Any) -> ItemRow:
    return ItemRow(
        fixture_id="a", harness="codex", suite=suite, item=name, passed=passed, evidence=evidence
    )


def stored(fact: str, **changes: Any) -> StoredFact:
    values: dict[str, Any] = {
        "fact": fact,
        "entity_slug": None,
        "source": "conversation",
        "source_session": f"conversation:{PAGE}",
        "source_markdown_slug": PAGE,
        "source_id": "default",
    }
    return StoredFact(**{**values, **changes})


def wanted(*keywords: str, entity: str | None = None) -> GoldFact:
    return GoldFact(
        gist="g", fact="f", entity_slug=entity, match_keywords=tuple(keywords), kind="fact"
    )


def grade(gold: list[GoldFact], facts: list[StoredFact]) -> list[tuple[bool, bool]]:
    """Whether each gold fact was found, and passed."""
    numbered = [(f"a#1/{place}", fact) for place, fact in enumerate(gold, 1)]
    graded = write_back.grade(numbered, facts, page=PAGE, provenance="conversation")
    return [(evidence["found"], passed) for _, passed, evidence in graded]


def test_know_to_ask_counts_both_kinds() -> None:
    """A miss and a false fire both fail; gold or acceptable pages pass."""
    score = know_to_ask.score(
        [
            row(1, ["x"], ask("x")),
            row(2, ["y"], ask("x", acceptable=("y",))),
            row(3, ["z"], ask("x")),
            row(4, [], SILENT),
            row(5, ["z"], SILENT),
            row(6, ["z"], None),
        ]
    )

    assert (5, 2) == (score.gold_total, score.gold_failed)
    assert {"know_to_ask_failure_rate": 1 / 3, "false_fire_rate": 0.5} == score.metrics
    assert ("a#3", "a#5") == score.failed


def test_know_to_ask_names_empty_denominators() -> None:
    """Without turns of a kind its rate is 0 by convention, and said to be so."""
    assert {"false_fire_rate"} == know_to_ask.score([row(1, ["x"], ask("x"))]).empty
    assert {"know_to_ask_failure_rate"} == know_to_ask.score([row(1, [], SILENT)]).empty


def test_push_lists_lost_and_stray_pages() -> None:
    """Lost gold counts, a stray push stands outside the counts."""
    score = push.score(
        [row(1, ["x", "q"], ask("x", "y")), row(2, ["z"], SILENT), row(3, ["z"], None)]
    )

    assert (2, 1) == (score.gold_total, score.gold_failed)
    assert ("a#1:y",) == score.failed
    assert ("a#1+q", "a#2+z") == score.wrong
    assert {"push_precision": 1 / 3, "push_recall": 0.5} == score.metrics


def test_push_with_nothing_to_push() -> None:
    """Nothing injected and nothing asked give 1 by convention."""
    score = push.score([row(1, [], SILENT)])

    assert {"push_precision": 1, "push_recall": 1} == score.metrics
    assert {"push_precision", "push_recall"} == score.empty


def test_write_back_matches_every_keyword_in_any_case() -> None:
    """All keywords have to occur, in any case; the entity has to be equal where gold names one."""
    facts = [stored("Signed the LEASE in May", entity_slug="companies/x")]

    assert [(True, True)] == grade([wanted("lease", "may")], facts)
    assert [(False, False)] == grade([wanted("lease", "june")], facts)
    assert [(True, True)] == grade([wanted("lease", entity="companies/x")], facts)
    assert [(False, False)] == grade([wanted("lease", entity="companies/y")], facts)


def test_a_stored_fact_satisfies_one_gold_fact() -> None:
    """Two gold facts need two stored ones."""
    gold = [wanted("lease"), wanted("lease")]

    assert [(True, True), (False, False)] == grade(gold, [stored("lease")])
    assert [(True, True), (True, True)] == grade(gold, [stored("lease"), stored("lease")])


def test_right_provenance_is_taken_first() -> None:
    """Of two matching facts the one that says where it comes from counts."""
    wrong, right = stored("lease", source="elsewhere"), stored("lease")

    assert [(True, True)] == grade([wanted("lease")], [wrong, right])
    assert [(True, False)] == grade([wanted("lease")], [wrong])
    assert [(True, False)] == grade([wanted("lease")], [stored("lease", source_session="x")])


def test_facts_of_other_pages_do_not_count() -> None:
    """A fact seeded, or stored for another conversation, is not this one's."""
    other = stored("lease", source_markdown_slug="conversations/bench-b")

    assert [(False, False)] == grade([wanted("lease")], [other])


def test_write_back_rates() -> None:
    """Fidelity counts what was found, provenance how much of that is right."""
    rows = [
        item("a#1/1", passed=True, found=True),
        item("a#1/2", passed=False, found=True),
        item("a#1/3", passed=False, found=False),
    ]
    score = write_back.score(rows)

    assert (3, 2) == (score.gold_total, score.gold_failed)
    assert {"write_back_fidelity": 2 / 3, "provenance_accuracy": 0.5} == score.metrics
    assert ("a#1/2", "a#1/3") == score.failed
    assert {"provenance_accuracy"} == write_back.score([rows[2]]).empty


@pytest.mark.parametrize(
    ("keywords", "text", "found"),
    [
        (("a%b",), "xa%bx", True),
        (("a%b",), "axb", False),
        (("a_b",), "axb", False),
        ((), "anything", False),
    ],
)
def test_keywords_are_literal(keywords: tuple[str, ...], text: str, *, found: bool) -> None:
    """Percent and underscore are no wildcards; no keywords never match."""
    assert found is write_back.contains_all(text, keywords)


def probe(injected: set[str], facts: list[StoredFact], keywords: tuple[str, ...]) -> bool:
    decision = Decision(decision_id="d", expected_slugs=("x",), match_keywords=keywords)
    return continuity.probe(decision, injected, facts, source="default")[0]


def test_a_probe_is_recalled_by_slug_or_fact() -> None:
    """An expected slug, or an active fact of the active source with all keywords."""
    fact = stored("We defer the order")

    assert probe({"x"}, [], ())
    assert probe(set(), [fact], ("defer", "ORDER"))
    assert not probe({"y"}, [fact], ("sell",))
    assert not probe(set(), [fact], ())
    assert not probe(set(), [stored("We defer", source_id="vault")], ("defer",))


def test_continuity_rate() -> None:
    """Recalled probes over all probes."""
    rows = [item("p/1", passed=True, suite="continuity"), item("p/2", passed=False)]

    assert {"continuity_rate": 0.5} == continuity.score(rows).metrics
    assert ("p/2",) == continuity.score(rows).failed


def test_a_suite_without_scored_rows_has_no_cell() -> None:
    """Rows without gold, or none at all, give no cell; never a perfect one."""
    assert score_suite("push", [row(1, ["x"], None)], []) is None
    assert score_suite("know-to-ask", [], []) is None
    assert score_suite("write-back", [], []) is None
    assert score_suite("continuity", [row(1, [], SILENT)], []) is None


def test_cells_carry_leaks_and_tokens_of_all_replayed_rows() -> None:
    """Rows without gold don't score, and still count for isolation and size."""
    rows = [
        row(1, ["x"], ask("x")),
        row(2, ["v"], None, cross_source_slugs=("v",), injected_tokens=9),
        row(1, ["x"], ask("x"), suite="know-to-ask"),
    ]
    cells = {cell.key: cell for cell in build_cells(rows, [], {"codex": "contract"})}

    assert ["codex/know-to-ask", "codex/push"] == list(cells)
    assert 1 == cells["codex/push"].metrics["source_isolation_violations"]
    assert 6.5 == cells["codex/push"].metrics["avg_injected_tokens"]
    assert "contract" == cells["codex/push"].seam


def test_item_cells() -> None:
    """Write-back cells carry no turn metrics; a continuity cell without rows has size 0."""
    items = [
        item("a#1/1", passed=True, found=True),
        item("p/d", passed=True, suite="continuity"),
    ]
    cells = {cell.key: cell for cell in build_cells([], items, {"codex": "contract"})}

    assert {"write_back_fidelity", "provenance_accuracy"} == set(cells["codex/write-back"].metrics)
    assert 0 == cells["codex/continuity"].metrics["avg_injected_tokens"]
    assert ("a",) == cells["codex/write-back"].fixtures


def test_failed_items_by_cell() -> None:
    """Failed gold items and wrong pushes, sorted; cells without scored rows are left out."""
    rows = [
        row(1, ["q"], ask("x")),
        row(2, [], None, suite="know-to-ask"),
    ]

    assert {
        "codex/push": ("a#1+q", "a#1:x"),
        "codex/write-back": ("a#1/1",),
    } == list_failed(rows, [item("a#1/1", passed=False, found=False)])


def test_every_metric_is_explained() -> None:
    """Each metric that a cell can carry has a plain sentence."""
    rows = [row(1, ["x"], ask("x")), row(1, ["x"], ask("x"), suite="know-to-ask")]
    items = [
        item("a#1/1", passed=True, found=True),
        item("p/d", passed=True, suite="continuity"),
    ]
    cells = build_cells(rows, items, {"codex": "contract"})

    assert {metric for cell in cells for metric in cell.metrics} <= set(GLOSSARY)
