"""The run: every session through an adapter, every query to a row."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from brainbench_replay.recall.errata import NO_ERRATA
from brainbench_replay.recall.evidence import Chart, build_row
from brainbench_schema.errors import MemorySystemError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from brainbench_replay.recall.adapters.protocol import Driver, Returned
    from brainbench_replay.recall.dataset import Session
    from brainbench_replay.recall.errata import Errata
    from brainbench_schema.result import ItemRow


@dataclass(slots=True, kw_only=True)
class Recalled:
    """What a run saw.

    Attributes:
        rows: One for each query, against the gold as published.
        adjusted: The same under the errata; as `rows` where there are none.
        storage_bytes: The largest and the summed size of the sessions' stores.
        unknown_ids: Returned memories whose id no memory of their session has.
    """

    rows: list[ItemRow] = field(default_factory=list)
    adjusted: list[ItemRow] = field(default_factory=list)
    storage_bytes_max: int = 0
    storage_bytes_sum: int = 0
    unknown_ids: int = 0


def evaluate(
    sessions: Iterable[Session],
    driver: Driver,
    *,
    errata: Errata = NO_ERRATA,
    progress: Callable[[int], None] = lambda _: None,
) -> Recalled:
    """Ask an adapter everything that a dataset asks.

    Args:
        errata: Corrections of the gold; scored beside it, never in its place.
        progress: Called with the number of sessions done.

    Raises:
        MemorySystemError: The adapter failed; with session and query.
        InvalidInputError: An erratum names a memory or query that isn't there.
    """
    seen = Recalled()
    for done, session in enumerate(sessions, 1):
        with _in_place(f"session {session.session_id}"):
            driver.begin(session.memories)
        _ask_all(seen, session, driver, errata)
        with _in_place(f"session {session.session_id}"):
            size = driver.storage_bytes()
        seen.storage_bytes_max = max(seen.storage_bytes_max, size)
        seen.storage_bytes_sum += size
        progress(done)
    errata.refuse_unused(row.item for row in seen.rows)
    return seen


def _ask_all(seen: Recalled, session: Session, driver: Driver, errata: Errata) -> None:
    chart = Chart.of(session)
    for query in session.queries:
        with _in_place(f"session {session.session_id}, query {query.query_id}"):
            retrieval = driver.retrieve(query.text, query.top_k)
        row = build_row(chart, query, retrieval, adapter=driver.name)
        seen.rows.append(row)
        seen.unknown_ids += _count_unknown(retrieval.returned, chart)
        corrected = errata.correct(session, query)
        if corrected is query:
            seen.adjusted.append(row)
        elif corrected is not None:
            seen.adjusted.append(build_row(chart, corrected, retrieval, adapter=driver.name))


def _count_unknown(returned: Iterable[Returned], chart: Chart) -> int:
    return sum(one.memory_id is not None and one.memory_id not in chart.moments for one in returned)


@contextmanager
def _in_place(place: str) -> Iterator[None]:
    try:
        yield
    except MemorySystemError as error:
        where = f"{error.where}, {place}" if error.where else place
        raise MemorySystemError(error.what, where=where, advice=error.advice) from error
