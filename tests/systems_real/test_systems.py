"""Real systems of each kind, on the committed corpus: stable, and as the page shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.systems_real import table

from brainbench_gate.bench import launching

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_schema.result import Result

REAL = ("notes", "langgraph", "mem0", "server-memory", "sdk-server", "recall-hook")


@pytest.fixture(scope="module")
def measured() -> Iterator[dict[str, Result]]:
    """Every system, measured once."""
    yield {name: table.measure_system(name) for name in (*table.BUILT_IN, *REAL)}
    launching.end()


@pytest.mark.parametrize("name", REAL)
def test_two_runs_give_the_same(name: str, measured: dict[str, Result]) -> None:
    """Rows, cells and what was skipped are equal; only times differ."""
    first, second = measured[name], table.measure_system(name)
    assert _without_times(first) == _without_times(second)


@pytest.mark.parametrize("name", REAL)
def test_a_real_system_is_no_anchor(name: str, measured: dict[str, Result]) -> None:
    """Each finds more than silence, and fires less than everything."""
    for cell in measured[name].cells:
        if cell.suite == "push":
            assert cell.metrics["push_recall"] > 0.25
        if cell.suite == "know-to-ask":
            assert cell.metrics["false_fire_rate"] < 0.28


def test_the_page_shows_what_was_measured(measured: dict[str, Result]) -> None:
    """``python -m tests.systems_real.table`` writes it anew."""
    assert table.render_measured(list(measured.values())) == table.read_measured()


def _without_times(result: Result) -> dict[str, object]:
    document = result.to_json()
    document["receipt"].pop("ts")
    for row in document["turn_rows"]:
        row.pop("latency_ms")
    return document
