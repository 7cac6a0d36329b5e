"""`brainbench bless`: replay, or take a result, and write both baseline files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from brainbench_gate.blessing import Blessing, bless_tree, describe_blessing, judge_blessing
from brainbench_gate.checks.committed import find_unbacked
from brainbench_gate.commands import options
from brainbench_gate.commands.gate import choose_bench
from brainbench_gate.judging import seal_bench
from brainbench_gate.rules import Verdict
from brainbench_gate.sides import Sides, open_sides
from brainbench_gate.verdict import UNLIFTABLE, VerdictDocument
from brainbench_schema.errors import BrainbenchError, UsageError
from brainbench_schema.files import write_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from brainbench_gate.ground import Ground
    from brainbench_gate.verdict import BenchmarkVerdict
    from brainbench_schema.policy import Policy


@click.command(epilog='Example: brainbench bless --justification "codex/push: recall traded"')
@click.option("--justification", help="Why worse numbers are worth it; recorded in the baseline.")
@click.option("--base", "base_name", help="Commit to compare with; default: the default branch.")
@click.option("--check", "only_check", is_flag=True, help="Only tell whether the files are right.")
@options.results
@options.repo
@options.database_url
@options.quiet
def bless(
    *,
    justification: str | None,
    base_name: str | None,
    only_check: bool,
    results: tuple[Path, ...],
    repo: Path | None,
    database_url: str | None,
    quiet: bool,
) -> int:
    """Replay this tree and write its baseline and items file."""
    return bless_folder(
        options.find_repo(repo),
        justification=justification,
        base_name=base_name,
        only_check=only_check,
        results=results,
        database_url=database_url,
        quiet=quiet,
    )


def bless_folder(
    folder: Path,
    *,
    justification: str | None = None,
    base_name: str | None = None,
    only_check: bool = False,
    results: tuple[Path, ...] = (),
    database_url: str | None = None,
    quiet: bool = True,
) -> int:
    """Bless the ground of a folder; gives the exit code."""
    if justification is not None and not justification.strip():
        raise UsageError(
            "the reason is empty",
            where="--justification",
            advice="say why, or leave the option out: that removes an earlier reason",
        )
    with open_sides(folder, base_name=base_name, environ=os.environ) as sides:
        chosen = choose_bench(sides, results, database_url=database_url, quiet=quiet)
        bench = seal_bench(chosen, folder, sides)
        blessings = [
            (one, bless_tree(one.tree, one.base, bench, one.terms, justification=justification))
            for one in sides.all
        ]
        if only_check:
            return max(check_files(one.tree, blessing) for one, blessing in blessings)
        verdicts = [
            judge_blessing(blessing, one.tree, one.base, bench, one.terms)
            for one, blessing in blessings
        ]
        refuse_unblessable(verdicts, sides)
    for (one, blessing), verdict in zip(blessings, verdicts, strict=True):
        if one is sides or not stands(one.tree, blessing, verdict):
            write_blessing(folder, one.tree, blessing, quiet=quiet)
    return 0


def stands(tree: Ground, blessing: Blessing, verdict: BenchmarkVerdict) -> bool:
    """Tell whether the committed files hold for a run as they are, so that none need be written."""
    assert tree.policy is not None
    unbacked = find_unbacked(tree, tree.policy, blessing.baseline, blessing.items)
    return not verdict.breaches and not list(unbacked)


def write_blessing(folder: Path, tree: Ground, blessing: Blessing, *, quiet: bool) -> None:
    """Write both baseline files of one benchmark, and say what moved."""
    policy = tree.policy
    assert policy is not None
    write_files(folder, policy, blessing)
    click.echo(f"wrote {policy.baseline} and {policy.items}", err=quiet)
    for line in describe_blessing(tree, blessing):
        click.echo(f"- {line}", err=quiet)


def check_files(tree: Ground, blessing: Blessing) -> int:
    """Tell whether the committed files equal the run."""
    policy = tree.policy
    assert policy is not None
    lines = find_unbacked(tree, policy, blessing.baseline, blessing.items)
    if lines:
        click.echo("\n".join(f"- {line}" for line in lines))
        return 2
    click.echo(f"{policy.baseline} and {policy.items} equal this run")
    return 0


def refuse_unblessable(verdicts: Sequence[BenchmarkVerdict], sides: Sides) -> None:
    """Stop where the gate would not let the new files merge."""
    if all(verdict.verdict is Verdict.PASS for verdict in verdicts):
        return
    from brainbench_gate.report.markdown import render_report

    document = VerdictDocument(benchmarks=tuple(verdicts), provenance=sides.provenance)
    click.echo(render_report(document), err=True)
    advice = 'give a reason that a reviewer can judge: --justification "…"'
    if document.worst.reason in UNLIFTABLE:
        advice = "mend what is named above: no reason lifts it"
    elif document.worst.assessment and document.worst.assessment.present:
        advice = "the reason given is not enough: `justification` above says what it lacks"
    raise BrainbenchError(
        "nothing was written: the gate would not let this baseline merge", advice=advice
    )


def write_files(folder: Path, policy: Policy, blessing: Blessing) -> None:
    """Write both baseline files, each as a whole."""
    write_file(folder / policy.items, blessing.items.serialize())
    write_file(folder / policy.baseline, blessing.baseline.serialize())
