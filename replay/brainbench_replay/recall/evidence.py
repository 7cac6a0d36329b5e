"""What one query came to: the row that every number can be recomputed from. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from brainbench_replay.recall.timeline import Moment, find_latest, is_chronological
from brainbench_schema.result import ItemRow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brainbench_replay.recall.adapters.protocol import Retrieval, Returned
    from brainbench_replay.recall.dataset import Query, Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A session's memories in time, drawn once for all of its queries.

    Attributes:
        moments: Place in time, by id.
        older: What a memory supersedes, by id.
        superseded: Ids that another memory supersedes.
    """

    session_id: str
    moments: Mapping[str, Moment]
    older: Mapping[str, str]
    superseded: frozenset[str]

    @classmethod
    def of(cls, session: Session) -> Chart:
        """Draw the chart of a session."""
        older = {one.memory_id: one.supersedes for one in session.memories if one.supersedes}
        return cls(
            session_id=session.session_id,
            moments={
                memory.memory_id: Moment(position=position, timestamp=memory.timestamp)
                for position, memory in enumerate(session.memories)
            },
            older=older,
            superseded=frozenset(older.values()),
        )


def build_row(chart: Chart, query: Query, retrieval: Retrieval, *, adapter: str) -> ItemRow:
    """Put down what came back for one query.

    Returns:
        A row whose evidence holds `required` (id, position, timestamp; None without evidence),
        `superseded` (those of them that have been revised), `found` (required ids in the order
        returned), `first`, `returned`, `flagged`, `expected`, `answer` and `latency_ms`.
    """
    evidence = {
        **gold_of(chart, query),
        **_seen(chart, query, retrieval.returned),
        "latency_ms": round(retrieval.latency_ms, 4),
    }
    return ItemRow(
        fixture_id=chart.session_id,
        harness=adapter,
        suite=query.query_type,
        item=f"{chart.session_id}/{query.query_id}",
        passed=not has_failed(query.query_type, evidence),
        evidence=evidence,
    )


def has_failed(query_type: str, evidence: Mapping[str, Any]) -> bool:
    """Judge a query by its type's own criterion; one without evidence can't fail.

    A retrieval query fails when a required memory is missing; a temporal one when fewer than
    two required memories came back (fewer than one, where only one is required) or their order
    is wrong; a contradiction query when the first memory is not the latest revision.
    """
    required = evidence["required"]
    if required is None:
        return False
    match query_type:
        case "temporal":
            return not is_in_order(evidence, at_least=min(2, len(required)))
        case "contradiction":
            return evidence["first"] not in latest_of(evidence)
        case _:
            return len(evidence["found"]) < len(required)


def is_in_order(evidence: Mapping[str, Any], *, at_least: int) -> bool:
    """Tell whether enough required memories came back, and these in order of time."""
    moments = moments_of(evidence)
    found = [moments[memory_id] for memory_id in evidence["found"]]
    return len(found) >= at_least and is_chronological(found)


def latest_of(evidence: Mapping[str, Any]) -> tuple[str, ...]:
    """Find the latest revision among a row's required memories."""
    moments = moments_of(evidence)
    return find_latest(tuple(moments), moments, frozenset(evidence["superseded"]))


def moments_of(evidence: Mapping[str, Any]) -> dict[str, Moment]:
    """Give the place in time of a row's required memories, by id."""
    return {
        entry["id"]: Moment(position=entry["position"], timestamp=entry["timestamp"])
        for entry in evidence["required"]
    }


def gold_of(chart: Chart, query: Query) -> dict[str, Any]:
    """Give the part of a row's evidence that follows from the dataset alone."""
    required, expected = query.required, list(query.scored_answers)
    if required is None:
        return {"required": None, "superseded": [], "expected": expected}
    return {
        "required": [{"id": one, **chart.moments[one].to_json()} for one in required],
        "superseded": [one for one in required if one in chart.superseded],
        "expected": expected,
    }


def _seen(chart: Chart, query: Query, returned: Sequence[Returned]) -> dict[str, Any]:
    ids = list(dict.fromkeys(one.memory_id for one in returned if one.memory_id is not None))
    required = frozenset(query.required or ())
    outdated = _outdated(chart, query)
    return {
        "found": [memory_id for memory_id in ids if memory_id in required],
        "first": returned[0].memory_id if returned else None,
        "returned": len(returned),
        "flagged": any(one.superseded and one.memory_id in outdated for one in returned),
        "answer": returned[0].reply if returned else None,
    }


def _outdated(chart: Chart, query: Query) -> frozenset[str]:
    """List the memories that the latest revision of a contradiction query made outdated."""
    if query.query_type != "contradiction" or query.required is None:
        return frozenset()
    latest = find_latest(query.required, chart.moments, chart.superseded)
    outdated = set(query.required) - set(latest)
    for memory_id in latest:
        step = chart.older.get(memory_id)
        while step is not None:
            outdated.add(step)
            step = chart.older.get(step)
    return frozenset(outdated)
