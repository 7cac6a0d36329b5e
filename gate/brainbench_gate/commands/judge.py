"""`brainbench judge`: judge what was measured elsewhere, running nothing of the head."""

from __future__ import annotations

import os
from pathlib import Path

import click

from brainbench_gate.commands import options
from brainbench_gate.commands.gate import print_judgement
from brainbench_gate.judging import judge_folder


@click.command(epilog="Example: brainbench judge result.json --base origin/main")
@click.argument("results", type=click.Path(path_type=Path), nargs=-1, required=True)
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
    from brainbench_gate.bench.recorded import read_documents

    bench = read_documents(results)
    judged = judge_folder(
        options.find_repo(repo), lambda sides: bench, environ=os.environ, base_name=base_name
    )
    print_judgement(judged, out=None, markdown=markdown, as_json=as_json)
    return judged.document.exit_code
