"""`brainbench gate`: replay, or take a result, and judge against the base."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import click

from brainbench_gate.bench import measuring
from brainbench_gate.bench.replayed import ReplayBench
from brainbench_gate.commands import options
from brainbench_gate.judging import Judged, describe_error, judge_folder
from brainbench_schema.errors import BrainbenchError
from brainbench_schema.files import write_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from brainbench_gate.measured import Bench
    from brainbench_gate.sides import Sides


@click.command(epilog="Example: brainbench gate --base origin/main")
@click.option("--base", "base_name", help="Commit to compare with; default: the default branch.")
@options.results
@options.out
@click.option("--markdown", type=options.FILE, help="Also write the report to a file.")
@click.option(
    "--allow-regression", "allowance", metavar="REASON", help="Let breaches pass in a local trial."
)
@click.option("--verify", is_flag=True, help="Replay twice; inconclusive unless both are equal.")
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
    verify: bool,
    as_json: bool,
    repo: Path | None,
    database_url: str | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Replay this tree and judge it against the base branch's baseline."""
    try:
        judged = judge_folder(
            options.find_repo(repo),
            lambda sides: choose_bench(sides, results, database_url=database_url, quiet=quiet),
            environ=os.environ,
            base_name=base_name,
            allowance=allowance,
            verify=verify,
        )
    except BrainbenchError as error:
        if as_json:
            click.echo(json.dumps(describe_error(error), indent=2, ensure_ascii=False))
        raise
    print_judgement(judged, out=out, markdown=markdown, as_json=as_json)
    if verbose:
        options.say(f"{len(judged.run.result.turn_rows)} turns replayed")
    return judged.document.exit_code


def print_judgement(
    judged: Judged, *, out: Path | None, markdown: Path | None, as_json: bool
) -> None:
    """Write the files that were asked for, then the report to stdout."""
    from importlib.metadata import version

    from brainbench_gate.report.account import Account
    from brainbench_gate.report.markdown import render_report
    from brainbench_gate.report.rendering import render_summary

    runs = tuple(judged.list_runs())
    report = render_report(judged.document, runs)
    if out:
        write_file(out, judged.run.result.serialize())
    if markdown:
        account = Account(document=judged.document, version=version("brainbench-gate"), runs=runs)
        write_file(markdown, render_summary(account).encode())
    click.echo(judged.document.serialize().decode() if as_json else report, nl=not as_json)


def choose_bench(
    sides: Sides, results: Sequence[Path], *, database_url: str | None, quiet: bool
) -> Bench:
    """Take the results that were named, else measure in this process."""
    if results:
        from brainbench_gate.bench.recorded import read_documents

        return read_documents(results)
    return make_bench(sides, database_url=database_url, quiet=quiet)


def make_bench(sides: Sides, *, database_url: str | None, quiet: bool) -> ReplayBench:
    """Make the bench of a run in this process."""
    plan = measuring.Plan(
        database_url=database_url,
        cmd_args=click.get_current_context().obj,
        harness_sha=sides.provenance.head_commit or "unknown",
        folder=sides.folder,
        sealed=measuring.seal(sides.folder, sides.tree.policy) if sides.tree.policy else (),
    )
    return ReplayBench(plan=plan, progress=options.progress_bar(quiet=quiet))
