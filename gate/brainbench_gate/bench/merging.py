"""Shards of one run → the result that the whole run would have given. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from brainbench_gate.rules import ISOLATION
from brainbench_replay.metrics.cells import build_cells
from brainbench_replay.plan import plan
from brainbench_replay.sharding import parse_shard
from brainbench_schema.errors import UsageError
from brainbench_schema.result import ItemRow, TurnRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from brainbench_replay.corpus import Corpus
    from brainbench_replay.plan import Unit
    from brainbench_schema.result import Cell, Receipt, Result, Skipped

Row = TypeVar("Row", TurnRow, ItemRow)

ADVICE = "give each shard of one run exactly once"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A shard's result, and the name it goes by in errors."""

    name: str
    result: Result


def merge_parts(parts: Sequence[Part], corpus: Corpus) -> Result:
    """Put the shards of one run together.

    Args:
        parts: Every shard, in any order.
        corpus: The corpus that they were dealt from; its order is the order of the rows.

    Raises:
        UsageError: A shard is missing, stands twice, or is of another run or corpus.
    """
    ordered = _order(parts)
    for part in ordered:
        _refuse_other(ordered[0], part, corpus)
    results = [part.result for part in ordered]
    first = results[0]
    cases = corpus.select(include_holdout=first.receipt.include_holdout)
    ranks = _rank(plan(cases, first.suites))
    turns = _sort([row for one in results for row in one.turn_rows], ranks)
    items = _sort([row for one in results for row in one.item_rows], ranks)
    cells = _count(results, turns, items)
    return replace(
        first,
        receipt=_merge_receipts([one.receipt for one in results]),
        cells=cells,
        turn_rows=tuple(turns),
        item_rows=tuple(items),
        seed_failures=tuple(failure for one in results for failure in one.seed_failures),
        metric_glossary=_merge_glossaries(results, cells),
        system=replace(first.system, details=_merge_details(results)),
        skipped=_merge_skipped(results, cells),
        shard=None,
    )


def _order(parts: Sequence[Part]) -> list[Part]:
    """Sort shards by number, after a look whether each is there once."""
    found: dict[int, Part] = {}
    counts = set()
    for part in parts:
        if part.result.shard is None:
            raise UsageError("is no shard of a run", where=part.name, advice=ADVICE)
        shard = parse_shard(part.result.shard)
        counts.add(shard.count)
        if shard.index in found:
            raise UsageError(
                f"is shard {shard}, as is {found[shard.index].name}", where=part.name, advice=ADVICE
            )
        found[shard.index] = part
    if len(counts) != 1:
        told = ", ".join(str(part.result.shard) for part in parts) or "none"
        raise UsageError(f"these are not the shards of one run: {told}", advice=ADVICE)
    [count] = counts
    if missing := [str(index) for index in range(1, count + 1) if index not in found]:
        told = ", ".join(missing)
        raise UsageError(f"of {count} shards these are missing: {told}", advice=ADVICE)
    return [found[index] for index in sorted(found)]


def _refuse_other(first: Part, part: Part, corpus: Corpus) -> None:
    """Stop where a shard was not measured as the first one was."""
    if part.result.receipt.fixtures_hash != corpus.fixtures_hash:
        raise UsageError(
            f"was measured on another corpus than {corpus.fixtures_hash[:12]}",
            where=part.name,
            advice="give the corpus of the run with --fixtures and --gold, or --repo",
        )
    ours, other = _identity(first.result), _identity(part.result)
    if differing := [key for key in ours if ours[key] != other[key]]:
        raise UsageError(
            f"is of another run than {first.name}: {', '.join(differing)} differ",
            where=part.name,
            advice=ADVICE,
        )


def _identity(result: Result) -> dict[str, object]:
    receipt, system = result.receipt, result.system
    names = ("fixtures_hash", "harness_sha", "seed", "include_holdout", "llm")
    return {
        **{name: getattr(receipt, name) for name in names},
        "system": (system.name, system.version, system.kind),
        "harnesses": result.harnesses,
        "suites": result.suites,
        "versions": result.versions,
    }


def _rank(units: Iterable[Unit]) -> dict[tuple[str, str], int]:
    """Give the place of a fixture's rows of a suite in a whole run."""
    ranks = {}
    for place, unit in enumerate(units):
        if unit.writer and unit.scores_writing:
            ranks["write-back", unit.writer.fixture.fixture_id] = place
        if unit.reader:
            for suite in unit.suites:
                ranks[suite, unit.reader.fixture.fixture_id] = place
    return ranks


def _sort(rows: list[Row], ranks: dict[tuple[str, str], int]) -> list[Row]:
    strange = [row for row in rows if (row.suite, row.fixture_id) not in ranks]
    if strange:
        raise UsageError(
            f"the corpus asks for no row of {strange[0].fixture_id!r} in {strange[0].suite}"
        )
    return sorted(rows, key=lambda row: ranks[row.suite, row.fixture_id])


def _count(
    results: Sequence[Result], turns: Sequence[TurnRow], items: Sequence[ItemRow]
) -> tuple[Cell, ...]:
    seams = {cell.harness: cell.seam for one in results for cell in one.cells}
    counted = build_cells(turns, items, seams)
    if any(ISOLATION in cell.metrics for one in results for cell in one.cells):
        return tuple(counted)
    # The system knows no sources: not measured is not 0.
    return tuple(
        replace(cell, metrics={k: v for k, v in cell.metrics.items() if k != ISOLATION})
        for cell in counted
    )


def _merge_receipts(receipts: Sequence[Receipt]) -> Receipt:
    words = list(receipts[0].cmd_args)
    if "--shard" in words:
        place = words.index("--shard")
        del words[place : place + 2]
    return replace(
        receipts[0],
        ts=min(receipt.ts for receipt in receipts),
        cmd_args=tuple(word for word in words if not word.startswith("--shard=")),
    )


def _merge_glossaries(results: Sequence[Result], cells: Sequence[Cell]) -> dict[str, str]:
    known = {name: text for one in results for name, text in one.metric_glossary.items()}
    used = {name for cell in cells for name in cell.metrics}
    return {name: text for name, text in known.items() if name in used}


def _merge_details(results: Sequence[Result]) -> dict[str, object]:
    """Keep what all shards tell alike; what differs is told shard by shard."""
    details = [one.system.details for one in results]
    if all(one == details[0] for one in details):
        return details[0]
    return {"shards": details}


def _merge_skipped(results: Sequence[Result], cells: Sequence[Cell]) -> tuple[Skipped, ...]:
    present = {cell.key for cell in cells}
    entries = dict.fromkeys(entry for one in results for entry in one.skipped)
    return tuple(e for e in entries if f"{e.harness}/{e.suite}" not in present)
