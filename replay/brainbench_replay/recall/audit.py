"""Holds a result document against its dataset: for a judge that did not run the adapter. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_replay.recall.evidence import Chart, gold_of, has_failed
from brainbench_replay.recall.metrics import build_cells

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from brainbench_replay.recall.dataset import Query, Session
    from brainbench_schema.result import ItemRow, Result


def list_discrepancies(result: Result, sessions: Iterable[Session]) -> list[str]:
    """List in what a result differs from what its dataset and its own rows say.

    What came back, and how fast, can only be believed; everything else follows.

    Returns:
        Sentences; empty for a result that holds together.
    """
    rows = {row.item: row for row in result.item_rows}
    found = list(_find_loose_rows(result, rows))
    for session in sessions:
        chart = Chart.of(session)
        for query in session.queries:
            item = f"{session.session_id}/{query.query_id}"
            row = rows.pop(item, None)
            found.extend(_find_faults(chart, query, row) if row else [f"{item}: has no row"])
    found.extend(f"{item}: is no query of the dataset" for item in rows)
    if not found and tuple(build_cells(result.item_rows)) != result.cells:
        found.append("the cells are not what the rows come to")
    return found


def _find_loose_rows(result: Result, rows: dict[str, ItemRow]) -> Iterator[str]:
    if len(rows) != len(result.item_rows):
        yield "an item has two rows"
    strangers = {row.harness for row in result.item_rows} - {result.system.name}
    yield from (f"rows are of {name}, not of {result.system.name}" for name in sorted(strangers))


def _find_faults(chart: Chart, query: Query, row: ItemRow) -> Iterator[str]:
    gold = gold_of(chart, query)
    if any(row.evidence.get(key) != value for key, value in gold.items()):
        yield f"{row.item}: the gold is not the dataset's"
    elif (row.fixture_id, row.suite) != (chart.session_id, query.query_type):
        yield f"{row.item}: session or query type is not the dataset's"
    elif not _is_possible(query, row):
        yield f"{row.item}: what was found can't be"
    elif row.passed is has_failed(row.suite, row.evidence):
        yield f"{row.item}: passed is not what its evidence says"


def _is_possible(query: Query, row: ItemRow) -> bool:
    """Tell whether what was seen fits together: found ids are required ones, each once."""
    found, first = row.evidence.get("found"), row.evidence.get("first")
    returned = row.evidence.get("returned")
    if not isinstance(found, list) or not isinstance(returned, int):
        return False
    required = set(query.required or ())
    leads = first not in required or found[:1] == [first]
    return set(found) <= required and len(set(found)) == len(found) <= returned and leads
