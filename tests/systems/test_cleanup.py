"""A run that is ended from outside leaves nothing, at once or with the next run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from tests.systems.kinds import PROGRAMS
from tests.systems.test_faults import find_running

from brainbench_replay.systems.surroundings import mirror, remove_folder, remove_lost

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PROGRAM = """
import sys
from pathlib import Path
from brainbench_gate.bench.measuring import Plan, measure
from brainbench_schema.policy import SystemEntry
sys.path.insert(0, {root!r})
from tests.systems.kinds import make_entry, talk_corpus
plan = Plan(system="hangs", systems={{"hangs": make_entry("command", "hang", timeout_s=60)}},
            folder=Path({programs!r}))
measure(talk_corpus(), plan)
"""


@pytest.fixture
def hanging(scratch: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A run whose system hangs."""
    root = str(PROGRAMS.parents[2])
    program = PROGRAM.format(root=root, programs=str(PROGRAMS))
    env = {**os.environ, "TMPDIR": str(scratch)}
    with subprocess.Popen([sys.executable, "-c", program], env=env) as process:
        _await(lambda: len(find_running(scratch)) >= 2)
        time.sleep(0.2)
        yield process
        process.kill()


def test_after_sigterm_nothing_is_left(hanging: subprocess.Popen[bytes], scratch: Path) -> None:
    """Cancelling a job ends the system with the run."""
    hanging.send_signal(signal.SIGTERM)
    assert hanging.wait(10) == 128 + signal.SIGTERM
    assert find_running(scratch) == []
    assert list(scratch.iterdir()) == []


def test_after_sigkill_the_next_run_cleans_up(
    hanging: subprocess.Popen[bytes], scratch: Path
) -> None:
    """Folder and processes of a run that is gone are found; those of a living one are left."""
    remove_lost()
    assert hanging.poll() is None
    assert len(list(scratch.iterdir())) == 1
    hanging.kill()
    hanging.wait(10)
    assert len(list(scratch.iterdir())) == 1
    remove_lost()
    assert list(scratch.iterdir()) == []
    assert find_running(scratch) == []


def test_a_mirror_shows_all_but_what_is_sealed(tmp_path: Path) -> None:
    """Folders that hold something sealed are laid out; the rest is one link each."""
    own = tmp_path / "own"
    for name in ("a/b/gold", "a/b/free", "c"):
        (own / name).mkdir(parents=True)
    (own / "brainbench.yml").write_text("")
    mirror(own, tmp_path / "work", {own / "a" / "b" / "gold"})
    seen = sorted(path.relative_to(tmp_path / "work") for path in (tmp_path / "work").rglob("*"))
    assert [str(path) for path in seen] == ["a", "a/b", "a/b/free", "c"]
    assert (tmp_path / "work" / "c").is_symlink()


def test_a_folder_without_permissions_is_removed(tmp_path: Path) -> None:
    """Whatever a system did to its scratch folder."""
    folder = tmp_path / "scratch-folder"
    (folder / "closed").mkdir(parents=True)
    (folder / "closed" / "file").write_text("")
    (folder / "closed").chmod(0)
    remove_folder(folder)
    assert not folder.exists()


def _await(condition: object, seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_what_a_link_leads_to_keeps_its_permissions(tmp_path: Path) -> None:
    """Scratch folders hold links to the user's own folders."""
    own = tmp_path / "own"
    own.mkdir(mode=0o750)
    folder = tmp_path / "scratch-folder"
    (folder / "closed" / "deeper").mkdir(parents=True)
    (folder / "closed" / "link").symlink_to(own)
    (folder / "closed" / "deeper").chmod(0)
    (folder / "closed").chmod(0)
    remove_folder(folder)
    assert not folder.exists()
    assert 0o750 == own.stat().st_mode & 0o777
