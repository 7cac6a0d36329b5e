"""Checks one commit out into the workspace, as actions/checkout does."""

from __future__ import annotations

import base64
import os
import subprocess
from pathlib import Path


def main() -> None:
    """Fetch and check out."""
    environ = os.environ
    wanted = environ["REF"] or environ["GITHUB_SHA"]
    url = f"{environ['GITHUB_SERVER_URL']}/{environ['GITHUB_REPOSITORY']}"
    pair = base64.b64encode(f"x-access-token:{environ['STAND_IN_TOKEN']}".encode()).decode()
    depth = [] if environ["DEPTH"] == "0" else [f"--depth={environ['DEPTH']}"]
    header = f"http.extraheader=Authorization: Basic {pair}"
    place = Path(environ["GITHUB_WORKSPACE"]) / environ["BELOW"]
    place.mkdir(parents=True, exist_ok=True)
    for command in (
        ["init", "--quiet", "."],
        ["remote", "add", "origin", url],
        ["-c", header, "fetch", "--quiet", "--no-tags", *depth, "origin", wanted],
        ["-c", "advice.detachedHead=false", "checkout", "--quiet", "--force", "FETCH_HEAD"],
    ):
        subprocess.run(["git", *command], check=True, cwd=place)


if __name__ == "__main__":
    main()
