"""A run → the baseline and the items file that would be committed for it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from brainbench_schema.baseline import Baseline, Config, Items, ItemsSystem

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from brainbench_gate.measured import Measured
    from brainbench_schema.result import Result

MEASURE = 1
"""Raised in a major release when the same system and corpus would give other numbers or ids."""


def build_config(result: Result) -> Config:
    """Tell what a run covered."""
    return Config(
        include_holdout=result.receipt.include_holdout,
        llm=result.receipt.llm,
        harnesses=result.harnesses,
        suites=result.suites,
    )


def build_baseline(
    result: Result, *, justification: str | None = None, config: Config | None = None
) -> Baseline:
    """Give the baseline of a run.

    Args:
        config: What the run covered, where that is not to be read off the result.
    """
    return Baseline.from_json(
        {
            "fixtures_hash": result.receipt.fixtures_hash,
            "config": (config or build_config(result)).to_json(),
            "justification": justification,
            "cells": {cell.key: cell.metrics for cell in result.cells},
            "counts": {
                cell.key: {"gold_total": cell.gold_total, "gold_failed": cell.gold_failed}
                for cell in result.cells
            },
        }
    )


def read_numbers(run: Measured, *, justification: str | None = None) -> Baseline:
    """Give the baseline of a run: what several replays were settled to, else its result's own."""
    if run.numbers is None:
        return build_baseline(run.result, justification=justification)
    return replace(run.numbers, justification=justification)


def build_items(
    result: Result,
    failed: Mapping[str, Iterable[str]],
    *,
    capabilities: Iterable[str],
    against: str | None,
) -> Items:
    """Give the items file of a run.

    Args:
        failed: Ids of failed gold items and wrong pushes, by cell.
        capabilities: What the measured system supports.
        against: Blob id of the base's baseline, where a justification was written for it.
    """
    return Items(
        fixtures_hash=result.receipt.fixtures_hash,
        config=build_config(result),
        measure=MEASURE,
        against=against,
        system=ItemsSystem(
            name=result.system.name,
            version=result.system.version,
            capabilities=tuple(sorted(capabilities)),
        ),
        cells={cell: tuple(sorted(ids)) for cell, ids in sorted(failed.items())},
    )
