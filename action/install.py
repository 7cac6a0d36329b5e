"""Makes the environment that the gate runs in: apart from the user's, hash-locked, wheels only.

`python -I action/install.py FOLDER` prints nothing but what pip prints, and sets the step output
`python` to the environment's interpreter. FOLDER may hold such an environment already.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent
LOCK = HERE / "requirements.txt"
KEPT_SETTINGS = ("PIP_CERT", "PIP_CONFIG_FILE", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL",
                 "PIP_FIND_LINKS", "PIP_PROXY", "PIP_TRUSTED_HOST")  # fmt: skip
"""Where packages come from is the runner's to say; what they are is said by their hashes."""

DROPPED_PREFIXES = ("PIP_", "UV_", "PYTHON", "LD_", "NODE_", "BASH_ENV", "VIRTUAL_ENV")


def clean_environment(environ: dict[str, str]) -> dict[str, str]:
    """Give an environment in which no earlier step decides what is run."""
    return {
        name: value
        for name, value in environ.items()
        if value and (name in KEPT_SETTINGS or not name.startswith(DROPPED_PREFIXES))
    }


def find_interpreter(folder: Path) -> Path:
    """Give the interpreter of an environment."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def install(folder: Path, environ: dict[str, str]) -> Path:
    """Create the environment and install this project as it was checked out for the action."""
    python = find_interpreter(folder)
    venv.EnvBuilder(with_pip=True, clear=True, symlinks=os.name != "nt").create(folder)
    pip = [str(python), "-I", "-m", "pip", "--disable-pip-version-check", "--no-input", "install",
           "--quiet", "--no-cache-dir"]  # fmt: skip
    locked = ["--require-hashes", "--only-binary=:all:", f"--requirement={LOCK}"]
    own = ["--no-deps", "--no-index", "--no-build-isolation", str(PROJECT)]
    for arguments in (locked, own):
        subprocess.run([*pip, *arguments], check=True, env=environ, cwd=HERE)
    return python


def main() -> None:
    """Install, unless a prebuilt environment was given; name the interpreter."""
    folder = Path(sys.argv[1])
    prebuilt = os.environ.get("BRAINBENCH_ENVIRONMENT", "")
    python = (
        find_interpreter(Path(prebuilt))
        if prebuilt
        else install(folder, clean_environment(dict(os.environ)))
    )
    with Path(os.environ["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as file:
        file.write(f"python={python}\n")


if __name__ == "__main__":
    main()
