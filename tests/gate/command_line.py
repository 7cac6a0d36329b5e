"""The command line as a process of its own, outside any workflow."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def brainbench(*arguments: str, cwd: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a folder, outside any workflow."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "CI"))}
    return subprocess.run(
        [sys.executable, "-m", "brainbench_gate", *arguments],
        cwd=cwd,
        env={**inherited, **environ},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
