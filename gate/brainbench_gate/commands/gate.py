"""`brainbench gate`: replay, or take a result, and judge against the base."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from brainbench_gate import measuring
from brainbench_gate.bench import ReplayBench
from brainbench_gate.commands import options
from brainbench_gate.run import judge_change
from brainbench_gate.sides import Sides, open_sides
from brainbench_gate.verdict import VerdictDocument
from brainbench_schema.errors import UsageError
from brainbench_schema.files import write_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from brainbench_gate.measured import Bench, Measured


@click.command(epilog="Example: brainbench gate --base origin/main")
@click.option("--base", "base_name", help="Commit to compare with; default: the default branch.")
@options.results
@options.out
@click.option("--markdown", type=options.FILE, help="Also write the report to a file.")
@click.option(
    "--allow-regression", "allowance", metavar="REASON", help="Let breaches pass in a local trial."
)
@options.as_json
@options.repo
@options.database_url
@options.quiet
@options.verbose
def gate(
    *,
    base_name: str | None,
    results: tuple[Path, ...],
    out: Path | None,
    markdown: Path | None,
    allowance: str | None,
    as_json: bool,
    repo: Path | None,
    database_url: str | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Replay this tree and judge it against the base branch's baseline."""
    refuse_allowance(allowance)
    folder = options.find_repo(repo)
    with open_sides(folder, base_name=base_name, environ=os.environ) as sides:
        bench = choose_bench(sides, results, database_url=database_url, quiet=quiet)
        verdict, run = judge_change(sides.tree, sides.base, bench, allowance=allowance)
    document = VerdictDocument(
        benchmarks=(verdict,),
        provenance=replace(sides.provenance, fixtures_hash=run.result.receipt.fixtures_hash),
        gate=sides.tree.policy.name if sides.tree.policy else "main",
    )
    report = write_outputs(document, run, sides, out=out, markdown=markdown, as_json=as_json)
    click.echo(report, nl=not as_json)
    if verbose:
        options.say(f"{len(run.result.turn_rows)} turns replayed")
    return document.exit_code


def choose_bench(
    sides: Sides, results: Sequence[Path], *, database_url: str | None, quiet: bool
) -> Bench:
    """Take the results that were named, else measure in this process."""
    if results:
        from brainbench_gate.recorded import read_documents

        return read_documents(results)
    return make_bench(sides, database_url=database_url, quiet=quiet)


def make_bench(sides: Sides, *, database_url: str | None, quiet: bool) -> ReplayBench:
    """Make the bench of a run in this process."""
    plan = measuring.Plan(
        database_url=database_url,
        cmd_args=click.get_current_context().obj,
        harness_sha=sides.provenance.head_commit or "unknown",
    )
    return ReplayBench(plan=plan, progress=options.progress_bar(quiet=quiet))


def refuse_allowance(allowance: str | None) -> None:
    """Stop where a local trial's allowance is asked for in CI, or gives no reason."""
    if allowance is None:
        return
    if os.environ.get("CI", "").lower() not in ("", "0", "false"):
        raise UsageError(
            "refused in CI",
            where="--allow-regression",
            advice="record a reason with `brainbench bless --justification`",
        )
    if not allowance.strip():
        raise UsageError("the reason is empty", where="--allow-regression")


def write_outputs(
    document: VerdictDocument,
    run: Measured,
    sides: Sides,
    *,
    out: Path | None,
    markdown: Path | None,
    as_json: bool,
) -> str:
    """Write the files that were asked for, and give what goes to stdout."""
    from brainbench_gate.report.markdown import render_report

    report = render_report(document, run.result, sides.base.baseline)
    if out:
        write_file(out, run.result.serialize())
    if markdown:
        write_file(markdown, f"{report}\n".encode())
    return document.serialize().decode() if as_json else report
