"""`brainbench judge`: judge what was measured elsewhere, running nothing of the head."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brainbench_gate.commands import options
from brainbench_gate.commands.gate import write_outputs
from brainbench_gate.run import judge_change
from brainbench_gate.sides import Sides, open_sides
from brainbench_gate.verdict import VerdictDocument

if TYPE_CHECKING:
    from brainbench_gate.measured import Bench, Measured


@click.command(epilog="Example: brainbench judge result.json --base origin/main")
@click.argument("results", type=options.FILE, nargs=-1, required=True)
@click.option("--base", "base_name", help="Commit to compare with; default: the default branch.")
@click.option("--markdown", type=options.FILE, help="Also write the report to a file.")
@options.as_json
@options.repo
def judge(
    *,
    results: tuple[Path, ...],
    base_name: str | None,
    markdown: Path | None,
    as_json: bool,
    repo: Path | None,
) -> int:
    """Judge results without measuring: cells are recomputed from their rows and the gold.

    Give the result of the tree and, where corpus or policy differ from the base's, also the
    result of the same commit on the base's ground.
    """
    from brainbench_gate.recorded import read_documents

    folder = options.find_repo(repo)
    with open_sides(folder, base_name=base_name, environ=os.environ) as sides:
        document, run = judge_sides(sides, read_documents(results))
    report = write_outputs(document, run, sides, out=None, markdown=markdown, as_json=as_json)
    click.echo(report, nl=not as_json)
    return document.exit_code


def judge_sides(sides: Sides, bench: Bench) -> tuple[VerdictDocument, Measured]:
    """Judge both sides of a comparison with what a bench measured."""
    verdict, run = judge_change(sides.tree, sides.base, bench)
    provenance = replace(sides.provenance, fixtures_hash=run.result.receipt.fixtures_hash)
    policy = sides.tree.policy
    document = VerdictDocument(
        benchmarks=(verdict,), provenance=provenance, gate=policy.name if policy else "main"
    )
    return document, run
