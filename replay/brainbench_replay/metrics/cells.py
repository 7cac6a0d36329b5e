"""Rows → cells: what every number of a result can be recomputed from."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeVar

from brainbench_replay.metrics import continuity, know_to_ask, push, write_back
from brainbench_schema.fixture import SUITES
from brainbench_schema.numbers import round4
from brainbench_schema.result import Cell, ItemRow, TurnRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from brainbench_replay.metrics.score import Score

Row = TypeVar("Row", TurnRow, ItemRow)

REPLAYED_SUITES = ("know-to-ask", "push", "continuity")
"""Suites whose cells also carry what their replayed turns tell: isolation and tokens."""


def build_cells(
    turn_rows: Iterable[TurnRow], item_rows: Iterable[ItemRow], seams: Mapping[str, str]
) -> list[Cell]:
    """Score every harness × suite that has a scored row.

    Args:
        seams: The kind of seam of each harness, in the order the cells should have.
    """
    turns, items = _by_cell(turn_rows), _by_cell(item_rows)
    cells = []
    for harness, seam in seams.items():
        for suite in SUITES:
            rows, probes = turns[harness, suite], items[harness, suite]
            score = score_suite(suite, rows, probes)
            if score is not None:
                cells.append(_cell(harness, suite, seam, score, rows, probes))
    return cells


def score_suite(suite: str, turns: Sequence[TurnRow], items: Sequence[ItemRow]) -> Score | None:
    """Score one suite on one harness; None where nothing in its rows is scored."""
    match suite:
        case "write-back":
            return write_back.score(items) if items else None
        case "continuity":
            return continuity.score(items) if items else None
        case _:
            if all(turn.gold is None for turn in turns):
                return None
            return know_to_ask.score(turns) if suite == "know-to-ask" else push.score(turns)


def _cell(
    harness: str,
    suite: str,
    seam: str,
    score: Score,
    turns: Sequence[TurnRow],
    items: Sequence[ItemRow],
) -> Cell:
    metrics = dict(score.metrics)
    if suite in REPLAYED_SUITES:
        metrics["source_isolation_violations"] = sum(len(turn.cross_source_slugs) for turn in turns)
        tokens = sum(turn.injected_tokens for turn in turns)
        metrics["avg_injected_tokens"] = tokens / len(turns) if turns else 0
    rows = items if suite in ("write-back", "continuity") else turns
    return Cell(
        suite=suite,
        harness=harness,
        seam=seam,
        gold_total=score.gold_total,
        gold_failed=score.gold_failed,
        metrics={name: round4(value) for name, value in metrics.items()},
        fixtures=tuple(sorted({row.fixture_id for row in rows})),
    )


def list_failed(
    turn_rows: Iterable[TurnRow], item_rows: Iterable[ItemRow]
) -> dict[str, tuple[str, ...]]:
    """List failed gold items and wrong pushes by cell (``harness/suite``), each cell sorted."""
    turns, items = _by_cell(turn_rows), _by_cell(item_rows)
    failed = {}
    for harness, suite in sorted({*turns, *items}):
        score = score_suite(suite, turns[harness, suite], items[harness, suite])
        if score is not None:
            failed[f"{harness}/{suite}"] = tuple(sorted((*score.failed, *score.wrong)))
    return failed


def _by_cell(rows: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        found[row.harness, row.suite].append(row)
    return found
