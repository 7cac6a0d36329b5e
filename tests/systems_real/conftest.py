"""Real systems and pages followed literally: collected only in the `systems` session of nox.

BRAINBENCH_SYSTEMS names a folder with `node_modules` as `package.json` here asks for; the
interpreter has what `requirements.txt` asks for, and this project.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

if not os.environ.get("BRAINBENCH_SYSTEMS"):
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with this project's wheel, as an index would give it."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(folder)]
    subprocess.run([*command, str(Path(__file__).parents[2])], check=True)
    return folder


@pytest.fixture
def clean_env(wheel: Path, tmp_path: Path) -> dict[str, str]:
    """An environment in which `pip install brainbench-gate` finds that wheel."""
    kept = ("PATH", "LANG", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_TRUSTED_HOST", "PIP_CERT")
    env = {name: value for name, value in os.environ.items() if name in kept}
    home = tmp_path / "home"
    home.mkdir()
    pip = {"PIP_FIND_LINKS": str(wheel), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    return {**env, **pip, "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"}
