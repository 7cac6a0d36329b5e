"""Which interpreter runs a memory in Python."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from brainbench_replay.systems.python_host import SCRIPTS, find_interpreter, host_command
from brainbench_schema.policy import SystemEntry

if TYPE_CHECKING:
    import pytest


def make_environment(folder: Path) -> str:
    """Lay out an environment's interpreter; give its path."""
    program = folder / SCRIPTS / "python"
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    return str(program)


def test_the_active_environment_wins(tmp_path: Path) -> None:
    """Over one in the folder."""
    make_environment(tmp_path / ".venv")
    active = make_environment(tmp_path / "active")
    environ = {"VIRTUAL_ENV": str(tmp_path / "active")}
    assert find_interpreter(tmp_path, environ) == active


def test_the_gate_s_own_environment_comes_after_the_folder_s() -> None:
    """The gate may run in one of its own that lacks the memory's packages."""
    own = Path(sys.prefix)
    assert find_interpreter(Path("/nowhere"), {"VIRTUAL_ENV": str(own)}) == str(
        own / SCRIPTS / "python"
    )


def test_the_folder_s_environment_wins_over_the_gate_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where both are there."""
    own = make_environment(tmp_path / "venv")
    make_environment(tmp_path / "gate")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "gate"))
    assert find_interpreter(tmp_path, {"VIRTUAL_ENV": str(tmp_path / "gate")}) == own


def test_a_command_names_the_interpreter(tmp_path: Path) -> None:
    """And the host file is copied, so that its place leads nowhere."""
    entry = SystemEntry(kind="python", command=("my-python", "-X", "dev"), factory="a:make")
    command = host_command(entry, tmp_path, tmp_path)
    assert command == ["my-python", "-X", "dev", "-B", str(tmp_path / "host.py"), "a:make"]
    assert (tmp_path / "host.py").is_file()
