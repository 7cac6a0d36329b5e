"""The result document, version 1: the interchange format between measuring and judging."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from brainbench_schema import schemas
from brainbench_schema.errors import Fault, InvalidInputError

RESULT_SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """How a result came about.

    Attributes:
        harness_sha: Commit of the system under test; ``unknown`` outside git.
        ts: UTC time of the run, RFC 3339.
    """

    fixtures_hash: str
    harness_sha: str
    ts: str
    cmd_args: tuple[str, ...]
    seed: int
    include_holdout: bool
    llm: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRow:
    """One replayed user turn on one harness for one suite.

    Attributes:
        injected_slugs: In the order of injection, each once.
        injected_tokens: Characters of the injected text, divided by 4, rounded up.
        gold: The retrieval gold of the turn, or None where it has none.
        latency_ms: Time of resolution plus the seam's own, in milliseconds.
    """

    fixture_id: str
    turn_id: int
    harness: str
    suite: str
    injected_slugs: tuple[str, ...]
    injected_tokens: int
    gold: dict[str, Any] | None
    cross_source_slugs: tuple[str, ...]
    latency_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRow:
    """One write-back fact or continuity probe, with what was seen of it."""

    fixture_id: str
    harness: str
    suite: str
    item: str
    passed: bool
    evidence: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The counts and metrics of one harness × suite. Metrics stand at 4 decimals."""

    suite: str
    harness: str
    seam: str
    gold_total: int
    gold_failed: int
    metrics: dict[str, float]
    fixtures: tuple[str, ...]

    @property
    def key(self) -> str:
        """The name that baselines, floors and justifications use: ``harness/suite``."""
        return f"{self.harness}/{self.suite}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedFailure:
    """A fixture whose pages or facts the memory could not take."""

    fixture_id: str
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A harness × suite that has no cell, and why."""

    suite: str
    harness: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemInfo:
    """What was measured. `details` holds what the system tells of its backend."""

    name: str
    version: str
    kind: str
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One measured run.

    Attributes:
        shard: ``I/N`` where it covers one part in N of a run, which can't be judged alone.
    """

    receipt: Receipt
    cells: tuple[Cell, ...]
    turn_rows: tuple[TurnRow, ...]
    item_rows: tuple[ItemRow, ...]
    seed_failures: tuple[SeedFailure, ...]
    metric_glossary: dict[str, str]
    system: SystemInfo
    skipped: tuple[Skipped, ...]
    versions: dict[str, str]
    compare: dict[str, Any] | None = None
    shard: str | None = None

    @property
    def harnesses(self) -> tuple[str, ...]:
        """Names of the harnesses measured or skipped, sorted."""
        return tuple(sorted({key[0] for key in self._covered()}))

    @property
    def suites(self) -> tuple[str, ...]:
        """Names of the suites measured or skipped, sorted."""
        return tuple(sorted({key[1] for key in self._covered()}))

    def _covered(self) -> list[tuple[str, str]]:
        measured = [(cell.harness, cell.suite) for cell in self.cells]
        return measured + [(entry.harness, entry.suite) for entry in self.skipped]

    def to_json(self) -> dict[str, Any]:
        """Give the document in its published field order."""
        receipt = {"result_schema_version": RESULT_SCHEMA_VERSION, **_fields(self.receipt)}
        document = {
            "receipt": receipt,
            "cells": [_fields(cell) for cell in self.cells],
            "turn_rows": [_fields(row) for row in self.turn_rows],
            "item_rows": [_fields(row) for row in self.item_rows],
            "seed_failures": [_fields(failure) for failure in self.seed_failures],
            "_meta": {
                "metric_glossary": self.metric_glossary,
                "system": _fields(self.system),
                "skipped": [_fields(entry) for entry in self.skipped],
                "versions": self.versions,
                **({} if self.shard is None else {"shard": self.shard}),
            },
        }
        return document if self.compare is None else {**document, "compare": self.compare}

    def serialize(self) -> bytes:
        """Write the document as UTF-8 JSON, one row a line, with a final newline."""
        return _lines(self.to_json()).encode()

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Result:
        """Build from a document that its schema has accepted."""
        receipt = {k: v for k, v in document["receipt"].items() if k != "result_schema_version"}
        meta = document["_meta"]
        return cls(
            receipt=Receipt(**{**receipt, "cmd_args": tuple(receipt["cmd_args"])}),
            cells=tuple(_cell(cell) for cell in document["cells"]),
            turn_rows=tuple(_turn_row(row) for row in document["turn_rows"]),
            item_rows=tuple(ItemRow(**row) for row in document["item_rows"]),
            seed_failures=tuple(SeedFailure(**entry) for entry in document["seed_failures"]),
            metric_glossary=meta["metric_glossary"],
            system=SystemInfo(**meta["system"]),
            skipped=tuple(Skipped(**entry) for entry in meta["skipped"]),
            versions=meta["versions"],
            compare=document.get("compare"),
            shard=meta.get("shard"),
        )


def parse_result(data: bytes, file: str) -> Result:
    """Read a result document strictly.

    Raises:
        InvalidInputError: With every fault found: against the schema, cells that stand twice,
            counts that can't be.
    """
    document = schemas.parse("result", data, file)
    result = Result.from_json(document)
    if faults := list(_impossible(result, file)):
        raise InvalidInputError(faults)
    return result


def _impossible(result: Result, file: str) -> list[Fault]:
    faults = []
    seen: set[str] = set()
    for index, cell in enumerate(result.cells):
        place = f"/cells/{index}"
        if cell.key in seen:
            faults.append(Fault(file=file, pointer=place, message=f"{cell.key} stands twice"))
        seen.add(cell.key)
        if cell.gold_failed > cell.gold_total:
            message = f"{cell.gold_failed} of {cell.gold_total} gold items failed"
            faults.append(Fault(file=file, pointer=place, message=message))
    return faults


def _cell(cell: dict[str, Any]) -> Cell:
    return Cell(**{**cell, "fixtures": tuple(cell["fixtures"])})


def _turn_row(row: dict[str, Any]) -> TurnRow:
    slugs = ("injected_slugs", "cross_source_slugs")
    return TurnRow(**{**row, **{key: tuple(row[key]) for key in slugs}})


def _fields(document: Any) -> dict[str, Any]:
    names = document.__dataclass_fields__
    return {name: getattr(document, name) for name in names}


def _lines(document: dict[str, Any]) -> str:
    parts = [f"{json.dumps(key)}: {_block(value)}" for key, value in document.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _block(value: Any) -> str:
    if isinstance(value, list) and value:
        rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in value)
        return f"[\n{rows}\n]"
    return json.dumps(value, ensure_ascii=False)
