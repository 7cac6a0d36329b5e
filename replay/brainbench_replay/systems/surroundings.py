"""Where a system runs: a scratch folder that mirrors its own, and an environment by allow-list."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from brainbench_replay.systems.leftovers import claim, find_lost
from brainbench_replay.systems.sweeping import MARK, sweep
from brainbench_schema.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

LET_THROUGH = ("PATH", "HOME", "LANG", "LANGUAGE", "SYSTEMROOT", "PATHEXT")
"""Variables every system gets where they are set, beside ``LC_*``."""

NEVER = ("GITHUB_", "ACTIONS_", "RUNNER_", "BRAINBENCH_")
"""Prefixes of variables that no policy can let through."""

HIDDEN = (".git", "brainbench.yml")
"""What of its own folder a system never sees, beside corpus, gold and baselines."""

PREFIX = "brainbench-run-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a system is started in.

    Attributes:
        scratch: The run's folder; removed at the end.
        work: The working directory: links to what stands in the system's own folder.
        env: Its whole environment.
    """

    scratch: Path
    work: Path
    env: dict[str, str]


@contextmanager
def surround(
    own: Path,
    *,
    sealed: Iterable[Path],
    names: Iterable[str],
    environ: Mapping[str, str] = os.environ,
) -> Iterator[Surroundings]:
    """Make a system's surroundings; at the end remove them, and end what still runs there.

    Args:
        own: The folder that its entry calls `cwd`.
        sealed: Paths that must not be reachable from its working directory.
        names: Variables that the policy lets through.
        environ: The environment they are taken from.

    Raises:
        UsageError: There is no such folder, or a variable is never let through.
    """
    if not own.is_dir():
        raise UsageError("no such folder", where=str(own), advice="check `cwd` of the system")
    chosen = choose_variables(environ, names)
    remove_lost()
    scratch = Path(tempfile.mkdtemp(prefix=PREFIX)).resolve()
    mark = os.urandom(8).hex()
    owner = claim(scratch, mark)
    try:
        work, temporary = scratch / "work", scratch / "tmp"
        temporary.mkdir()
        mirror(own.resolve(), work, {path.resolve() for path in sealed})
        places = dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(temporary))
        env = {**chosen, **places, MARK: mark}
        yield Surroundings(scratch=scratch, work=work, env=env)
    finally:
        sweep(mark)
        remove_folder(scratch)
        owner.close()


def remove_lost() -> None:
    """Remove what runs that were killed have left in the temporary folder."""
    for folder, mark in find_lost(Path(tempfile.gettempdir()), PREFIX):
        sweep(mark)
        remove_folder(folder)


def choose_variables(environ: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Choose the variables a system gets.

    Raises:
        UsageError: A name belongs to the runner or to this project.
    """
    wanted = {*LET_THROUGH, *names}
    for name in sorted(wanted):
        if name.upper().startswith(NEVER):
            raise UsageError(
                f"{name} is never handed to a memory system",
                where="env",
                advice="take it off the list: it belongs to the runner or to the gate",
            )
    return {
        name: value for name, value in environ.items() if name in wanted or name.startswith("LC_")
    }


def mirror(own: Path, work: Path, sealed: set[Path]) -> None:
    """Lay out a folder of links to everything in another one but what is sealed.

    A folder that holds something sealed is laid out in turn; any other is one link. What is
    written to the top of the mirror stays there.
    """
    work.mkdir()
    for entry in sorted(own.iterdir()):
        if entry in sealed or entry.name in HIDDEN:
            continue
        if any(path.is_relative_to(entry) for path in sealed) and not entry.is_symlink():
            mirror(entry, work / entry.name, sealed)
        else:
            (work / entry.name).symlink_to(entry)


def remove_folder(folder: Path) -> None:
    """Remove a folder, also where permissions were taken from parts of it."""
    try:
        shutil.rmtree(folder)
    except OSError:
        _open_folders(folder)
        shutil.rmtree(folder, ignore_errors=True)


def _open_folders(folder: Path) -> None:
    """Open each folder before it is entered; what a link leads to isn't ours to change."""
    with contextlib.suppress(OSError):
        folder.chmod(0o700)
    for place, names, _ in os.walk(folder):
        for inner in (Path(place, name) for name in names):
            if not inner.is_symlink():
                with contextlib.suppress(OSError):
                    inner.chmod(0o700)
