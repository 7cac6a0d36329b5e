"""Spikes: fixtures written by hand in full, for what no scene can express."""

from __future__ import annotations

import json
from pathlib import Path

from assembly import Pair

SOURCES = Path(__file__).parent.parent / "spikes"


def build() -> list[Pair]:
    """Every spike, by file name."""
    return [_read(path) for path in sorted(SOURCES.glob("*.json"), key=lambda path: path.name)]


def _read(path: Path) -> Pair:
    document = json.loads(path.read_text(encoding="utf-8"))
    if set(document) != {"fixture", "gold", "strata"}:
        raise ValueError(f"{path.name}: a spike has exactly the keys fixture, gold and strata")
    return Pair(
        fixture=document["fixture"], gold=document["gold"], strata=tuple(document["strata"])
    )
