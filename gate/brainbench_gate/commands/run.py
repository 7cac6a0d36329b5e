"""`brainbench run`: replay a corpus and show what it comes to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from brainbench_gate.baseline import build_baseline, build_config
from brainbench_gate.bench import measuring
from brainbench_gate.commands import options
from brainbench_gate.policy import parse_policy
from brainbench_replay.corpus import read_corpus
from brainbench_replay.packaged import packaged_baselines, packaged_folder
from brainbench_schema.baseline import parse_baseline
from brainbench_schema.errors import UsageError
from brainbench_schema.files import read_file, write_file
from brainbench_schema.fixture import SUITES
from brainbench_schema.policy import HARNESSES, POLICY_FILE, Policy

if TYPE_CHECKING:
    from collections.abc import Callable

    from brainbench_gate.measured import Measured
    from brainbench_replay.corpus import Corpus
    from brainbench_schema.result import Result


@click.command(epilog="Example: brainbench run --suite push --out result.json")
@options.fixtures
@options.gold
@click.option(
    "--system",
    "specs",
    multiple=True,
    help="Memory system; default: the policy's, else the built-in one. Several give a table.",
)
@click.option("--harness", "harnesses", help="Harnesses, separated by commas, or all.")
@click.option("--suite", "suites", help="Suites, separated by commas, or all.")
@click.option("--include-holdout", is_flag=True, help="Also score the fixtures held out.")
@click.option("--seed", type=int, default=0, help="Seed recorded in the receipt.")
@click.option(
    "--update-baseline",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
    help="Then write baseline and items file, as bless does; default: the policy's.",
)
@click.option("--shard", metavar="I/N", help="Replay one part in N; `merge` puts them together.")
@click.option(
    "--jobs", type=click.IntRange(1, 64), default=1, help="Replay in several processes at once."
)
@options.out
@options.as_json
@options.repo
@options.database_url
@options.quiet
@options.verbose
def run(
    *,
    fixtures: Path | None,
    gold: Path | None,
    specs: tuple[str, ...],
    harnesses: str | None,
    suites: str | None,
    include_holdout: bool,
    seed: int,
    update_baseline: str | None,
    shard: str | None,
    jobs: int,
    out: Path | None,
    as_json: bool,
    repo: Path | None,
    database_url: str | None,
    quiet: bool,
    verbose: bool,
) -> None:
    """Replay a corpus and print the scoreboard, or with --json the result document."""
    refuse_parts(shard, jobs, update_baseline)
    folder = options.find_repo(repo)
    policy = find_policy(folder)
    folders = find_folders(folder, policy, fixtures, gold)
    corpus = read_corpus(*folders)
    plan = measuring.Plan(
        system=specs[0] if specs else (policy.system if policy else "reflex"),
        systems=policy.systems if policy else {},
        folder=folder,
        sealed=(*folders, *(measuring.seal(folder, policy) if policy else ())),
        corpus=folders,
        harnesses=options.split_names(harnesses, policy.harnesses if policy else HARNESSES),
        suites=options.split_names(suites, policy.suites if policy else SUITES),
        include_holdout=include_holdout,
        seed=seed,
        database_url=database_url,
        cmd_args=click.get_current_context().obj,
        harness_sha=measuring.find_commit(folder),
    )
    progress = options.progress_bar(quiet=quiet)
    if len(specs) > 1:
        if out or as_json or update_baseline is not None or shard or jobs > 1:
            raise UsageError("several systems give a table only", advice="name one --system")
        compare_systems(corpus, [replace(plan, system=spec) for spec in specs], progress)
        return
    measured = None
    if jobs > 1:
        from brainbench_gate.bench.jobs import run_jobs

        result = run_jobs(plan.cmd_args, jobs, corpus, holdout=include_holdout)
    elif shard:
        result = measure_shard(shard, corpus, plan)
    else:
        measured = measuring.measure(corpus, plan, progress=progress)
        result = measured.result
    if out:
        write_file(out, result.serialize())
    if update_baseline is not None and measured is not None:
        place = Path(update_baseline or (policy.baseline if policy else Policy(system="").baseline))
        _update_baseline(folder, policy, measured, place, foreign=bool(fixtures))
    show(result, as_json=as_json)
    if verbose:
        options.say(f"corpus {corpus.fixtures_hash}, {len(result.turn_rows)} turns replayed")
    if plan.harness_sha == "unknown":
        options.say("warning: outside git, so the receipt can't name a commit", quiet=quiet)
    if not policy and not specs:
        options.say(compare_with_release(result), quiet=quiet)


def show(result: Result, *, as_json: bool) -> None:
    """Print a result as its document, or as the scoreboard."""
    if as_json:
        click.echo(result.serialize(), nl=False)
        return
    from brainbench_gate.scoreboard import render_scoreboard

    click.echo(render_scoreboard(result))


def compare_with_release(result: Result) -> str:
    """Say whether this machine measures what this release was accepted with, if it did measure it.

    Args:
        result: Of the built-in memory.
    """
    path = packaged_baselines() / "main.json"
    accepted, measured = parse_baseline(path.read_bytes(), str(path)), build_baseline(result)
    if (accepted.fixtures_hash, accepted.config) != (measured.fixtures_hash, measured.config):
        return "this measures the built-in memory, not yours"
    same = (accepted.cells, accepted.counts) == (measured.cells, measured.counts)
    those = "those" if same else "not those"
    return (
        "this measures the built-in memory, not yours; "
        f"the numbers are {those} that this release was accepted with"
    )


def compare_systems(
    corpus: Corpus, plans: list[measuring.Plan], progress: Callable[[int, int], None]
) -> None:
    """Measure one system after the other, and print them side by side."""
    from brainbench_gate.side_by_side import render_side_by_side

    results = [measuring.measure(corpus, plan, progress=progress).result for plan in plans]
    click.echo(render_side_by_side(results))


def refuse_parts(shard: str | None, jobs: int, update_baseline: str | None) -> None:
    """Stop where parts of a run are asked for together with what needs the whole."""
    if shard and jobs > 1:
        raise UsageError("--shard and --jobs don't go together", advice="give one of them")
    if update_baseline is not None and (shard or jobs > 1):
        raise UsageError(
            "needs a whole run in one process",
            where="--update-baseline",
            advice="write the result with --out, then `brainbench bless --result FILE`",
        )


def measure_shard(text: str, corpus: Corpus, plan: measuring.Plan) -> Result:
    """Replay one part of a corpus; the result says which."""
    from brainbench_replay.sharding import parse_shard, select_shard

    shard = parse_shard(text)
    cases = select_shard(corpus.select(include_holdout=plan.include_holdout), shard)
    part = replace(corpus, cases=cases)
    return replace(measuring.measure(part, plan).result, shard=str(shard))


def _update_baseline(
    folder: Path, policy: Policy | None, measured: Measured, place: Path, *, foreign: bool
) -> None:
    """Bless the run: against base where the policy's own corpus was run, else against the file."""
    from brainbench_gate.commands.bless import bless_folder
    from brainbench_gate.plain_blessing import bless_file

    if policy is None or foreign or place != Path(policy.baseline):
        for line in bless_file(folder / place, measured):
            options.say(line)
        return
    covered = build_config(measured.result)
    if set(covered.suites) != set(policy.suites) or set(covered.harnesses) != set(policy.harnesses):
        raise UsageError(
            "the run covers less than the policy",
            where="--update-baseline",
            advice="leave --suite and --harness out, or name another file",
        )
    bless_folder(folder)


def find_policy(folder: Path) -> Policy | None:
    """Read the policy of a folder; None where it has none."""
    path = folder / POLICY_FILE
    return parse_policy(read_file(path), str(path)) if path.is_file() else None


def find_corpus(
    folder: Path, policy: Policy | None, fixtures: Path | None, gold: Path | None
) -> Corpus:
    """Read the corpus that was named, else the policy's, else the packaged one."""
    return read_corpus(*find_folders(folder, policy, fixtures, gold))


def find_folders(
    folder: Path, policy: Policy | None, fixtures: Path | None, gold: Path | None
) -> tuple[Path, Path]:
    """Find the folders of fixtures and gold: those named, else the policy's, else the packaged."""
    if (fixtures is None) != (gold is None):
        raise UsageError("--fixtures and --gold go together", advice="give both folders, or none")
    if fixtures and gold:
        return fixtures, gold
    if policy:
        return folder / policy.fixtures, folder / policy.gold
    packaged = packaged_folder("brainbench")
    return packaged / "fixtures", packaged / "gold"
