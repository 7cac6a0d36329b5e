"""The added checks, one module each. Each can only make a verdict stricter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.checks import (
    capabilities,
    changed_ground,
    committed,
    dilution,
    flipped,
    floors,
    isolation,
    named_states,
    reproducible,
    same_system,
    stale_baseline,
    vanished,
    workflows,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from brainbench_gate.findings import Comparison, Finding

CHECKS: tuple[Callable[[Comparison], Finding], ...] = (
    isolation.check,
    same_system.check,
    vanished.check,
    flipped.check,
    capabilities.check,
    changed_ground.check,
    workflows.check,
    named_states.check,
    committed.check,
    floors.check,
    dilution.check,
    stale_baseline.check,
    reproducible.check,
)
"""In the order in which their lines are shown."""
