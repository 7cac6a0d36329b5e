"""The mcp kind: ways to reset, to read slugs, and what an entry without a write path skips."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.systems.kinds import PROGRAMS, TEMPLATES, make_entry

from brainbench_gate.bench.measuring import Plan, measure
from brainbench_replay.systems.tiny import tiny_corpus
from brainbench_schema.errors import MemorySystemError


def run(changes: dict[str, Any], *, leave: tuple[str, ...] = (), **fields: Any) -> Any:
    """Measure the test server with changed templates on the tiny corpus."""
    mcp = {key: value for key, value in {**TEMPLATES, **changes}.items() if key not in leave}
    entry = replace(make_entry("mcp"), mcp=mcp, **fields)
    return measure(tiny_corpus(), Plan(system="m", systems={"m": entry}, folder=PROGRAMS)).result


@pytest.mark.parametrize(
    "reset",
    [
        "restart",
        {"tool": "forget", "arguments": {"ids": "{ids}"}},
        {"tool": "forget", "arguments": {"ids": ["{id}"]}},
    ],
)
def test_every_way_to_reset_forgets(reset: object) -> None:
    """A new start, one call with all ids, or one call for each."""
    result = run({"reset": reset})
    assert {cell.gold_failed for cell in result.cells} == {0}
    assert result.system.details["query_policy"] == "names"


def test_a_slug_pattern_reads_ids_from_the_text() -> None:
    """In place of `id` and `text`."""
    pattern = r'"id": "([^"]+)"'
    result = run({}, leave=("id", "text"), slug_pattern=pattern)
    assert {cell.gold_failed for cell in result.cells} == {0}


def test_without_write_and_list_the_write_path_is_skipped() -> None:
    """With its reason."""
    result = run({}, leave=("write", "forget", "list", "facts"))
    assert {cell.suite for cell in result.cells} == {"know-to-ask", "push"}
    assert {entry.reason for entry in result.skipped if entry.suite == "write-back"} == {
        "m does not support it"
    }


def test_a_tool_that_is_not_there_is_named() -> None:
    """With those that are."""
    with pytest.raises(MemorySystemError, match="no tool 'remember'") as caught:
        run({"store": {"tool": "remember", "arguments": {}}})
    assert "forget, list, search, store, write" in str(caught.value)


def test_ids_and_texts_must_pair_up() -> None:
    """One text for each id."""
    with pytest.raises(MemorySystemError, match="finds"):
        run({"text": "$.hits"})
