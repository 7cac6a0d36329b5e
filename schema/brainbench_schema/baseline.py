"""The baseline document, version 1: the numbers a branch has accepted; and its items file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from brainbench_schema import schemas
from brainbench_schema.errors import Fault, InvalidInputError
from brainbench_schema.numbers import round4

BASELINE_SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What a run covered; two runs of different configs can't be compared."""

    include_holdout: bool
    llm: bool
    harnesses: tuple[str, ...]
    suites: tuple[str, ...]

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Config:
        """Build from a document; the names are sorted."""
        return cls(
            include_holdout=document["include_holdout"],
            llm=document["llm"],
            harnesses=tuple(sorted(document["harnesses"])),
            suites=tuple(sorted(document["suites"])),
        )

    def to_json(self) -> dict[str, Any]:
        """Give the document in its published field order."""
        return {
            "include_holdout": self.include_holdout,
            "llm": self.llm,
            "harnesses": list(self.harnesses),
            "suites": list(self.suites),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Gold items of a cell, and how many of them failed."""

    gold_total: int
    gold_failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """Accepted numbers: `cells` and `counts` are keyed ``harness/suite``."""

    fixtures_hash: str
    config: Config
    justification: str | None
    cells: dict[str, dict[str, float]]
    counts: dict[str, Counts]

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Baseline:
        """Build from a document that its schema has accepted; metrics come to 4 decimals."""
        return cls(
            fixtures_hash=document["fixtures_hash"],
            config=Config.from_json(document["config"]),
            justification=document.get("justification"),
            cells={
                cell: {metric: round4(value) for metric, value in sorted(metrics.items())}
                for cell, metrics in sorted(document["cells"].items())
            },
            counts={cell: Counts(**counts) for cell, counts in sorted(document["counts"].items())},
        )

    def data(self) -> dict[str, Any]:
        """Give what a run decides: the document without its justification."""
        return {
            "schema_version": BASELINE_SCHEMA_VERSION,
            "fixtures_hash": self.fixtures_hash,
            "config": self.config.to_json(),
            "cells": {cell: dict(sorted(self.cells[cell].items())) for cell in sorted(self.cells)},
            "counts": {
                cell: {
                    "gold_total": self.counts[cell].gold_total,
                    "gold_failed": self.counts[cell].gold_failed,
                }
                for cell in sorted(self.counts)
            },
        }

    def to_json(self) -> dict[str, Any]:
        """Give the document in its published field order."""
        data = self.data()
        if self.justification is None:
            return data
        head = ("schema_version", "fixtures_hash", "config")
        return {
            **{key: data[key] for key in head},
            "justification": self.justification,
            "cells": data["cells"],
            "counts": data["counts"],
        }

    def serialize(self) -> bytes:
        """Write the document byte-stably: two-space indent, no escaping, final newline."""
        return _bytes(self.to_json())


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemsSystem:
    """The measured system as an items file names it; `version` is shown, never compared."""

    name: str
    version: str
    capabilities: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """The failed gold items behind a baseline, by cell.

    Attributes:
        measure: Raised by this project only when the same system and corpus would score
            differently.
        against: Blob id of the base's baseline that the justification was written for.
    """

    fixtures_hash: str
    config: Config
    measure: int
    against: str | None
    system: ItemsSystem
    cells: dict[str, tuple[str, ...]]

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Items:
        """Build from a document that its schema has accepted; ids are sorted."""
        system = document["system"]
        return cls(
            fixtures_hash=document["fixtures_hash"],
            config=Config.from_json(document["config"]),
            measure=document["measure"],
            against=document["against"],
            system=ItemsSystem(
                name=system["name"],
                version=system["version"],
                capabilities=tuple(sorted(system["capabilities"])),
            ),
            cells={cell: tuple(sorted(ids)) for cell, ids in sorted(document["cells"].items())},
        )

    def to_json(self) -> dict[str, Any]:
        """Give the document in its published field order."""
        return {
            "schema_version": BASELINE_SCHEMA_VERSION,
            "fixtures_hash": self.fixtures_hash,
            "config": self.config.to_json(),
            "measure": self.measure,
            "against": self.against,
            "system": {
                "name": self.system.name,
                "version": self.system.version,
                "capabilities": list(self.system.capabilities),
            },
            "cells": {cell: list(self.cells[cell]) for cell in sorted(self.cells)},
        }

    def serialize(self) -> bytes:
        """Write the document byte-stably, one id a line, so that a diff shows what flipped."""
        return _bytes(self.to_json())


def parse_baseline(data: bytes, file: str) -> Baseline:
    """Read a baseline strictly.

    Raises:
        InvalidInputError: With every fault found.
    """
    document = schemas.parse("baseline", data, file)
    faults = [*_unpaired(document, file), *_overfull(document, file)]
    if faults:
        raise InvalidInputError(faults)
    return Baseline.from_json(document)


def parse_items(data: bytes, file: str) -> Items:
    """Read an items file strictly.

    Raises:
        InvalidInputError: With every fault found.
    """
    return Items.from_json(schemas.parse("items", data, file))


def _unpaired(document: dict[str, Any], file: str) -> list[Fault]:
    pairs = (("cells", "counts"), ("counts", "cells"))
    return [
        Fault(file=file, pointer=f"/{there}", message=f"lacks the cell {cell!r} of /{here}")
        for here, there in pairs
        for cell in document[here].keys() - document[there].keys()
    ]


def _overfull(document: dict[str, Any], file: str) -> list[Fault]:
    return [
        Fault(
            file=file,
            pointer=f"/counts/{cell.replace('/', '~1')}",
            message=f"{counts['gold_failed']} of {counts['gold_total']} gold items failed",
        )
        for cell, counts in document["counts"].items()
        if counts["gold_failed"] > counts["gold_total"]
    ]


def _bytes(document: dict[str, Any]) -> bytes:
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    return f"{text}\n".encode()
