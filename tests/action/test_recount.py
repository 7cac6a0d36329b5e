"""A result that was measured elsewhere: believed where its rows and the corpus bear it out."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from brainbench_gate.bench.measuring import Plan, measure
from brainbench_gate.bench.recorded import MissingResultError, RecordedBench, parse_documents
from brainbench_gate.measured import CorpusFiles
from brainbench_replay.corpus import parse_corpus
from brainbench_replay.systems import tiny
from brainbench_schema.errors import InvalidInputError
from brainbench_schema.policy import Policy, SystemEntry

if TYPE_CHECKING:
    from collections.abc import Callable

    from brainbench_gate.measured import Measured

POLICY = Policy(system="everything")


@pytest.fixture(scope="module")
def corpus() -> CorpusFiles:
    """The small corpus as files."""
    fixtures, golds = zip(*tiny._cases(), strict=True)
    return CorpusFiles(fixtures=tiny._files(fixtures, "fixture"), gold=tiny._files(golds, "gold"))


@pytest.fixture(scope="module")
def measured(corpus: CorpusFiles) -> Measured:
    """A run of a memory that injects everything."""
    parsed = parse_corpus(corpus.fixtures, corpus.gold)
    return measure(parsed, Plan(system="everything"))


def judge(document: dict[str, Any], corpus: CorpusFiles, policy: Policy = POLICY) -> Measured:
    """Have a document confirmed."""
    bench = parse_documents({"result.json": json.dumps(document).encode()}, needs_rows=True)
    return bench.measure(policy, corpus)


def test_recorded_run_is_the_measured_one(measured: Measured, corpus: CorpusFiles) -> None:
    """Failed items, survey and capabilities follow from the document alone."""
    found = judge(measured.result.to_json(), corpus)
    assert found.failed == measured.failed
    assert found.survey == measured.survey
    assert found.capabilities == measured.capabilities


def _row(document: dict[str, Any], suite: str) -> dict[str, Any]:
    rows = [*document["turn_rows"], *document["item_rows"]]
    found: dict[str, Any] = next(row for row in rows if row["suite"] == suite)
    return found


LIES: dict[str, Callable[[dict[str, Any]], object]] = {
    "count of a cell": lambda d: d["cells"][0].update(gold_failed=0, gold_total=9),
    "rate of a cell": lambda d: d["cells"][0]["metrics"].update(false_fire_rate=0.5),
    "seam of a cell": lambda d: d["cells"][0].update(seam="production"),
    "a cell left out with its rows kept": lambda d: d["cells"].pop(0),
    "rows left out": lambda d: d["turn_rows"].clear(),
    "one row left out": lambda d: d["turn_rows"].pop(0),
    "a row twice": lambda d: d["turn_rows"].append(d["turn_rows"][0]),
    "a row of another turn": lambda d: d["turn_rows"][0].update(turn_id=99),
    "gold of a row": lambda d: _row(d, "push")["gold"].update(gold_slugs=["people/nobody"]),
    "a leak hidden": lambda d: next(
        row for row in d["turn_rows"] if row["fixture_id"] == "tiny-sources"
    ).update(injected_slugs=["people/basil-okonjo"], cross_source_slugs=[]),
    "passed without evidence": lambda d: _row(d, "write-back").update(
        passed=True, evidence={"found": False, "provenance": False, "stored": None}
    ),
    "evidence without the words": lambda d: _row(d, "write-back").update(
        passed=True, evidence={"found": True, "provenance": True, "stored": "something else"}
    ),
    "an item left out": lambda d: d["item_rows"].pop(0),
    "held-out fixtures": lambda d: d["receipt"].update(include_holdout=True),
    "a failed seed": lambda d: d["seed_failures"].append({"fixture_id": "x", "error": "y"}),
}


@pytest.mark.parametrize("lie", sorted(LIES))
def test_lie_is_refused(measured: Measured, corpus: CorpusFiles, lie: str) -> None:
    """Each names the file and the place."""
    document = json.loads(measured.result.serialize())
    LIES[lie](document)
    with pytest.raises(InvalidInputError) as caught:
        judge(document, corpus)
    assert all(fault.file == "result.json" for fault in caught.value.faults)


def test_result_of_another_ground_is_missing(measured: Measured, corpus: CorpusFiles) -> None:
    """Other corpus, other suites, other harnesses: nothing to judge."""
    document = measured.result.to_json()
    document["receipt"]["fixtures_hash"] = "0" * 64
    with pytest.raises(MissingResultError):
        judge(document, corpus)
    with pytest.raises(MissingResultError):
        judge(measured.result.to_json(), corpus, replace(POLICY, suites=("push",)))


def test_result_of_another_entry_is_missing(measured: Measured, corpus: CorpusFiles) -> None:
    """The same name in both policies, and another program behind it."""
    moved = replace(POLICY, systems={"everything": SystemEntry(kind="keyword")})
    with pytest.raises(MissingResultError, match="this entry of 'everything'"):
        judge(measured.result.to_json(), corpus, moved)
    document = measured.result.to_json()
    del document["_meta"]["system"]["details"]["entry"]
    assert judge(document, corpus).result.system.name == "everything"


def test_repeats_are_given_one_after_the_other(measured: Measured, corpus: CorpusFiles) -> None:
    """As many documents as replays."""
    data = measured.result.serialize()
    bench = parse_documents({"result.json": data, "result-2.json": data})
    for _ in range(2):
        bench.measure(POLICY, corpus)
    assert set(bench.taken.values()) == {1}


def test_foreign_runner_may_leave_rows_out_unless_they_are_needed(
    measured: Measured, corpus: CorpusFiles
) -> None:
    """Of a fork, cells without rows are inconclusive."""
    entry = SystemEntry(kind="result", command=("run",))
    policy = replace(POLICY, systems={"everything": entry})
    bare = replace(measured.result, turn_rows=(), item_rows=())
    documents = parse_documents({"result.json": bare.serialize()}).documents
    assert RecordedBench(documents=documents).measure(policy, corpus).result == bare
    with pytest.raises(InvalidInputError):
        RecordedBench(documents=documents, needs_rows=True).measure(policy, corpus)
