"""Where the corpora that ship with this project stand: in the wheel, or in a checkout."""

from __future__ import annotations

from pathlib import Path

from brainbench_schema.errors import UsageError


def packaged_folder(name: str) -> Path:
    """Find a packaged benchmark's folder.

    Args:
        name: Its folder under ``evals``, such as ``brainbench``.

    Raises:
        UsageError: The installation lacks it.
    """
    package = Path(__file__).parent
    for folder in (package / "_packaged" / name, package.parents[1] / "evals" / name):
        if folder.is_dir():
            return folder
    raise UsageError(
        f"this installation carries no {name} corpus",
        where=str(package),
        advice="install brainbench-gate again, or give --fixtures DIR --gold DIR",
    )
