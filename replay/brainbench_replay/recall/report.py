"""A run in Markdown: a table for the terminal, and a template that the run fills in. Pure."""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING, Any

from tabulate import tabulate

from brainbench_replay.recall.dataset import QUERY_TYPES
from brainbench_replay.recall.glossary import GLOSSARY
from brainbench_replay.recall.metrics import GATED, list_failed, measure, measure_latency
from brainbench_schema.errors import UsageError
from brainbench_schema.numbers import round4

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brainbench_replay.recall.metrics import Measure
    from brainbench_schema.result import ItemRow, Result

NOTHING = "–"
FAILED_SHOWN = 20
TEMPLATE_NAMES = (
    "adapter", "version", "ts", "dataset", "fixtures_hash", "command", "metrics", "latency",
    "storage", "embedder", "failed", "adjusted", "glossary",
)  # fmt: skip
"""What a results template may ask for, after a dollar sign."""


def render_table(rows: Sequence[ItemRow]) -> str:
    """Write every metric by query type and overall, each with its denominator."""
    groups = {
        query_type: mine
        for query_type in QUERY_TYPES
        if (mine := [row for row in rows if row.suite == query_type])
    }
    groups["overall"] = list(rows)
    measures = {name: measure(mine) for name, mine in groups.items()}
    lines = [["queries", *(f"{len(mine)}" for mine in groups.values())]]
    lines.append(["failed / with evidence", *map(_count_failed, groups.values())])
    for metric in GLOSSARY:
        title = f"{metric} *" if metric in GATED else metric
        lines.append([title, *(_show(one[metric]) for one in measures.values())])
    return _tabulate(["", *groups], lines)


def render_latency(rows: Sequence[ItemRow]) -> str:
    """Write how long retrieve took, by query type and overall, in milliseconds."""
    names = [name for name in QUERY_TYPES if any(row.suite == name for row in rows)]
    groups = {name: [row for row in rows if row.suite == name] for name in names}
    lines = []
    for name, mine in {**groups, "overall": rows}.items():
        took = measure_latency(mine)
        times = (took.mean, took.p50, took.p95, took.p99)
        lines.append([name, *(f"{time:.3f}" for time in times)])
    return _tabulate(["latency_ms", "mean", "p50", "p95", "p99"], lines)


def render_text(result: Result) -> str:
    """Write what a terminal shows of a run."""
    parts = [
        f"{result.system.name}, dataset {result.receipt.fixtures_hash[:12]}",
        render_table(result.item_rows),
        "`*` gated, higher is better. In brackets: part / whole.",
        render_latency(result.item_rows),
        _storage(result),
        _adjusted(result),
    ]
    return "\n\n".join(filter(None, parts))


def check_template(template: str, file: str) -> None:
    """Refuse a template that names what a run doesn't have, before anything runs.

    Raises:
        UsageError: With the names that a template may use.
    """
    form = Template(template)
    unknown = sorted(set(form.get_identifiers()) - set(TEMPLATE_NAMES))
    if unknown or not form.is_valid():
        raise UsageError(
            f"knows no ${unknown[0]}" if unknown else "holds a loose dollar sign",
            where=file,
            advice=f"known are ${', $'.join(TEMPLATE_NAMES)}; write $$ for a dollar sign",
        )


def fill_template(template: str, result: Result) -> str:
    """Fill a results template: Markdown in which `TEMPLATE_NAMES` are replaced."""
    return Template(template).substitute(_values(result))


def _values(result: Result) -> dict[str, str]:
    source = result.system.details["source"]
    return {
        "adapter": result.system.name,
        "version": result.system.version,
        "ts": result.receipt.ts,
        "dataset": source["kind"] if source else "no source stated",
        "fixtures_hash": result.receipt.fixtures_hash,
        "command": " ".join(("brainbench", *result.receipt.cmd_args)),
        "metrics": render_table(result.item_rows),
        "latency": render_latency(result.item_rows),
        "storage": _storage(result),
        "embedder": result.system.details["embedder"],
        "failed": _failed(result),
        "adjusted": _adjusted(result) or "No errata were given.",
        "glossary": "\n".join(f"- `{name}`: {text}" for name, text in GLOSSARY.items()),
    }


def _storage(result: Result) -> str:
    details = result.system.details
    largest, summed = details["storage_bytes_max"], details["storage_bytes_sum"]
    text = f"storage_bytes: {largest:,} in the largest session, {summed:,} in all sessions"
    if strange := details["unknown_memory_ids"]:
        text += f"\n\n{strange:,} returned memories carry an id that their session doesn't have."
    return text


def _adjusted(result: Result) -> str:
    adjusted = result.system.details.get("adjusted")
    if adjusted is None:
        return ""
    published = {cell.key: cell.metrics for cell in result.cells}
    lines = [line for cell in adjusted for line in _compare(cell, published)]
    table = _tabulate(["cell", "metric", "as published", "adjusted"], lines)
    return f"With the errata, metrics that differ:\n\n{table}"


def _compare(cell: dict[str, Any], published: dict[str, dict[str, float]]) -> list[list[str]]:
    key = f"{cell['harness']}/{cell['suite']}"
    before, after = published.get(key, {}), cell["metrics"]
    return [
        [key, metric, str(before.get(metric, NOTHING)), str(after.get(metric, NOTHING))]
        for metric in GLOSSARY
        if before.get(metric) != after.get(metric)
    ]


def _failed(result: Result) -> str:
    lines = []
    for cell, items in list_failed(result).items():
        shown = ", ".join(f"`{item}`" for item in items[:FAILED_SHOWN]) or "none"
        rest = len(items) - FAILED_SHOWN
        lines.append(f"- {cell}: {shown}{f', and {rest} more' if rest > 0 else ''}")
    return "\n".join(lines)


def _count_failed(rows: Sequence[ItemRow]) -> str:
    backed = [row for row in rows if row.evidence["required"] is not None]
    failed = sum(not row.passed for row in backed)
    return f"{failed} / {len(backed)}"


def _show(measure: Measure) -> str:
    if measure.value is None:
        return NOTHING
    part = round4(measure.part)
    return f"{round4(measure.value):.4f} ({part:g} / {measure.whole})"


def _tabulate(headers: list[str], lines: Sequence[Sequence[str]]) -> str:
    return tabulate(lines, headers, tablefmt="github", disable_numparse=True)
