"""What there is to tell of a run. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from brainbench_gate.verdict import VerdictDocument
    from brainbench_schema.baseline import Baseline
    from brainbench_schema.result import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A verdict and what a reader wants to see beside it.

    Attributes:
        version: Of this package, for the commands to type.
        runs: Each benchmark's run with base's baseline, for scoreboards and their changes.
        folder: Folder of the policy in the repository; `.` for its top.
        run_id: Workflow run that holds the artifact; empty outside a workflow.
        by_fork: Whether the numbers were measured by a fork's own run.
    """

    document: VerdictDocument
    version: str
    runs: tuple[tuple[Result, Baseline | None], ...] = ()
    folder: str = "."
    run_id: str = ""
    by_fork: bool = False

    @property
    def artifact(self) -> str:
        """Name of the artifact with the result and both baseline files."""
        return f"brainbench-{self.document.gate}"
