"""`brainbench history` and `brainbench audit`: the baseline through its git history."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from brainbench_gate import telling
from brainbench_gate.base import Repository
from brainbench_gate.chronicle import Chronicle, read_chronicle
from brainbench_gate.commands import options
from brainbench_schema.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

REF = click.option("--ref", "name", help="Where to start; default: the commit checked out.")


@click.command(epilog="Example: brainbench history --ref origin/main")
@REF
@options.as_json
@options.repo
def history(*, name: str | None, as_json: bool, repo: Path | None) -> None:
    """Show how each number of the baseline moved over its git history."""
    chronicle = open_chronicle(options.find_repo(repo), name)
    if as_json:
        click.echo(_dump(telling.history_json(chronicle)))
    else:
        click.echo(telling.render_history(chronicle))


@click.command(epilog="Example: brainbench audit --json")
@REF
@options.as_json
@options.repo
def audit(*, name: str | None, as_json: bool, repo: Path | None) -> None:
    """List every justification ever given, with who gave it and what got worse."""
    chronicle = open_chronicle(options.find_repo(repo), name)
    if as_json:
        click.echo(_dump(telling.audit_json(chronicle)))
    else:
        click.echo(telling.render_audit(chronicle))


def open_chronicle(folder: Path, name: str | None) -> Chronicle:
    """Read the baseline's history in the repository around a folder.

    Raises:
        UsageError: There is no repository, or no commit in it.
        GitError: The ref asked for isn't there.
    """
    repository = Repository.open(folder)
    if repository is None:
        raise UsageError("is not in a git repository", where=str(folder), advice="give --repo DIR")
    with repository:
        commit = repository.resolve(name).commit if name else repository.head()
        if commit is None:
            raise UsageError("the repository has no commit yet", where=str(folder))
        return read_chronicle(repository, commit)


def _dump(document: Any) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False)
