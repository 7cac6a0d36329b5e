"""A temporary folder and a cache of the tests' own; the folder must be empty after each."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def cache() -> Iterator[Path]:
    """A cache folder of the tests' own, so that most servers start from a template."""
    with tempfile.TemporaryDirectory(prefix="bb-") as folder:
        yield Path(folder)


@pytest.fixture(autouse=True)
def temporary(monkeypatch: pytest.MonkeyPatch, cache: Path) -> Iterator[Path]:
    """A temporary folder with a short path, which must be empty at the end."""
    for name in [name for name in os.environ if name.startswith(("BRAINBENCH_", "PG"))]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    with tempfile.TemporaryDirectory(prefix="bb-") as name:
        folder = Path(name)
        folder.chmod(0o1777)
        monkeypatch.setenv("TMPDIR", name)
        monkeypatch.setattr(tempfile, "tempdir", name)
        yield folder
        assert sorted(folder.iterdir()) == []


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody may enter, outside the temporary folder."""
    with tempfile.TemporaryDirectory(prefix="bb-", dir=Path(tempfile.gettempdir()).parent) as name:
        Path(name).chmod(0o755)
        yield Path(name)
