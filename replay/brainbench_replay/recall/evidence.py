"""What one query came to: the row that every number can be recomputed from. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from brainbench_replay.recall.timeline import Moment, find_latest, is_chronological
from brainbench_schema.result import ItemRow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brainbench_replay.recall.adapters.protocol import Retrieval, Returned
    from brainbench_replay.recall.dataset import Query, Session


def build_row(session: Session, query: Query, retrieval: Retrieval, *, adapter: str) -> ItemRow:
    """Put down what came back for one query.

    Returns:
        A row whose evidence holds `required` (id, position, timestamp; None without evidence),
        `superseded` (those of them that have been revised), `found` (required ids in the order
        returned), `first`, `returned`, `flagged`, `expected`, `answer` and `latency_ms`.
    """
    evidence = {
        **_gold(session, query),
        **_seen(session, query, retrieval.returned),
        "latency_ms": round(retrieval.latency_ms, 4),
    }
    return ItemRow(
        fixture_id=session.session_id,
        harness=adapter,
        suite=query.query_type,
        item=f"{session.session_id}/{query.query_id}",
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


def _gold(session: Session, query: Query) -> dict[str, Any]:
    expected = list(query.scored_answers)
    if query.required is None:
        return {"required": None, "superseded": [], "expected": expected}
    moments = session.moments()
    revised = {memory.supersedes for memory in session.memories}
    return {
        "required": [{"id": one, **moments[one].to_json()} for one in query.required],
        "superseded": [one for one in query.required if one in revised],
        "expected": expected,
    }


def _seen(session: Session, query: Query, returned: Sequence[Returned]) -> dict[str, Any]:
    ids = list(dict.fromkeys(one.memory_id for one in returned if one.memory_id is not None))
    required = frozenset(query.required or ())
    outdated = _outdated(session, query)
    return {
        "found": [memory_id for memory_id in ids if memory_id in required],
        "first": returned[0].memory_id if returned else None,
        "returned": len(returned),
        "flagged": any(one.superseded and one.memory_id in outdated for one in returned),
        "answer": returned[0].reply if returned else None,
    }


def _outdated(session: Session, query: Query) -> frozenset[str]:
    """List the memories that the latest revision of a contradiction query made outdated."""
    if query.query_type != "contradiction" or query.required is None:
        return frozenset()
    older = {memory.memory_id: memory.supersedes for memory in session.memories}
    superseded = frozenset(one for one in older.values() if one is not None)
    latest = find_latest(query.required, session.moments(), superseded)
    outdated = set(query.required) - set(latest)
    for memory_id in latest:
        step = older[memory_id]
        while step is not None:
            outdated.add(step)
            step = older[step]
    return frozenset(outdated)
