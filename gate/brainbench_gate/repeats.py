"""Measuring a ground as often as policy and command line ask."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from brainbench_gate.noise import settle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from brainbench_gate.measured import Bench, CorpusFiles, Measured
    from brainbench_gate.noise import Accepted
    from brainbench_schema.policy import Policy
    from brainbench_schema.result import Result


def measure_ground(
    bench: Bench,
    policy: Policy,
    corpus: CorpusFiles,
    *,
    accepted: Iterable[Accepted] = (),
    verify: bool = False,
) -> Measured:
    """Replay as often as the policy says and settle the noise.

    Args:
        accepted: Committed and main's baseline, whose values count within the noise.
        verify: Replay at least twice and note where the first two differ.

    Raises:
        BrainbenchError: It could not be measured.
    """
    times = max(policy.repeats, 2 if verify else 1)
    runs = [bench.measure(policy, corpus) for _ in range(times)]
    run = settle(runs[: policy.repeats], accepted)
    if not verify:
        return run
    return replace(run, differing=tuple(find_differences(runs[0].result, runs[1].result)))


def find_differences(one: Result, other: Result) -> Iterator[str]:
    """Name what differs between two runs that should be equal, time, latencies and sha aside."""
    before, after = _timeless(one).to_json(), _timeless(other).to_json()
    for key in dict.fromkeys([*before, *after]):
        if before.get(key) != after.get(key):
            yield from _places(key, before.get(key), after.get(key))


def _timeless(result: Result) -> Result:
    rows = tuple(replace(row, latency_ms=0) for row in result.turn_rows)
    return replace(result, receipt=replace(result.receipt, ts="", harness_sha=""), turn_rows=rows)


def _places(key: str, before: object, after: object) -> Iterator[str]:
    if not isinstance(before, list) or not isinstance(after, list) or len(before) != len(after):
        yield key
        return
    for index, pair in enumerate(zip(before, after, strict=True)):
        if pair[0] != pair[1]:
            yield f"{key}/{index}"
