"""Documents: what their readers refuse, and that writing and reading are each other's inverse."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from brainbench_schema import schemas
from brainbench_schema.baseline import parse_baseline, parse_items
from brainbench_schema.errors import InvalidInputError
from brainbench_schema.policy import Policy
from brainbench_schema.result import parse_result

SHA = "a" * 64
CONFIG = {"include_holdout": False, "llm": False, "harnesses": ["codex"], "suites": ["push"]}
BASELINE: dict[str, Any] = {
    "schema_version": 1,
    "fixtures_hash": SHA,
    "config": CONFIG,
    "justification": "x",
    "cells": {"codex/push": {"push_recall": 0.5}},
    "counts": {"codex/push": {"gold_total": 4, "gold_failed": 2}},
}
ITEMS: dict[str, Any] = {
    "schema_version": 1,
    "fixtures_hash": SHA,
    "config": CONFIG,
    "measure": 1,
    "against": None,
    "system": {"name": "reflex", "version": "1", "capabilities": ["push"]},
    "cells": {"codex/push": ["a#1:x", "b#2:y"]},
}
RESULT: dict[str, Any] = {
    "receipt": {
        "result_schema_version": 1,
        "fixtures_hash": SHA,
        "harness_sha": "unknown",
        "ts": "2026-01-01T00:00:00Z",
        "cmd_args": ["run"],
        "seed": 0,
        "include_holdout": False,
        "llm": False,
    },
    "cells": [
        {
            "suite": "push",
            "harness": "codex",
            "seam": "contract",
            "gold_total": 1,
            "gold_failed": 1,
            "metrics": {"push_recall": 0},
            "fixtures": ["a"],
        }
    ],
    "turn_rows": [
        {
            "fixture_id": "a",
            "turn_id": 1,
            "harness": "codex",
            "suite": "push",
            "injected_slugs": [],
            "injected_tokens": 0,
            "gold": {"should_retrieve": True, "gold_slugs": ["x"]},
            "cross_source_slugs": [],
            "latency_ms": 0.25,
        }
    ],
    "item_rows": [
        {
            "fixture_id": "a",
            "harness": "codex",
            "suite": "write-back",
            "item": "a#1/1",
            "passed": True,
            "evidence": {"found": True},
        }
    ],
    "seed_failures": [{"fixture_id": "b", "error": "no"}],
    "_meta": {
        "metric_glossary": {"push_recall": "Share."},
        "system": {"name": "reflex", "version": "1", "kind": "reflex", "details": {}},
        "skipped": [{"suite": "push", "harness": "openclaw", "reason": "no items"}],
        "versions": {"python": "3.11"},
    },
}

Change = tuple[list[Any], Any]
DROP = object()


def changed(document: dict[str, Any], path: list[Any], value: Any) -> bytes:
    """A copy of a document with one place changed, or removed."""
    new = copy.deepcopy(document)
    place: Any = new
    for step in path[:-1]:
        place = place[step]
    if value is DROP:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return json.dumps(new).encode()


def pointers(parse: Any, data: bytes) -> list[str]:
    with pytest.raises(InvalidInputError) as caught:
        parse(data, "x.json")
    return [fault.pointer for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("path", "value", "pointer"),
    [
        (["schema_version"], 2, "/schema_version"),
        (["schema_version"], True, "/schema_version"),
        (["fixtures_hash"], "abc", "/fixtures_hash"),
        (["fixtures_hash"], DROP, ""),
        (["extra"], 1, "/extra"),
        (["config", "llm"], 0, "/config/llm"),
        (["config", "harnesses"], "codex", "/config/harnesses"),
        (["cells", "codex/push", "push_recall"], "1", "/cells/codex~1push/push_recall"),
        (["cells", "codex/push", "push_recall"], True, "/cells/codex~1push/push_recall"),
        (["cells", "codex"], {}, "/cells"),
        (["counts", "codex/push", "gold_failed"], 5, "/counts/codex~1push"),
        (["counts", "codex/push", "gold_failed"], -1, "/counts/codex~1push/gold_failed"),
        (["counts", "codex/push", "gold_failed"], True, "/counts/codex~1push/gold_failed"),
        (["counts", "codex/push", "gold_failed"], 1.5, "/counts/codex~1push/gold_failed"),
        (["counts"], {}, "/counts"),
        (["cells"], {}, "/cells"),
    ],
)
def test_baseline_refuses(path: list[Any], value: Any, pointer: str) -> None:
    """A baseline with one thing wrong is refused at that place."""
    assert [pointer] == pointers(parse_baseline, changed(BASELINE, path, value))


def test_baseline_round_trip() -> None:
    """Reading and writing give the same bytes, whatever the order and form of numbers."""
    baseline = parse_baseline(changed(BASELINE, ["cells", "codex/push", "push_recall"], 1.0), "x")

    assert b'"push_recall": 1\n' in baseline.serialize()
    assert baseline == parse_baseline(baseline.serialize(), "x")


def test_baseline_lists_all_faults_at_once() -> None:
    """Two faults are two entries."""
    data = changed(json.loads(changed(BASELINE, ["extra"], 1)), ["fixtures_hash"], 5)

    assert ["/extra", "/fixtures_hash"] == pointers(parse_baseline, data)


@pytest.mark.parametrize(
    ("path", "value", "pointer"),
    [
        (["measure"], 0, "/measure"),
        (["against"], "xyz", "/against"),
        (["against"], DROP, ""),
        (["system", "capabilities"], "push", "/system/capabilities"),
        (["cells", "codex/push"], [""], "/cells/codex~1push/0"),
    ],
)
def test_items_refuses(path: list[Any], value: Any, pointer: str) -> None:
    """An items file with one thing wrong is refused at that place."""
    assert [pointer] == pointers(parse_items, changed(ITEMS, path, value))


def test_items_round_trip() -> None:
    """Reading and writing are each other's inverse; ids come sorted."""
    data = changed(ITEMS, ["cells", "codex/push"], ["b#2:y", "a#1:x"])
    items = parse_items(data, "x")

    assert items.cells == {"codex/push": ("a#1:x", "b#2:y")}
    assert items == parse_items(items.serialize(), "x")


