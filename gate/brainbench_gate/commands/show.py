"""`brainbench show`, `report` and `runs`: results that were measured earlier."""

from __future__ import annotations

from pathlib import Path

import click

from brainbench_gate.commands import options
from brainbench_gate.scoreboard import render_scoreboard
from brainbench_gate.telling import describe_result, render_runs
from brainbench_schema.errors import BrainbenchError, UsageError
from brainbench_schema.files import read_file, write_file
from brainbench_schema.result import Result, parse_result


@click.command(epilog="Example: brainbench show result.json")
@click.argument("result", type=options.FILE)
@options.as_json
def show(*, result: Path, as_json: bool) -> None:
    """Print a result's scoreboard, or with --json the document, read strictly."""
    document = read_result(result)
    if as_json:
        click.echo(document.serialize(), nl=False)
        return
    facts = "\n".join(f"- {line}" for line in describe_result(document))
    click.echo(f"{facts}\n\n{render_scoreboard(document)}")


@click.command(epilog="Example: brainbench report result.json --html report.html")
@click.argument("result", type=options.FILE)
@click.option("--html", "page", type=options.FILE, required=True, help="Where to write the page.")
def report(*, result: Path, page: Path) -> None:
    """Write one self-contained HTML page of a result: scoreboard, failing items, glossary."""
    from brainbench_gate.html.page import render_page

    write_file(page, render_page(read_result(result)).encode())
    click.echo(f"wrote {page}")


@click.command(epilog="Example: brainbench runs results/")
@click.argument("folder", type=options.FOLDER, default=Path())
def runs(*, folder: Path) -> None:
    """List the results in a folder (files that `run --out` wrote), newest first."""
    if not folder.is_dir():
        raise UsageError("no such folder", where=str(folder))
    found = _read_all(folder)
    if not found:
        raise UsageError(
            "no result in this folder",
            where=str(folder),
            advice="make one with `brainbench run --out FILE`",
        )
    click.echo(render_runs(sorted(found, key=lambda run: run[1].receipt.ts, reverse=True)))


def read_result(path: Path) -> Result:
    """Read a result that the command line names.

    Raises:
        UsageError: It can't be read.
        InvalidInputError: It is no result, or too large to be one.
    """
    return parse_result(read_file(path), str(path))


def _read_all(folder: Path) -> list[tuple[str, Result]]:
    found = []
    for path in sorted(folder.glob("*.json")):
        try:
            found.append((path.name, read_result(path)))
        except BrainbenchError:
            continue
    return found
