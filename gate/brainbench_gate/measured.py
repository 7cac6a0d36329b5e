"""What measuring hands to judging, and what judging asks of it. Judging never imports replay."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from brainbench_schema.baseline import Baseline
    from brainbench_schema.policy import Policy
    from brainbench_schema.result import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusFiles:
    """The contents of a corpus by file name, wherever they were read; line ends are LF."""

    fixtures: Mapping[str, bytes]
    gold: Mapping[str, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """What follows from a corpus alone.

    Attributes:
        items: Ids of all gold items by suite.
        texts: Text of each turn by ``fixture#turn``.
        empty_metrics: Metrics that no gold item asks for, so that their denominator is zero.
    """

    fixtures_hash: str
    items: Mapping[str, frozenset[str]]
    texts: Mapping[str, str]
    empty_metrics: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One run, ready to be judged.

    Attributes:
        failed: Ids of failed gold items and of wrong pushes, by cell, each cell sorted.
        capabilities: What the measured system supports.
        survey: What follows from the corpus that was measured.
        numbers: What several replays were settled to; None where the result's own count.
        unstable: Numbers and items in which the replays differ.
        differing: Places in which two replays that should be equal differ; None where nobody
            asked.
    """

    result: Result
    failed: Mapping[str, tuple[str, ...]]
    survey: Survey
    capabilities: frozenset[str] = field(default_factory=frozenset)
    numbers: Baseline | None = None
    unstable: tuple[str, ...] = ()
    differing: tuple[str, ...] | None = None


class Bench(Protocol):
    """The side of a run that knows how to measure."""

    def measure(self, policy: Policy, corpus: CorpusFiles) -> Measured:
        """Replay a corpus as a policy says.

        Raises:
            BrainbenchError: It could not be measured.
        """
        ...

    def survey(self, policy: Policy, corpus: CorpusFiles) -> Survey:
        """Read a corpus without replaying it.

        Raises:
            InvalidInputError: The corpus is not what it must be.
        """
        ...
