"""What a check sees, and what it says. Checks live in `brainbench_gate.checks`, one a module."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from brainbench_gate.rules import GATED, Breach, Judgement, Verdict

if TYPE_CHECKING:
    from brainbench_gate.ground import Ground
    from brainbench_gate.items import CellItems
    from brainbench_gate.measured import Measured, Survey
    from brainbench_schema.baseline import Baseline, Items
    from brainbench_schema.policy import Policy


class Status(Enum):
    """How a check's line reads."""

    PASS = "pass"  # noqa: S105 - a status
    NOTE = "note"
    FAIL = "fail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One check's line.

    Attributes:
        name: The check.
        text: One sentence.
        lines: More of it, one thing a line.
        breaches: Adverse findings that a justification may let pass.
        verdict: What no justification lifts; PASS where the breaches decide.
        reason: A short code for machines where `verdict` is not PASS.
    """

    name: str
    status: Status
    text: str
    lines: tuple[str, ...] = ()
    breaches: tuple[Breach, ...] = ()
    verdict: Verdict = Verdict.PASS
    reason: str = ""


def refuse_verdict(name: str, reason: str, text: str, *lines: str) -> Finding:
    """Give the finding of a check that finds nothing that can be judged.

    Args:
        name: The check.
        reason: The code for machines.
        text: One sentence.
        lines: What to do first, then more of it.
    """
    return Finding(
        name=name,
        status=Status.FAIL,
        text=text,
        lines=lines,
        verdict=Verdict.INCONCLUSIVE,
        reason=reason,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Everything a check may look at; the documents that the rules saw, and where they are from.

    Attributes:
        run: The measurement on the tree's own ground.
        run_on_base: The measurement on base's ground: the same one where nothing moved, None
            where base's ground can't be used.
        current: The baseline document of `run`.
        current_on_base: The baseline document of `run_on_base`.
        main: Base's baseline; None where it can't be used.
        main_items: Base's items file; None where it can't be used.
        policy: The policy that applies: base's, or the tree's where base has none to use.
        moved: Whether what is measured differs: the tree's corpus or measuring policy from the
            one that stands for base's.
        grouped: Whether the run is of a merge group.
        core: The core judgement of the effect of the code.
        items: What became of each gold item on base's ground.
        ground_items: What became of each gold item between base's ground and the tree's.
        tokens: Named states that a justification must name, each with its sentence.
        callers: Workflows that call the gate and are not base's, one line each.
    """

    tree: Ground
    base: Ground
    policy: Policy
    tree_policy: Policy
    run: Measured
    run_on_base: Measured | None
    current: Baseline
    current_items: Items
    current_on_base: Baseline | None
    main: Baseline | None
    main_items: Items | None
    base_survey: Survey | None
    moved: bool
    core: Judgement
    grouped: bool = False
    ground_breaches: tuple[Breach, ...] = ()
    items: tuple[CellItems, ...] = ()
    ground_items: tuple[CellItems, ...] = ()
    tokens: dict[str, str] = field(default_factory=dict)
    callers: tuple[str, ...] = ()

    @property
    def runs(self) -> tuple[Measured, ...]:
        """The measurements behind it, each once: on the tree's ground, then on base's."""
        if self.run_on_base is None or self.run_on_base is self.run:
            return (self.run,)
        return (self.run, self.run_on_base)

    @property
    def judged_run(self) -> Measured:
        """The measurement that is compared with main."""
        return self.run_on_base or self.run

    @property
    def judged(self) -> Baseline:
        """The document that is compared with main."""
        return self.current_on_base or self.current

    @property
    def gated(self) -> dict[str, str]:
        """Metrics to gate and their better direction, the policy's own included."""
        return {**GATED, **self.policy.gated}
