"""Inputs and outputs of single rules, as an independent implementation of the contract has them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from brainbench_gate.baseline import build_baseline
from brainbench_gate.cli import invoke
from brainbench_gate.rules import judge
from brainbench_replay.corpus import parse_corpus
from brainbench_replay.metrics import know_to_ask, push
from brainbench_replay.systems.protocol import Message
from brainbench_replay.systems.reflex.candidates import find_candidates, is_name
from brainbench_replay.systems.reflex.segments import split
from brainbench_replay.systems.reflex.text import (
    normalize_alias,
    normalize_aliases,
    slugify,
    strip_possessive,
)
from brainbench_schema import schemas
from brainbench_schema.baseline import Baseline, Config, parse_baseline
from brainbench_schema.errors import InvalidInputError
from brainbench_schema.numbers import round4
from brainbench_schema.result import Cell, Receipt, Result, SystemInfo, TurnRow

VECTORS = Path(__file__).parent / "vectors"


def load(name: str) -> Any:
    return json.loads((VECTORS / f"{name}.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("round4", round4),
        ("slugify", slugify),
        ("normalize_alias", normalize_alias),
        ("alias_list", normalize_aliases),
    ],
)
def test_pairs(name: str, function: Any) -> None:
    """Each function gives the second value of a pair for the first."""
    pairs = load(name)

    assert [expected for _, expected in pairs] == [function(given) for given, _ in pairs]


def test_candidates() -> None:
    """Display and query of every candidate, in order."""
    for vector in load("candidates"):
        found = [
            {"display": candidate.display, "query": candidate.query}
            for candidate in find_candidates(vector["text"])
        ]

        assert vector["expect"] == found, vector["text"]


def test_word_filter() -> None:
    """A word alone at a sentence start, and in the middle of one."""
    words = load("word_filter")

    assert words == {
        word: [is_name(strip_possessive(word), place) for place in (False, True)] for word in words
    }


def test_segments() -> None:
    """Places of the messages in each segment."""
    for vector in load("segments"):
        messages = [Message(**message) for message in vector["messages"]]
        found = [[messages.index(message) for message in segment] for segment in split(messages)]

        assert vector["expect"] == found


def test_score() -> None:
    """Counts and unrounded rates of rows."""
    for vector in load("score"):
        rows = [TurnRow(**row) for row in vector["rows"]]
        for name, module in (("know_to_ask", know_to_ask), ("push", push)):
            score = module.score(rows)
            found = {
                "gold_total": score.gold_total,
                "gold_failed": score.gold_failed,
                "metrics": score.metrics,
            }

            assert vector[name] == found


def test_validate() -> None:
    """The loader accepts and refuses what the contract does."""
    for vector in load("validate"):
        fixture = {"a.fixture.json": json.dumps(vector["fixture"]).encode()}
        gold = {"a.gold.json": json.dumps(vector["gold"]).encode()} if "gold" in vector else {}

        assert vector["expect"] == _verdict(fixture, gold), vector


def _verdict(fixture: dict[str, bytes], gold: dict[str, bytes]) -> str:
    """Load one document pair; what only a whole corpus can have is left aside."""
    try:
        parse_corpus(fixture, gold)
    except InvalidInputError as error:
        aside = ("no gold for", "needs one writer and one reader")
        faults = [f for f in error.faults if not any(text in f.message for text in aside)]
        if gold:
            faults += [f for f in error.faults if "no gold for" in f.message]
        return "error" if faults else "ok"
    return "ok"


def test_schema_agrees_with_the_loader() -> None:
    """What the published schema refuses, the loader refuses; the quick check says the same."""
    for vector in load("validate"):
        if schemas.check("fixture", vector["fixture"], "a.fixture.json"):
            assert vector["expect"] == "error", vector


def test_serialize() -> None:
    """The bytes of a baseline."""
    for vector in load("serialize"):
        result = Result(
            receipt=Receipt(harness_sha="unknown", ts="", cmd_args=(), seed=0, **vector["receipt"]),
            cells=tuple(Cell(**cell) for cell in vector["cells"]),
            turn_rows=(),
            item_rows=(),
            seed_failures=(),
            metric_glossary={},
            system=SystemInfo(name="any", version="", kind="any"),
            skipped=(),
            versions={},
        )
        config = Config.from_json({**vector["receipt"], **vector["config"]})
        baseline = build_baseline(result, justification=vector["justification"], config=config)

        assert vector["expect"] == baseline.serialize().decode()


def test_compare() -> None:
    """Verdict, mode and breaches of the core rules, breaches in order."""
    for number, vector in enumerate(load("compare")):
        main = _baseline(vector["main"])
        current = _baseline(vector["current"])
        assert main is not None
        assert current is not None
        judgement = judge(
            current, main, _baseline(vector["committed"]), allowance=vector["allow_regression"]
        )
        found = {
            "verdict": judgement.verdict.value,
            "mode": judgement.mode.value,
            "breaches": [
                {
                    "cell": breach.cell,
                    "metric": breach.metric,
                    "baseline": breach.baseline,
                    "current": breach.current,
                }
                for breach in judgement.breaches
            ],
        }

        assert vector["expect"] == found, number


def test_compare_as_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same on files: what is printed, and the exit code."""
    codes = {"pass": 0, "regression": 1, "inconclusive": 2}
    for number, vector in enumerate(load("compare")):
        arguments = ["compare", "--json"]
        for name in ("main", "current", "committed"):
            path = tmp_path / f"{name}.json"
            path.write_text(json.dumps(vector[name]), encoding="utf-8")
        arguments += [str(tmp_path / "main.json"), str(tmp_path / "current.json")]
        if vector["committed"] is not None:
            arguments += ["--committed-baseline", str(tmp_path / "committed.json")]
        if vector["allow_regression"] is not None:
            arguments += ["--allow-regression", vector["allow_regression"]]
        code = invoke(arguments)
        told = json.loads(capsys.readouterr().out)
        expected = vector["expect"]
        assert codes[expected["verdict"]] == code, number
        assert expected == {key: told[key] for key in expected}, number


def _baseline(document: Any) -> Baseline | None:
    return parse_baseline(json.dumps(document).encode(), "vector") if document else None
