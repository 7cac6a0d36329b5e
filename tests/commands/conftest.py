"""The command line in this process, over the test run's one PostgreSQL."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import pytest

from brainbench_gate.bench import launching
from brainbench_gate.cli import invoke

if TYPE_CHECKING:
    from pathlib import Path

    from brainbench_replay import postgres


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a command came to."""

    code: int
    out: str
    err: str


class Brainbench(Protocol):
    """Runs one command line."""

    def __call__(self, *arguments: str | Path) -> Ran: ...


@pytest.fixture
def brainbench(
    server: postgres.Launch, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Brainbench:
    """The command line outside any workflow."""
    for name in os.environ:
        if name.startswith(("GITHUB_", "BRAINBENCH_")) or name == "CI":
            monkeypatch.delenv(name)
    monkeypatch.setattr(launching, "_launched", [server])

    def run(*arguments: str | Path) -> Ran:
        capsys.readouterr()
        code = invoke([str(argument) for argument in arguments])
        seen = capsys.readouterr()
        return Ran(code=code, out=seen.out, err=seen.err)

    return run
