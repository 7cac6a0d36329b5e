"""The folder of a run is swept once nobody holds it, and refused where no server can live."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from typing import TYPE_CHECKING

import pytest
from tests.replay.postgres.runs import eventually

from brainbench_replay.postgres import launch
from brainbench_schema.errors import DatabaseError

if TYPE_CHECKING:
    from pathlib import Path


def test_only_leftovers_of_the_dead_are_swept(temporary: Path) -> None:
    """A held lock, a folder just made and a folder of another kind stay."""
    kinds = ("dead", "held", "new", "old")
    dead, held, new, old = (temporary / f"brainbench-pg-{kind}" for kind in kinds)
    other = temporary / "something-else"
    for folder in (dead, held, new, old, other):
        (folder / "server" / "data").mkdir(parents=True)
    (old / "link").symlink_to(other)
    os.utime(old, (0, 0))
    for folder in (dead, held, other):
        (folder / "lock").touch()
    with (held / "lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with launch() as server:
            server.conninfo()
            assert eventually(lambda: not dead.exists() and not old.exists())
    assert [folder.exists() for folder in (held, new, other)] == [True] * 3
    for folder in (held, new, other):
        shutil.rmtree(folder)


def test_a_temporary_folder_with_a_long_path_is_refused(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(temporary / ("x" * 80)))
    with pytest.raises(DatabaseError, match="103 bytes") as caught:
        launch()
    assert "TMPDIR" in caught.value.advice


def test_shared_memory_is_no_place_for_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/dev/shm")
    with pytest.raises(DatabaseError, match="shared memory"):
        launch()


def test_a_temporary_folder_that_cannot_be_written_is_told(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(temporary / "missing"))
    with launch() as server, pytest.raises(DatabaseError, match="No such file") as caught:
        server.conninfo()
    assert caught.value.where == str(server.folder)
