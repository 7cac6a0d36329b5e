"""A folder with a gate, outside git, and the ground read from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gate.worlds import TREE

from brainbench_gate.ground import FolderTree, Ground, read_ground

if TYPE_CHECKING:
    from pathlib import Path


def folder_of(path: Path) -> Path:
    """A folder with a gate, outside git."""
    for name, text in TREE.items():
        assert isinstance(text, str)
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text, encoding="utf-8")
    return path


def read(folder: Path) -> Ground:
    """The ground of a folder."""
    return read_ground(FolderTree(folder=folder, blob_id=lambda data: str(len(data))))
