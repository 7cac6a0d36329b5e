"""Rows → cells → the result document, the same that the first benchmark writes."""

from __future__ import annotations

import platform
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from brainbench_replay.recall.adapters.registry import BUILT_IN
from brainbench_replay.recall.dataset import QUERY_TYPES
from brainbench_replay.recall.glossary import GLOSSARY
from brainbench_replay.recall.metrics import build_cells
from brainbench_replay.recall.similarity import Lexical
from brainbench_replay.result import NO_ITEMS
from brainbench_schema.numbers import round4
from brainbench_schema.result import Receipt, Result, Skipped, SystemInfo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brainbench_replay.recall.adapters.protocol import Driver
    from brainbench_replay.recall.dataset import Survey
    from brainbench_replay.recall.evaluator import Recalled
    from brainbench_replay.recall.similarity import Similarity
    from brainbench_replay.result import RunFacts
    from brainbench_schema.result import Cell, ItemRow


def build_recall_result(
    recalled: Recalled,
    survey: Survey,
    driver: Driver,
    *,
    similarity: Similarity,
    facts: RunFacts,
) -> Result:
    """Score a run and put the document together.

    The cells are those of the gold as published; what errata make of them stands in the
    system's details as `adjusted`.
    """
    rows = _with_likeness(recalled.rows, similarity)
    cells = build_cells(rows)
    used = {metric for cell in cells for metric in cell.metrics}
    return Result(
        receipt=Receipt(
            fixtures_hash=survey.fixtures_hash,
            harness_sha=facts.harness_sha,
            ts=facts.ts,
            cmd_args=facts.cmd_args,
            seed=facts.seed,
            include_holdout=False,
            llm=False,
        ),
        cells=tuple(cells),
        turn_rows=(),
        item_rows=tuple(rows),
        seed_failures=(),
        metric_glossary={name: text for name, text in GLOSSARY.items() if name in used},
        system=SystemInfo(
            name=driver.name,
            version=facts.package_version if driver.name in BUILT_IN else "unknown",
            kind="recall",
            details=_details(recalled, survey, driver, similarity),
        ),
        skipped=_skipped(cells, driver.name),
        versions={
            "brainbench-gate": facts.package_version,
            "python": ".".join(platform.python_version_tuple()[:2]),
        },
    )


def _details(
    recalled: Recalled, survey: Survey, driver: Driver, similarity: Similarity
) -> dict[str, Any]:
    details: dict[str, Any] = {
        **driver.details,
        "embedder": similarity.name,
        "source": survey.source,
        "storage_bytes_max": recalled.storage_bytes_max,
        "storage_bytes_sum": recalled.storage_bytes_sum,
        "unknown_memory_ids": recalled.unknown_ids,
    }
    if recalled.adjusted != recalled.rows:
        cells = build_cells(_with_likeness(recalled.adjusted, similarity))
        details["adjusted"] = [_plain(cell) for cell in cells]
    return details


def _plain(cell: Cell) -> dict[str, Any]:
    keys = ("suite", "harness", "gold_total", "gold_failed", "metrics")
    return {key: getattr(cell, key) for key in keys}


def _with_likeness(rows: Sequence[ItemRow], similarity: Similarity) -> list[ItemRow]:
    """Put an embedder's scores into the rows; the lexical one follows from their texts."""
    if similarity.name == Lexical.name:
        return list(rows)
    return [replace(row, evidence=_scored(row.evidence, similarity)) for row in rows]


def _scored(evidence: dict[str, Any], similarity: Similarity) -> dict[str, Any]:
    if not evidence["expected"]:
        return evidence
    answer = evidence["answer"] or ""
    best = max(similarity(answer, one) for one in evidence["expected"])
    return {**evidence, "similarity": round4(best)}


def _skipped(cells: Sequence[Cell], adapter: str) -> tuple[Skipped, ...]:
    present = {cell.suite for cell in cells}
    return tuple(
        Skipped(suite=query_type, harness=adapter, reason=NO_ITEMS)
        for query_type in QUERY_TYPES
        if query_type not in present
    )
