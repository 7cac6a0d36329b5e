"""What measuring hands to judging: the result, and the gold items that failed in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brainbench_schema.result import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One run, ready to be judged.

    Attributes:
        failed: Ids of failed gold items and of wrong pushes, by cell, each cell sorted.
        capabilities: What the measured system supports.
    """

    result: Result
    failed: dict[str, tuple[str, ...]]
    capabilities: frozenset[str] = field(default_factory=frozenset)
