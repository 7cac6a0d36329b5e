"""Options that several commands share, and what they all do with output."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brainbench_schema.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

Command = Any

FOLDER = click.Path(path_type=Path, file_okay=False)
FILE = click.Path(path_type=Path, dir_okay=False)

repo = click.option(
    "--repo", type=FOLDER, help="Folder of brainbench.yml; default: the enclosing git work tree."
)
quiet = click.option("-q", "--quiet", is_flag=True, help="No progress and no hints on stderr.")
verbose = click.option("-v", "--verbose", is_flag=True, help="Say more on stderr.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print the document as JSON.")
fixtures = click.option("--fixtures", type=FOLDER, help="Folder of *.fixture.json files.")
gold = click.option("--gold", type=FOLDER, help="Folder of *.gold.json files.")
out = click.option("--out", type=FILE, help="Also write the JSON document to a file.")
results = click.option(
    "--result",
    "results",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Result to take in place of a replay, or folder of a CI artifact that holds several.",
)
database_url = click.option(
    "--database-url",
    help="PostgreSQL to use in place of the embedded one [env: BRAINBENCH_DATABASE_URL].",
)


def find_repo(folder: Path | None) -> Path:
    """Give the folder whose brainbench.yml applies: the one named, else the work tree's top."""
    if folder is not None:
        if not folder.is_dir():
            raise UsageError("no such folder", where=str(folder), advice="check --repo")
        return folder
    here = Path.cwd()
    for candidate in (here, *here.parents):
        if (candidate / ".git").exists():
            return candidate
    return here


def split_names(text: str | None, default: tuple[str, ...]) -> tuple[str, ...]:
    """Read ``a,b`` or ``all``."""
    if text is None or text == "all":
        return default
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        raise UsageError("an empty list of names", advice="name at least one, or `all`")
    return names


def progress_bar(*, quiet: bool) -> Callable[[int, int], None]:
    """Give a progress callback: a bar where stderr is a terminal, else nothing."""
    if quiet or not sys.stderr.isatty():
        return lambda done, total: None
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    bar = Progress(
        TextColumn("replaying"),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("replay")

    def show(done: int, total: int) -> None:
        if not bar.live.is_started:
            bar.start()
        bar.update(task, completed=done, total=total)
        if done == total:
            bar.stop()

    return show


def say(text: str, *, quiet: bool = False) -> None:
    """Write a remark to stderr."""
    if not quiet:
        click.echo(text, err=True)
