"""Scripts that stand where PostgreSQL's programs are looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_replay.postgres import find_binaries

if TYPE_CHECKING:
    from pathlib import Path


def fake(folder: Path, **scripts: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, body in scripts.items():
        path = folder / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
    return folder


def real(name: str) -> str:
    return f'exec {find_binaries() / name} "$@"'
