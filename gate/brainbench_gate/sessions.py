"""Sessions for a user's own noxfile: ``from brainbench_gate.sessions import gate, bless``.

They run in the environment that nox itself runs in. With nox's script block that is

    # /// script
    # dependencies = ["nox", "brainbench-gate"]
    # ///
    from brainbench_gate.sessions import bless, gate

and `nox -s gate` says what CI will say, with the same exit code.
"""

from __future__ import annotations

import subprocess
import sys

import nox

__all__ = ["bless", "gate"]


@nox.session(python=False)
def gate(session: nox.Session) -> None:
    """Replay this tree and judge it against the base branch."""
    run_command("gate", session.posargs)


@nox.session(python=False)
def bless(session: nox.Session) -> None:
    """Replay this tree and write its baseline: nox -s bless -- --justification "…"."""
    run_command("bless", session.posargs)


def run_command(command: str, arguments: list[str]) -> None:
    """Run a command of `brainbench`, isolated from the folder it is run in.

    Raises:
        SystemExit: It ended with another code than 0, which nox alone would turn into 1.
    """
    code = subprocess.call([sys.executable, "-I", "-m", "brainbench_gate", command, *arguments])
    if code:
        sys.stdout.flush()
        raise SystemExit(code)
