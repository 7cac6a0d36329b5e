"""The committed dataset: what it promises, and where the anchors land on it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from brainbench_replay.recall.adapters.registry import Setting, open_adapter
from brainbench_replay.recall.dataset import read_sessions, survey_dataset
from brainbench_replay.recall.evaluator import evaluate
from brainbench_replay.recall.metrics import GATED, measure

FOLDER = Path(__file__).parents[2] / "evals" / "braincore"
DATASET = FOLDER / "synthetic_benchmark.jsonl"


def _score(adapter: str) -> dict[str, dict[str, float | None]]:
    """Give every gated metric by query type."""
    with open_adapter(adapter, Setting()) as driver:
        rows = evaluate(read_sessions(DATASET), driver).rows
    return {
        query_type: {
            metric: measure([row for row in rows if row.suite == query_type])[metric].value
            for metric in GATED
        }
        for query_type in ("retrieval", "temporal", "contradiction")
    }


def _documents() -> list[dict[str, Any]]:
    return [json.loads(line) for line in DATASET.read_text("utf-8").splitlines()]


def test_empty_scores_zero_everywhere() -> None:
    scores = _score("empty")
    assert {value for cell in scores.values() for value in cell.values()} == {0, None}


def test_everything_has_all_evidence_and_nothing_else() -> None:
    scores = _score("everything")
    assert {cell["evidence_recall"] for cell in scores.values()} == {1}
    assert {cell["exact_match"] for cell in scores.values()} == {0}
    assert scores["temporal"]["temporal_order_score"] == 0
    assert scores["contradiction"]["contradiction_resolution_score"] == 0


def test_latest_is_perfect_on_contradiction_and_poor_elsewhere() -> None:
    scores = _score("latest")
    assert scores["contradiction"] == {
        "exact_match": 1,
        "temporal_order_score": None,
        "contradiction_resolution_score": 1,
        "evidence_recall": 1,
    }
    for query_type in ("retrieval", "temporal"):
        assert scores[query_type]["exact_match"] == 0
        assert (scores[query_type]["evidence_recall"] or 0) < 0.25
    assert scores["temporal"]["temporal_order_score"] == 0


def test_keyword_leaves_room_on_every_type() -> None:
    """A baseline at 0 could not get worse, and one at 1 could not get better."""
    scores = _score("keyword")
    assert 0.3 < (scores["retrieval"]["exact_match"] or 0) < 0.8
    assert 0.05 < (scores["temporal"]["temporal_order_score"] or 0) < 0.6
    assert 0.05 < (scores["contradiction"]["contradiction_resolution_score"] or 0) < 0.6


def test_every_ten_sessions_hold_all_three_types() -> None:
    documents = _documents()
    assert survey_dataset(DATASET).sessions == len(documents) == 100
    for start in range(0, 100, 10):
        kinds = Counter(one["queries"][0]["query_type"] for one in documents[start : start + 10])
        assert kinds == {"retrieval": 4, "temporal": 3, "contradiction": 3}


def test_difficulty_is_what_the_readme_says() -> None:
    documents = _documents()
    categories = Counter(q["source_category"] for one in documents for q in one["queries"])
    assert set(categories) == {
        "paraphrase", "distractors", "two facts", "same day", "relative dates", "revision",
        "retraction",
    }  # fmt: skip
    assert min(categories.values()) >= 5
    for one in documents:
        older = {m["memory_id"]: m.get("supersedes") for m in one["memories"]}
        for asked in one["queries"]:
            if asked["query_type"] == "contradiction":
                assert _count_revisions(older, asked["required_memory_ids"][0]) >= 3


def test_the_newest_memory_is_never_an_answer() -> None:
    """Being last alone wins nothing."""
    for one in _documents():
        last = one["memories"][-1]["memory_id"]
        assert all(last not in asked["required_memory_ids"] for asked in one["queries"])


def test_ids_tell_nothing_of_the_gold() -> None:
    for one in _documents():
        ids = [m["memory_id"] for m in one["memories"]]
        assert ids == [f"m{number:02}" for number in range(1, len(ids) + 1)]


def test_the_generator_writes_what_is_committed(tmp_path: Path) -> None:
    assert _generate("--check") == (0, "")


def test_drift_is_told(tmp_path: Path) -> None:
    copy = tmp_path / "set.jsonl"
    copy.write_bytes(DATASET.read_bytes().replace(b"cello", b"viola"))
    code, told = _generate("--check", "--out", str(copy))
    assert code == 2
    assert "not what the generator writes" in told


def test_a_checkout_with_crlf_is_no_drift(tmp_path: Path) -> None:
    copy = tmp_path / "set.jsonl"
    copy.write_bytes(DATASET.read_bytes().replace(b"\n", b"\r\n"))
    assert _generate("--check", "--out", str(copy)) == (0, "")


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_the_generator_gives_the_same_bytes_anywhere(tmp_path: Path, hash_seed: str) -> None:
    out = tmp_path / "set.jsonl"
    assert _generate("--out", str(out), PYTHONHASHSEED=hash_seed) == (0, "")
    assert out.read_bytes() == DATASET.read_bytes().replace(b"\r\n", b"\n")


def _count_revisions(older: dict[str, str | None], memory_id: str | None) -> int:
    count = 0
    while memory_id is not None:
        memory_id = older[memory_id]
        count += 1
    return count


def _generate(*arguments: str, **environment: str) -> tuple[int, str]:
    command = [sys.executable, str(FOLDER / "generator"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    return done.returncode, done.stderr
