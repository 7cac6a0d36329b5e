"""The action's own sessions; the checkout's noxfile plays no part in a verdict.

They run in the environment that nox itself runs in, which `install.py` made.
"""

from __future__ import annotations

import os
import subprocess
import sys

import nox


@nox.session(python=False)
def publish(session: nox.Session) -> None:  # noqa: ARG001
    """Measure or judge as the inputs say, and publish; ends with the verdict's exit code."""
    command = [sys.executable, "-I", "-m", "brainbench_gate", "publish"]
    code = subprocess.call(command, cwd=os.environ["GITHUB_WORKSPACE"])
    if code:
        raise SystemExit(code)
