"""Rows → cells → the result document."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from typing import TYPE_CHECKING

from brainbench_replay.metrics.cells import build_cells
from brainbench_replay.metrics.glossary import GLOSSARY
from brainbench_schema.result import Receipt, Result, Skipped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brainbench_replay.corpus import Corpus
    from brainbench_replay.harness import Replay
    from brainbench_replay.seams import Seam
    from brainbench_schema.result import Cell, SystemInfo

NO_ITEMS = "no items"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """What of a run can't be read off its rows.

    Attributes:
        harness_sha: Commit of the system under test; ``unknown`` outside git.
        ts: UTC time of the run, RFC 3339.
    """

    harness_sha: str
    ts: str
    cmd_args: tuple[str, ...]
    seed: int
    include_holdout: bool
    package_version: str


def build_result(
    replay: Replay,
    corpus: Corpus,
    *,
    seams: Sequence[Seam],
    suites: Sequence[str],
    system: SystemInfo,
    unsupported: frozenset[str],
    facts: RunFacts,
) -> Result:
    """Score a replay and put the document together.

    Args:
        suites: The suites that were asked for.
        unsupported: Those of them that the system can't do.
    """
    cells = build_cells(
        replay.turn_rows, replay.item_rows, {seam.harness: seam.kind for seam in seams}
    )
    used = {metric for cell in cells for metric in cell.metrics}
    return Result(
        receipt=Receipt(
            fixtures_hash=corpus.fixtures_hash,
            harness_sha=facts.harness_sha,
            ts=facts.ts,
            cmd_args=facts.cmd_args,
            seed=facts.seed,
            include_holdout=facts.include_holdout,
            llm=False,
        ),
        cells=tuple(cells),
        turn_rows=tuple(replay.turn_rows),
        item_rows=tuple(replay.item_rows),
        seed_failures=tuple(replay.seed_failures),
        metric_glossary={name: text for name, text in GLOSSARY.items() if name in used},
        system=system,
        skipped=_skipped(cells, seams, suites, system.name, unsupported),
        versions={
            "brainbench-gate": facts.package_version,
            "python": ".".join(platform.python_version_tuple()[:2]),
        },
    )


def _skipped(
    cells: Sequence[Cell],
    seams: Sequence[Seam],
    suites: Sequence[str],
    name: str,
    unsupported: frozenset[str],
) -> tuple[Skipped, ...]:
    present = {cell.key for cell in cells}
    return tuple(
        Skipped(
            suite=suite,
            harness=seam.harness,
            reason=f"{name} does not support it" if suite in unsupported else NO_ITEMS,
        )
        for seam in seams
        for suite in suites
        if f"{seam.harness}/{suite}" not in present
    )
