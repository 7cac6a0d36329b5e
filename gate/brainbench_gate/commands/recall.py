"""`brainbench recall` and `brainbench import`: the second benchmark."""
# Each command imports what it needs when it is called.

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from brainbench_gate.commands import options
from brainbench_schema.errors import UsageError
from brainbench_schema.files import write_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from brainbench_replay.recall.adapters.registry import Setting
    from brainbench_replay.recall.run import Plan
    from brainbench_replay.result import RunFacts
    from brainbench_schema.result import Result

SOURCE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command(epilog="Example: brainbench recall --adapter keyword --dataset set.jsonl")
@click.option("--adapter", required=True, help="A built-in name, or your own module:attribute.")
@click.option("--dataset", required=True, type=SOURCE, help="JSON Lines, one session a line.")
@click.option("--output", type=options.FILE, help="Write the result document to a file.")
@click.option("--markdown", type=options.FILE, help="Write the filled-in results template.")
@click.option("--template", type=SOURCE, help="Template for --markdown in place of the own one.")
@click.option("--errata", type=SOURCE, help="Corrections of the gold, scored beside it.")
@click.option("--embedder", help="module:function that gives vectors for texts.")
@click.option("--python", help="Interpreter for your own adapter.")
@click.option("--module-dir", type=options.FOLDER, help="Where your module is; default: here.")
@click.option("--env", "pass_on", multiple=True, help="Variable to let your adapter see.")
@click.option(
    "--timeout-s",
    type=click.FloatRange(min=0.1),
    default=60,
    show_default=True,
    help="Longest time for one call of your adapter, in seconds.",
)
@options.as_json
@options.database_url
@options.quiet
def recall(
    *,
    adapter: str,
    dataset: Path,
    output: Path | None,
    markdown: Path | None,
    template: Path | None,
    errata: Path | None,
    embedder: str | None,
    python: str | None,
    module_dir: Path | None,
    pass_on: tuple[str, ...],
    timeout_s: float,
    as_json: bool,
    database_url: str | None,
    quiet: bool,
) -> int:
    """Ask an adapter what a dataset asks, and print what it found.

    Built-in adapters are keyword, postgres, latest, everything and empty.
    """
    from brainbench_gate.bench import launching
    from brainbench_replay.recall.adapters.registry import Setting
    from brainbench_replay.recall.report import check_template, fill_template, render_text
    from brainbench_replay.recall.run import Plan, read_template

    setting = Setting(
        connect=lambda: launching.connect(database_url),
        environ=dict(os.environ),
        pass_on=pass_on,
        python=python,
        folder=module_dir,
        timeout_s=timeout_s,
        show=not quiet,
    )
    plan = Plan(adapter=adapter, dataset=dataset, errata=errata, embedder=embedder)
    form = read_template(template)
    check_template(form, str(template or "results template"))
    result = _run(plan, setting, quiet=quiet)
    if output:
        write_file(output, result.serialize())
    if markdown:
        write_file(markdown, fill_template(form, result).encode())
    click.echo(result.serialize() if as_json else render_text(result), nl=not as_json)
    return 0


@click.command("import", epilog="Example: brainbench import locomo locomo10.json --out set.jsonl")
@click.argument("kind")
@click.argument("source", type=SOURCE)
@click.option("--out", required=True, type=options.FILE, help="The dataset to write.")
@click.option(
    "--option",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting of the importer, such as captions=yes; recorded in the dataset.",
)
@options.as_json
@options.quiet
def import_source(
    *, kind: str, source: Path, out: Path, settings: tuple[str, ...], as_json: bool, quiet: bool
) -> int:
    """Make a dataset of a file that you have, and print what was found and dropped.

    KIND is longmemeval, locomo, memoryagentbench or ama-bench. Nothing is downloaded.
    """
    import json

    from brainbench_replay.recall.importers.run import import_dataset, render_summary

    with _byte_bar("importing", source.stat().st_size, quiet=quiet) as progress:
        summary = import_dataset(kind, source, out, _read_settings(settings), progress)
    text = json.dumps(summary.to_json(), ensure_ascii=False, indent=2)
    click.echo(text if as_json else render_summary(summary))
    for remark in summary.remarks:
        options.say(f"note: {remark}", quiet=quiet)
    return 0


def _run(plan: Plan, setting: Setting, *, quiet: bool) -> Result:
    from brainbench_replay.recall.run import measure_recall, survey

    with _byte_bar("reading", plan.dataset.stat().st_size, quiet=quiet) as progress:
        found = survey(plan, progress)
    show = options.progress_bar(quiet=quiet)
    return measure_recall(plan, found, setting, _facts(), lambda done: show(done, found.sessions))


def _facts() -> RunFacts:
    from datetime import UTC, datetime
    from importlib.metadata import version

    from brainbench_gate.bench.measuring import find_commit
    from brainbench_replay.result import RunFacts

    return RunFacts(
        harness_sha=find_commit(Path.cwd()),
        ts=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        cmd_args=click.get_current_context().obj or ("recall",),
        seed=0,
        include_holdout=False,
        package_version=version("brainbench-gate"),
    )


def _read_settings(settings: tuple[str, ...]) -> dict[str, str]:
    pairs = [setting.partition("=") for setting in settings]
    for name, mark, _ in pairs:
        if not mark:
            raise UsageError(f"--option {name} has no value", advice="write --option NAME=VALUE")
    return {name: value for name, _, value in pairs}


@contextmanager
def _byte_bar(title: str, size: int, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Give a callback that takes bytes as they are read: a bar on a terminal, else nothing."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns: list[Any] = [TextColumn(title), BarColumn(), DownloadColumn(), TimeRemainingColumn()]
    shown = console.is_terminal and not quiet
    with Progress(*columns, console=console, transient=True, disable=not shown) as bar:
        task = bar.add_task(title, total=size)
        yield lambda count: bar.update(task, advance=count)
