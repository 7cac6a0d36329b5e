"""`brainbench merge`: the shards of one run become its result."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from brainbench_gate.bench.merging import Part, merge_parts
from brainbench_gate.commands import options
from brainbench_gate.commands.run import find_corpus, find_policy
from brainbench_gate.commands.show import read_result
from brainbench_schema.files import write_file

if TYPE_CHECKING:
    from pathlib import Path


@click.command(epilog="Example: brainbench merge shard-1.json shard-2.json --out result.json")
@click.argument("results", type=options.FILE, nargs=-1, required=True)
@click.option("--out", type=options.FILE, required=True, help="Where to write the result.")
@options.fixtures
@options.gold
@options.repo
def merge(
    *,
    results: tuple[Path, ...],
    out: Path,
    fixtures: Path | None,
    gold: Path | None,
    repo: Path | None,
) -> None:
    """Put the results of `run --shard I/N` together; each has to be there exactly once."""
    folder = options.find_repo(repo)
    corpus = find_corpus(folder, find_policy(folder), fixtures, gold)
    parts = [Part(name=str(path), result=read_result(path)) for path in results]
    write_file(out, merge_parts(parts, corpus).serialize())
    click.echo(f"wrote {out}")
