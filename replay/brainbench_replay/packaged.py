"""Where what ships with this project stands, in the wheel or in a checkout: corpora, baselines."""

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
    return _find(name, Path("evals") / name, "give --fixtures DIR --gold DIR")


def packaged_baselines() -> Path:
    """Find the folder of the baselines that this release was accepted with.

    Raises:
        UsageError: The installation lacks it.
    """
    return _find("baselines", Path("baselines"), "name a baseline")


def _find(name: str, in_checkout: Path, instead: str) -> Path:
    package = Path(__file__).parent
    for folder in (package / "_packaged" / name, package.parents[1] / in_checkout):
        if folder.is_dir():
            return folder
    raise UsageError(
        f"this installation carries no {name}",
        where=str(package),
        advice=f"install brainbench-gate again, or {instead}",
    )
