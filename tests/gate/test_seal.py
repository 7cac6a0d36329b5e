"""A seal breaks where a file under it changes, links and unreadable ones included."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from brainbench_gate.seal import put_seal
from brainbench_schema.errors import BrainbenchError


def test_a_seal_knows_links_folders_and_what_can_not_be_read(tmp_path: Path) -> None:
    """Compiled files and git's own are not looked at."""
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "folder").mkdir()
    (tmp_path / "to-folder").symlink_to("folder")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "a.pyc").write_text("", encoding="utf-8")
    seal = put_seal([tmp_path, tmp_path / "dangling", tmp_path / "missing"])
    names = {Path(path).name for path in seal.digests}
    assert {"to-folder", "dangling"} == names
    (tmp_path / "__pycache__" / "x").write_text("", encoding="utf-8")
    (tmp_path / "a.pyc").write_text("x", encoding="utf-8")
    os.mkfifo(tmp_path / "__pycache__" / "pipe")
    seal.require_unbroken()
    odd = put_seal([Path("/proc/self/mem"), tmp_path / "__pycache__" / "pipe"])
    assert ["unreadable: Input/output error", "no file"] == list(odd.digests.values())
    (tmp_path / "missing").write_text("", encoding="utf-8")
    with pytest.raises(BrainbenchError, match="missing"):
        seal.require_unbroken()
