"""What of base still stands: only what both its files count can be stale."""

from __future__ import annotations

from tests.gate.documents import baseline, ground_of, run_of

from brainbench_gate.standing import find_stale


def test_a_foreign_suite_is_not_counted() -> None:
    """Nor is a cell without an item list."""
    run = run_of(baseline({"codex/answers": {"f1": 1}}), {"codex/answers": ("q",)})
    ground = ground_of(run)
    assert "" == find_stale(ground.baseline, ground.items, None, run.survey)
    assert "" == find_stale(None, None, None, run.survey)
