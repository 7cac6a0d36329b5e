"""`brainbench corpus`: check a corpus, print its hash."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import click

from brainbench_gate.commands import options
from brainbench_gate.commands.run import find_corpus, find_policy

if TYPE_CHECKING:
    from pathlib import Path


@click.group(epilog="Example: brainbench corpus validate --fixtures f --gold g")
def corpus() -> None:
    """Check a corpus, or print its hash."""


@corpus.command(epilog="Example: brainbench corpus validate")
@options.fixtures
@options.gold
@options.repo
@options.as_json
def validate(*, fixtures: Path | None, gold: Path | None, repo: Path | None, as_json: bool) -> None:
    """Check every document of a corpus; list all faults at once."""
    folder = options.find_repo(repo)
    found = find_corpus(folder, find_policy(folder), fixtures, gold)
    suites = Counter(suite for case in found.cases for suite in case.fixture.suites)
    held = sum(case.fixture.holdout for case in found.cases)
    document = {
        "fixtures": len(found.cases),
        "holdout": held,
        "suites": dict(sorted(suites.items())),
        "fixtures_hash": found.fixtures_hash,
    }
    if as_json:
        click.echo(json.dumps(document, indent=2))
    else:
        counts = ", ".join(f"{suite} {count}" for suite, count in sorted(suites.items()))
        click.echo(f"{len(found.cases)} fixtures are valid, {held} of them held out ({counts})")


@corpus.command("hash", epilog="Example: brainbench corpus hash")
@options.fixtures
@options.gold
@options.repo
def hash_(*, fixtures: Path | None, gold: Path | None, repo: Path | None) -> None:
    """Print the SHA-256 that names a corpus."""
    folder = options.find_repo(repo)
    click.echo(find_corpus(folder, find_policy(folder), fixtures, gold).fixtures_hash)
