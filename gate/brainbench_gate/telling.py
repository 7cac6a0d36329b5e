"""History and runs for a reader or a machine: tables and plain values. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from brainbench_gate.chronicle import list_values
from brainbench_gate.escape import clean
from brainbench_gate.movements import find_movements
from brainbench_gate.scoreboard import render_table
from brainbench_schema.numbers import format_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brainbench_gate.chronicle import Chronicle, Landing
    from brainbench_gate.rules import Breach
    from brainbench_schema.result import Result

SHOWN_MOVES = 5
SHORT_ID = 10
CUT_SHORT = (
    "The clone does not reach back to the first baseline: `git fetch --unshallow`, then again."
)


def render_audit(chronicle: Chronicle) -> str:
    """Write every justification with who gave it, when, and the moves it covered."""
    rows = [
        [
            landing.date,
            landing.commit[:SHORT_ID],
            clean(landing.author, 60),
            clean(landing.justification, 400),
            "; ".join(_moves(landing.breaches)) or "nothing got worse",
        ]
        for landing in chronicle.landings
        if landing.justification
    ]
    among = _count(len(chronicle.landings), "baseline")
    lines = [f"# {_count(len(rows), 'justification')} in {among}"]
    if rows:
        headers = ["date", "commit", "author", "justification", "what got worse"]
        lines.append(render_table(headers, rows))
    return "\n\n".join([*lines, *_notes(chronicle)])


def audit_json(chronicle: Chronicle) -> dict[str, Any]:
    """Give every justification as JSON-ready values, with all that moved."""
    return {
        "complete": chronicle.complete,
        "justifications": [
            {
                **_landing(landing),
                "justification": landing.justification,
                "breaches": [_breach(breach) for breach in landing.breaches],
                "movements": [
                    {"cell": move.cell, "name": move.name, "from": move.before, "to": move.after}
                    for move in (
                        find_movements(landing.before, landing.baseline)
                        if landing.before and landing.baseline
                        else ()
                    )
                ],
            }
            for landing in chronicle.landings
            if landing.justification
        ],
    }


def render_history(chronicle: Chronicle) -> str:
    """Write how each number of each cell moved, from the oldest baseline to the newest."""
    if not chronicle.landings:
        return "\n\n".join(["# No baseline was ever accepted here", *_notes(chronicle)])
    rows = [[cell, name, _chain(values)] for cell, name, values in list_values(chronicle)]
    commits = [
        [landing.date, landing.commit[:SHORT_ID], clean(landing.subject, 80), landing.fault]
        for landing in chronicle.landings
    ]
    return "\n\n".join(
        [
            f"# {_count(len(commits), 'baseline')}",
            render_table(["date", "commit", "subject", ""], commits),
            render_table(["cell", "number", "how it moved"], rows),
            *_notes(chronicle),
        ]
    )


def history_json(chronicle: Chronicle) -> dict[str, Any]:
    """Give all baselines as JSON-ready values, newest first."""
    return {
        "complete": chronicle.complete,
        "baselines": [
            {
                **_landing(landing),
                "fault": landing.fault,
                "baseline": landing.baseline.to_json() if landing.baseline else None,
            }
            for landing in chronicle.landings
        ],
    }


def describe_result(result: Result) -> Iterator[str]:
    """Say what a result is of, one fact a line."""
    receipt, system = result.receipt, result.system
    yield f"system {clean(system.name, 60)} {clean(system.version, 40)} ({system.kind})"
    yield f"measured {receipt.ts}, commit {clean(receipt.harness_sha[:SHORT_ID], 40)}"
    holdout = "held-out fixtures included" if receipt.include_holdout else "without held-out ones"
    yield f"corpus {receipt.fixtures_hash[:12]}, {holdout}"
    if result.shard:
        yield f"shard {result.shard} of a run: `brainbench merge` puts them together"
    if result.compare:
        yield f"compared: {clean(str(result.compare.get('verdict', 'unknown')), 60)}"


def render_runs(runs: Sequence[tuple[str, Result]]) -> str:
    """Write a table of results, newest first."""
    rows = [
        [
            result.receipt.ts,
            clean(result.system.name, 40),
            result.receipt.harness_sha[:SHORT_ID],
            result.receipt.fixtures_hash[:12],
            f"{sum(c.gold_failed for c in result.cells)}/{sum(c.gold_total for c in result.cells)}",
            clean(name, 120),
        ]
        for name, result in runs
    ]
    return render_table(["measured", "system", "commit", "corpus", "failed/gold", "file"], rows)


def _moves(breaches: Sequence[Breach]) -> list[str]:
    told = [
        f"{breach.cell} {breach.metric} {_number(breach.baseline)} → {_number(breach.current)}"
        for breach in breaches[:SHOWN_MOVES]
    ]
    more = len(breaches) - len(told)
    return [*told, f"and {more} more"] if more else told


def _chain(values: Sequence[tuple[float, Landing]]) -> str:
    first, *later = values
    told = [
        f"{format_number(value)} ({landing.date}, {landing.commit[:SHORT_ID]})"
        for value, landing in later
    ]
    return " → ".join([format_number(first[0]), *told])


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _number(value: float | None) -> str:
    return "nothing" if value is None else format_number(value)


def _notes(chronicle: Chronicle) -> list[str]:
    return [] if chronicle.complete else [CUT_SHORT]


def _landing(landing: Landing) -> dict[str, Any]:
    names = ("commit", "author", "date", "subject")
    return {name: getattr(landing, name) for name in names}


def _breach(breach: Breach) -> dict[str, Any]:
    return {
        "cell": breach.cell,
        "metric": breach.metric,
        "from": breach.baseline,
        "to": breach.current,
    }