@pytest.mark.parametrize(
    ("path", "value", "pointer"),
    [
        (["receipt", "result_schema_version"], 2, "/receipt/result_schema_version"),
        (["receipt", "ts"], "2026-13-01T00:00:00Z", "/receipt/ts"),
        (["receipt", "ts"], "2026-01-01T00:00:00", "/receipt/ts"),
        (["cells", 0, "gold_failed"], 2, "/cells/0"),
        (["cells", 0, "seam"], "guess", "/cells/0/seam"),
        (["cells", 0, "harness"], "a/b", "/cells/0/harness"),
        (["turn_rows", 0, "latency_ms"], -1, "/turn_rows/0/latency_ms"),
        (["turn_rows", 0, "gold", "note"], "x", "/turn_rows/0/gold/note"),
        (["item_rows", 0, "passed"], 1, "/item_rows/0/passed"),
        (["_meta", "system"], DROP, "/_meta"),
        (["seed_failures", 0, "error"], 3, "/seed_failures/0/error"),
    ],
)
def test_result_refuses(path: list[Any], value: Any, pointer: str) -> None:
    """A result with one thing wrong is refused at that place."""
    assert [pointer] == pointers(parse_result, changed(RESULT, path, value))


def test_result_refuses_a_cell_twice() -> None:
    """One harness and suite give one cell."""
    data = changed(RESULT, ["cells"], [RESULT["cells"][0]] * 2)

    assert ["/cells/1"] == pointers(parse_result, data)


def test_result_round_trip() -> None:
    """Reading and writing are each other's inverse; an optional comparison is kept."""
    judged = {"verdict": "pass", "mode": "same-hash", "breaches": [], "notes": [], "checks": []}
    for document in (RESULT, {**RESULT, "compare": judged}):
        result = parse_result(json.dumps(document).encode(), "x")

        assert document == json.loads(result.serialize())
        assert result == parse_result(result.serialize(), "x")


def test_result_covers_what_was_skipped() -> None:
    """A harness without a cell still counts as covered."""
    result = parse_result(json.dumps(RESULT).encode(), "x")

    assert ("codex", "openclaw") == result.harnesses
    assert ("push",) == result.suites


