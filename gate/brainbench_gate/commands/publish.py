"""`brainbench publish`: the action's own step: measure or judge, then tell GitHub."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from brainbench_gate.commands.gate import make_bench

if TYPE_CHECKING:
    from brainbench_gate.measured import Bench
    from brainbench_gate.sides import Sides


@click.command(epilog="Example: BRAINBENCH_INPUT_JOB=judge brainbench publish")
def publish() -> int:
    """Measure or judge in a step of a GitHub workflow, and publish the verdict.

    Inputs come from BRAINBENCH_INPUT_… variables, as action.yml sets them.
    """
    from brainbench_gate.action.run import run_action

    return run_action(os.environ, _make_bench)


def _make_bench(sides: Sides) -> Bench:
    return make_bench(sides, database_url=None, quiet=True)
