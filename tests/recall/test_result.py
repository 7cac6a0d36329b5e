"""The result document: valid, recomputable, the same bytes each time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.recall.making import FACTS, memory, query, scripted, session, write_lines

from brainbench_replay.recall.adapters.registry import Setting
from brainbench_replay.recall.dataset import Survey
from brainbench_replay.recall.errata import NO_ERRATA, parse_errata
from brainbench_replay.recall.evaluator import evaluate
from brainbench_replay.recall.evidence import has_failed
from brainbench_replay.recall.metrics import build_cells, list_failed
from brainbench_replay.recall.report import (
    TEMPLATE_NAMES,
    check_template,
    fill_template,
    render_table,
    render_text,
)
from brainbench_replay.recall.result import build_recall_result
from brainbench_replay.recall.run import Plan, measure_recall, read_template, survey
from brainbench_replay.recall.similarity import Lexical, load_similarity
from brainbench_schema.errors import (
    BrainbenchError,
    InvalidInputError,
    MemorySystemError,
    UsageError,
)
from brainbench_schema.result import parse_result

if TYPE_CHECKING:
    from brainbench_schema.result import Result

DATASET = Path(__file__).parents[2] / "evals" / "braincore" / "synthetic_benchmark.jsonl"
SURVEY = Survey(fixtures_hash="0" * 64, sessions=1, memories=2, queries=3, source=None)
ONE = session(
    memory("m1", "01"),
    memory("m2", "02"),
    queries=[
        query("retrieval", ["m1"], query_id="a", query_text="a"),
        query("retrieval", ["m1", "m2"], query_id="b", query_text="b"),
        query("temporal", None, query_id="c", query_text="c"),
    ],
)
M1 = {"memory_id": "m1", "text": "text of m1"}
M2 = {"memory_id": "m2", "text": "text of m2"}
REPLIES = {"a": [M2, M1], "b": [M1], "c": [M1]}


def _measure(adapter: str) -> Result:
    plan = Plan(adapter=adapter, dataset=DATASET)
    return measure_recall(plan, survey(plan), Setting(), FACTS)


def _result(errata: bytes = b"", embedder: str | None = None) -> Result:
    driver = scripted(REPLIES)
    found = parse_errata(errata, "errata.jsonl") if errata else NO_ERRATA
    recalled = evaluate([ONE], driver, errata=found)
    similarity = load_similarity(embedder, Path(__file__).parent)
    return build_recall_result(recalled, SURVEY, driver, similarity=similarity, facts=FACTS)


def test_a_result_is_read_back_as_it_was_written() -> None:
    result = _measure("keyword")
    assert parse_result(result.serialize(), "result.json") == result
    assert result.receipt.fixtures_hash == survey(Plan(adapter="", dataset=DATASET)).fixtures_hash
    assert [cell.key for cell in result.cells] == [
        "keyword/retrieval",
        "keyword/temporal",
        "keyword/contradiction",
    ]


def test_cells_and_failures_follow_from_the_rows_of_a_document_alone() -> None:
    read = parse_result(_measure("keyword").serialize(), "result.json")
    assert tuple(build_cells(read.item_rows)) == read.cells
    for row in read.item_rows:
        assert row.passed is not has_failed(row.suite, row.evidence)
    failed = list_failed(read)
    assert {cell.key: cell.gold_failed for cell in read.cells} == {
        cell: len(items) for cell, items in failed.items()
    }


def test_two_runs_differ_in_latency_only() -> None:
    one, two = (_without_latency(_measure("keyword")) for _ in range(2))
    assert one == two


def test_no_clock_or_size_gets_into_the_cells() -> None:
    """A baseline is made of cells, and must be the same on any machine."""
    metrics = {metric for cell in _measure("keyword").cells for metric in cell.metrics}
    assert not {name for name in metrics if "latency" in name or "bytes" in name}


def test_counts_items_and_skipped_types() -> None:
    result = _result()
    retrieval, temporal = result.cells
    assert (retrieval.gold_total, retrieval.gold_failed) == (2, 1)
    assert (temporal.gold_total, temporal.gold_failed) == (0, 0)
    assert list_failed(result) == {"mine/retrieval": ("s1/b",), "mine/temporal": ()}
    assert [one.suite for one in result.skipped] == ["contradiction"]
    assert result.system.version == "unknown"
    assert result.system.details["storage_bytes_max"] == 7


def test_every_metric_of_a_cell_is_explained() -> None:
    result = _result()
    used = {metric for cell in result.cells for metric in cell.metrics}
    assert used == set(result.metric_glossary)


def test_ids_that_the_session_does_not_have_are_counted() -> None:
    replies = {**REPLIES, "c": [{"memory_id": "elsewhere", "text": "x"}]}
    assert evaluate([ONE], scripted(replies)).unknown_ids == 1


def test_an_embedder_is_named_and_kept_out_of_the_cells() -> None:
    """Its numbers differ between machines, so that no baseline may hold them."""
    result = _result(embedder="embedder_under_test:embed")
    assert result.system.details["embedder"] == "embedder_under_test:embed"
    assert "semantic_placeholder_score" not in result.cells[0].metrics
    assert [row.evidence["similarity"] for row in result.item_rows] == [0, 1, 1]
    assert "embedder_under_test:embed" in fill_template("$embedder", result)
    assert "| semantic_placeholder_score       | 0.5000 (1 / 2)" in render_table(result.item_rows)


@pytest.mark.parametrize("spec", ["nope", "no_such:embed", "embedder_under_test:nope"])
def test_an_embedder_that_is_not_there_is_told(spec: str) -> None:
    with pytest.raises(UsageError, match="can't be loaded"):
        load_similarity(spec, Path(__file__).parent)


def test_without_an_embedder_the_lexical_one_says_so() -> None:
    assert isinstance(load_similarity(None), Lexical)
    assert _result().system.details["embedder"] == "lexical"


def test_errata_are_scored_beside_the_gold_as_published() -> None:
    errata = (
        b'{"item": "s1/a", "expected_answer": ["text of m2"], "reason": "wrong"}\n'
        b'{"item": "s1/b", "exclude": true}\n'
    )
    result = _result(errata)
    assert result.cells == _result().cells
    [retrieval, _] = result.system.details["adjusted"]
    assert (retrieval["gold_total"], retrieval["gold_failed"]) == (1, 0)
    assert retrieval["metrics"]["exact_match"] == 1
    assert retrieval["metrics"]["evidence_recall"] == 1
    table = render_text(result)
    assert "| mine/retrieval | evidence_recall            | 0.6667         | 1          |" in table
    assert parse_result(result.serialize(), "r") == result


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{}", "`item`"),
        (b'{"item": "s1/a"}', "corrects nothing"),
        (b'{"item": "s1/a", "answer": "x"}', "unknown key 'answer'"),
        (b'{"item": "s1/a", "exclude": false}', "must be true"),
        (b'{"item": "s1/a", "expected_answer": ""}', "not blank"),
        (b'{"item": "s1/a", "required_memory_ids": []}', "not blank"),
        (b'{"item": "s1/a", "exclude": true}\n{"item": "s1/a", "exclude": true}', "twice"),
        (b'{"item": "s1/z", "exclude": true}', "no query 's1/z'"),
        (b'{"item": "s1/a", "required_memory_ids": ["m9"]}', "'m9' is no memory"),
        (b"[1", "line 1: not JSON"),
    ],
)
def test_errata_that_do_not_fit_are_refused(line: bytes, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        _result(line)


def test_an_erratum_may_take_evidence_or_an_answer_away() -> None:
    errata = b'{"item": "s1/a", "required_memory_ids": null, "expected_answer": null}'
    [retrieval, _] = _result(errata).system.details["adjusted"]
    assert retrieval["gold_total"] == 1
    assert retrieval["metrics"]["exact_match"] == 1


def test_a_dataset_that_changes_under_the_run_is_an_error(tmp_path: Path) -> None:
    copy = tmp_path / "set.jsonl"
    copy.write_bytes(DATASET.read_bytes())
    plan = Plan(adapter="empty", dataset=copy)
    found = survey(plan)
    copy.write_bytes(DATASET.read_bytes().replace(b"cello", b"viola"))
    with pytest.raises(BrainbenchError, match="changed while the adapter ran"):
        measure_recall(plan, found, Setting(), FACTS)


def test_the_table_prints_denominators_and_a_dash_for_nothing() -> None:
    table = render_table(_result().item_rows)
    assert "| failed / with evidence           | 1 / 2               | 0 / 0 " in table
    assert "| evidence_recall *                | 0.6667 (2 / 3)      | – " in table
    assert (
        "| exact_match *                    | 0.5000 (1 / 2)      | 1.0000 (1 / 1)   | 0.6667 (2"
        in table
    )


def test_the_template_is_filled_without_a_gap() -> None:
    text = fill_template(read_template(None), _result())
    assert "$" not in text
    assert "- mine/retrieval: `s1/b`" in text
    assert "No errata were given." in text


@pytest.mark.parametrize(
    ("template", "message"), [("$nope", r"knows no \$nope"), ("$ 5", "loose dollar")]
)
def test_a_template_with_unknown_names_is_refused(template: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        check_template(template, "mine.md")


def test_a_template_may_use_every_name_and_dollar_signs() -> None:
    form = " ".join(f"${name}" for name in TEMPLATE_NAMES) + " $$5"
    check_template(form, "mine.md")
    assert fill_template(form, _result()).endswith(" $5")


def test_an_embedder_that_raises_is_named() -> None:
    similarity = load_similarity("embedder_under_test:fail", Path(__file__).parent)
    with pytest.raises(MemorySystemError, match="it raised ZeroDivisionError") as caught:
        similarity("a", "b")
    assert caught.value.where == "embedder embedder_under_test:fail"


def test_the_items_of_a_dataset_from_elsewhere_name_their_source(tmp_path: Path) -> None:
    source = {"kind": "locomo", "sha256": "1" * 64, "options": {"captions": "yes"}}
    line = {"session_id": "s1", "source": source, "memories": [memory("m1")], "queries": []}
    line["queries"] = [query("retrieval", ["m1"])]
    plan = Plan(adapter="everything", dataset=write_lines(tmp_path / "set.jsonl", line))
    result = measure_recall(plan, survey(plan), Setting(), FACTS)
    assert result.system.details["source"] == source


def _without_latency(result: Result) -> dict[str, Any]:
    document = json.loads(result.serialize())
    for row in document["item_rows"]:
        del row["evidence"]["latency_ms"]
    return dict(document)
