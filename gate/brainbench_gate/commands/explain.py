"""`brainbench explain`: why an item came out as it did, or all that fail with their causes."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from brainbench_gate.bench import measuring
from brainbench_gate.commands import options
from brainbench_gate.commands.run import find_corpus, find_policy
from brainbench_gate.sides import open_sides
from brainbench_replay.corpus import Corpus
from brainbench_replay.explain.explanation import explain_item
from brainbench_replay.explain.investigation import Failure, Investigation, list_failures
from brainbench_replay.explain.item_ids import find_item, find_partners
from brainbench_replay.explain.watching import WatchedSystem
from brainbench_schema.errors import UsageError
from brainbench_schema.fixture import SUITES
from brainbench_schema.policy import HARNESSES, Policy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from brainbench_replay.systems.protocol import MemorySystem


@click.command(epilog="Example: brainbench explain push-004#1:companies/bellhatch")
@click.argument("item", required=False)
@click.option("--failing", is_flag=True, help="List every failing item with its cause.")
@click.option("--flipped", is_flag=True, help="List what fails here and not on the base.")
@click.option("--base", "base_name", help="Commit that --flipped compares with.")
@click.option("--system", help="Memory system; default: the policy's, else the built-in one.")
@click.option("--harness", "harnesses", help="Harnesses, separated by commas, or all.")
@options.fixtures
@options.gold
@options.as_json
@options.repo
@options.database_url
@options.quiet
def explain(
    *,
    item: str | None,
    failing: bool,
    flipped: bool,
    base_name: str | None,
    system: str | None,
    harnesses: str | None,
    fixtures: Path | None,
    gold: Path | None,
    as_json: bool,
    repo: Path | None,
    database_url: str | None,
    quiet: bool,
) -> None:
    """Say why an item passes or fails: what was said, held, found, and left out."""
    if [item is not None, failing, flipped].count(True) != 1:
        raise UsageError("name one ITEM, or give --failing or --flipped")
    if base_name and not flipped:
        raise UsageError("only goes with --flipped", where="--base")
    folder = options.find_repo(repo)
    policy = find_policy(folder)
    corpus = find_corpus(folder, policy, fixtures, gold)
    plan = make_plan(folder, policy, system=system, harnesses=harnesses)
    plan = replace(plan, database_url=database_url)
    progress = options.progress_bar(quiet=quiet)
    if item is not None:
        click.echo(_explain_one(item, corpus, plan, as_json=as_json))
        return
    before = _read_failing(folder, base_name) if flipped else {}
    seen = investigate(corpus, plan, progress=progress)
    failed = _take_out(seen.failed, before) if flipped else seen.failed
    failures = list_failures(seen, failed, corpus.cases)
    title = "Items that fail here and not on the base" if flipped else "Failing items"
    click.echo(_write_failures(failures, title=title, as_json=as_json))


def make_plan(
    folder: Path, policy: Policy | None, *, system: str | None, harnesses: str | None
) -> measuring.Plan:
    """Plan a run for looking into: the policy's system and harnesses unless others are named."""
    known = policy or Policy(system="reflex")
    return measuring.Plan(
        system=system or known.system,
        harnesses=options.split_names(harnesses, known.harnesses if policy else HARNESSES),
        suites=known.suites,
        cmd_args=click.get_current_context().obj or (),
        systems=known.systems,
        folder=folder,
        sealed=measuring.seal(folder, policy) if policy else (),
    )


@dataclass(slots=True)
class _Watch:
    """Keeps the system that a run puts under watch."""

    watched: WatchedSystem | None = None

    def __call__(self, system: MemorySystem) -> MemorySystem:
        self.watched = WatchedSystem(system)
        return self.watched


def investigate(
    corpus: Corpus, plan: measuring.Plan, *, progress: Callable[[int, int], None]
) -> Investigation:
    """Replay a corpus under watch.

    Raises:
        UsageError: The system is a foreign runner, of which only a result is seen.
    """
    watch = _Watch()
    measured = measuring.measure(corpus, plan, progress=progress, watch=watch)
    if watch.watched is None:
        raise UsageError(
            "only a result is seen of this system, not what it was asked and answered",
            where=plan.system,
            advice="look at the result with `brainbench show RESULT`",
        )
    cases = corpus.select(include_holdout=plan.include_holdout)
    return Investigation(cases, measured.result, watch.watched)


def _explain_one(text: str, corpus: Corpus, plan: measuring.Plan, *, as_json: bool) -> str:
    from brainbench_gate.explaining import render_explanation

    item = find_item(text, corpus.cases)
    partners = Corpus(cases=find_partners(item, corpus.cases), fixtures_hash=corpus.fixtures_hash)
    plan = replace(plan, suites=SUITES, include_holdout=True)
    seen = investigate(partners, plan, progress=lambda done, total: None)
    told = explain_item(item, seen)
    return _dump(told.to_json()) if as_json else render_explanation(told)


def _read_failing(folder: Path, base_name: str | None) -> Mapping[str, Sequence[str]]:
    with open_sides(folder, base_name=base_name, environ=os.environ) as sides:
        items, provenance = sides.base.items, sides.provenance
    if items is None:
        raise UsageError(
            "the base has no items file, so what fails there is not known",
            where=provenance.base_ref or str(folder),
            advice="name another base with --base, or list all with --failing",
        )
    return items.cells


def _take_out(
    failed: Mapping[str, Sequence[str]], before: Mapping[str, Sequence[str]]
) -> dict[str, list[str]]:
    return {
        cell: [item for item in items if item not in before[cell]]
        for cell, items in failed.items()
        if cell in before
    }


def _write_failures(failures: Sequence[Failure], *, title: str, as_json: bool) -> str:
    if as_json:
        return _dump([_plain(failure) for failure in failures])
    from brainbench_gate.explaining import render_failures

    return render_failures(failures, title=title)


def _plain(failure: Failure) -> dict[str, object]:
    return {
        "suite": failure.suite,
        "item": failure.item,
        "harnesses": list(failure.harnesses),
        "cause": failure.diagnosis.cause.name.lower(),
        "sentence": failure.diagnosis.sentence,
    }


def _dump(document: Any) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False)
