"""`brainbench init`: everything that a repository needs, and a first baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from brainbench_gate.commands import options
from brainbench_gate.commands.writing import write_files
from brainbench_gate.scaffold import (
    CORPUS,
    Language,
    find_language,
    minimal_corpus,
    packaged_corpus,
    plan_files,
    stub_path,
)
from brainbench_replay.packaged import packaged_folder
from brainbench_schema.errors import GitError

if TYPE_CHECKING:
    from pathlib import Path

    from brainbench_gate.base import Repository

HEADS = "refs/heads/"
FALLBACK = "main"

LANGUAGES = click.Choice([language.value for language in Language])


@click.command(epilog="Example: brainbench init --minimal")
@click.option("--minimal", is_flag=True, help="Two example fixtures in place of the corpus.")
@click.option("--language", type=LANGUAGES, help="Default: by pyproject.toml or package.json.")
@click.option("--no-bless", is_flag=True, help="Write files only; make no baseline yet.")
@click.option("--base", "base_name", help="Commit to compare with; default: the default branch.")
@options.repo
@options.quiet
@click.pass_context
def init(
    context: click.Context,
    *,
    minimal: bool,
    language: str | None,
    no_bless: bool,
    base_name: str | None,
    repo: Path | None,
    quiet: bool,
) -> int:
    """Write policy, starter memory, workflow and corpus, then bless a first baseline."""
    folder = options.find_repo(repo)
    chosen = Language(language) if language else find_language(folder)
    files = plan_files(
        chosen,
        corpus=minimal_corpus() if minimal else packaged_corpus(packaged_folder("brainbench")),
        branch=find_branch(folder),
        installable=(folder / "pyproject.toml").is_file(),
        has_lock=(folder / "package-lock.json").is_file(),
    )
    written = write_files(folder, files)
    for line in describe(written):
        click.echo(line)
    if no_bless:
        return 0
    code = bless(context, folder, base_name=base_name, quiet=quiet)
    if code == 0:
        click.echo(
            f"Next: commit all of it and open a pull request; it gates from its merge on."
            f" Then put your own memory into {stub_path(chosen)}."
        )
    return code


def describe(written: list[str]) -> list[str]:
    """List what was written; the corpus as one line."""
    corpus = [path for path in written if path.startswith(f"{CORPUS}/")]
    lines = [f"wrote {path}" for path in written if path not in corpus]
    if corpus:
        fixtures = sum(path.endswith(".fixture.json") for path in corpus)
        lines.append(f"wrote {CORPUS}: {fixtures} fixtures with their gold")
    return lines


def bless(context: click.Context, folder: Path, *, base_name: str | None, quiet: bool) -> int:
    """Make the first baseline, as `brainbench bless` does."""
    from brainbench_gate.commands.bless import bless as command

    code = context.invoke(command, repo=folder, base_name=base_name, quiet=quiet)
    return code if isinstance(code, int) else 0


def find_branch(folder: Path) -> str:
    """Name the default branch: the one that the gate will compare with, else a likely one.

    Where no remote can tell, it is the first there is of `main`, `master`, the only branch that
    follows a remote's (a clone of an empty repository has one), and the branch checked out. Without
    any commit the last one counts only in a repository without remotes.
    """
    from brainbench_gate.base import Repository, find_default_branch

    try:
        repository = Repository.open(folder)
        if repository is None:
            return FALLBACK
        with repository:
            try:
                return find_default_branch(repository) or _guess_branch(repository)
            except GitError:
                return _guess_branch(repository)
    except GitError:
        return FALLBACK


def _guess_branch(repository: Repository) -> str:
    own = (repository.symbolic_ref("HEAD") or "").removeprefix(HEADS)
    usual = [name for name in ("main", "master") if repository.ref(HEADS + name)]
    followed = repository.tracking()
    counts = own and (repository.ref(HEADS + own) or not repository.remotes())
    likely = [*usual, *(followed if len(followed) == 1 else []), *([own] if counts else [])]
    return likely[0] if likely else FALLBACK