def test_policy_defaults() -> None:
    """Two keys make a policy; the items file stands beside the baseline."""
    policy = Policy.from_json({"schema_version": 1, "system": "mine"})

    assert "baselines/main.items.json" == policy.items
    assert ("openclaw", "claude-code", "codex") == policy.harnesses


@pytest.mark.parametrize(
    ("key", "value", "pointer"),
    [
        ("fixtures", "/etc", "/fixtures"),
        ("gold", "../gold", "/gold"),
        ("baseline", "C:/x.json", "/baseline"),
        ("baseline", "a\\b.json", "/baseline"),
        ("baseline", "main.txt", "/baseline"),
        ("name", "a b", "/name"),
        ("repeats", 0, "/repeats"),
        ("repeats", 26, "/repeats"),
        ("suites", ["push", "push"], "/suites"),
        ("harnesses", ["codex", "openclaw", "codex"], "/harnesses"),
        ("floors", {"push_recall": "high"}, "/floors/push_recall"),
        ("gated", {"answer_f1": "up"}, "/gated/answer_f1"),
        ("recall", {"dataset": "../x", "adapter": "a", "baseline": "b.json"}, "/recall/dataset"),
        ("systems", {"mine": {"command": ["x"]}}, "/systems/mine"),
        ("harness", ["codex"], "/harness"),
    ],
)
def test_policy_refuses(key: str, value: Any, pointer: str) -> None:
    """A policy with one thing wrong is refused at that place."""
    with pytest.raises(InvalidInputError) as caught:
        Policy.from_json({"schema_version": 1, "system": "mine", key: value})

    assert [pointer] == [fault.pointer for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("repeats", 0, "/repeats: must be at least 1, not 0"),
        ("repeats", 100000, "/repeats: must be at most 25, not 100000"),
        ("suites", ["push", "push"], '/suites: names "push" twice'),
        ("nonsense", 1, "/nonsense: unknown key 'nonsense'\n  → known keys are baseline, first_"),
        (
            "systems",
            {"a": {"kind": "command", "timeout_s": 0}},
            "/systems/a/timeout_s: must be more than 0, not 0",
        ),
        ("name", "a b", "does not match"),
    ],
)
def test_policy_faults_are_told_in_words(key: str, value: Any, told: str) -> None:
    """With what to do; no path is named that a user doesn't have."""
    with pytest.raises(InvalidInputError) as caught:
        Policy.from_json({"schema_version": 1, "system": "mine", key: value})

    assert told in str(caught.value)
    assert "\n  → " in str(caught.value)
    assert "schema.json" not in str(caught.value)


def test_most_repeats_are_a_policy() -> None:
    """The bound itself may be asked for."""
    document = {"schema_version": 1, "system": "mine", "repeats": 25}
    assert 25 == Policy.from_json(document).repeats


def test_every_kind_has_an_advice() -> None:
    """Whatever of it is wrong."""
    assert set(schemas.KINDS) | {"recall_session"} == set(schemas.ADVICE)


def test_policy_names_the_nearest_key() -> None:
    """An unknown key is answered with the one that was meant."""
    with pytest.raises(InvalidInputError, match="did you mean 'harnesses'"):
        Policy.from_json({"schema_version": 1, "system": "mine", "harnes": []})


def test_policy_is_a_mapping() -> None:
    """A policy that is a list is refused, not a crash."""
    with pytest.raises(InvalidInputError, match="must be object"):
        Policy.from_json([])  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", schemas.KINDS)
def test_published_schemas_are_sound(kind: str) -> None:
    """Each published schema is itself a valid draft 7 schema."""
    from jsonschema import Draft7Validator

    Draft7Validator.check_schema(schemas.load_schema(kind))


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("2026-03-01T10:00:00Z", True),
        ("2026-03-01t10:00:00.123456789+02:00", True),
        ("2026-02-30T10:00:00Z", False),
        ("2026-03-01 10:00:00Z", False),
        ("2026-03-01T10:00:00", False),
        ("2026-03-01T25:00:00Z", False),
        ("", False),
    ],
)
def test_timestamps(text: str, *, known: bool) -> None:
    """RFC 3339 with an offset, on days and at hours that exist."""
    assert known is schemas.is_timestamp(text)
