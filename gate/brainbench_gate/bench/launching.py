"""Starts the embedded PostgreSQL before the heavy imports, so that both take place at once."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import psycopg

    from brainbench_replay.postgres import Launch

DATABASE_VARIABLE = "BRAINBENCH_DATABASE_URL"
EARLY_COMMANDS = frozenset({"run", "gate", "bless", "explain", "ratchet"})
"""Commands that nearly always replay against the built-in memory."""

READ_AHEAD = 1 << 18
"""Characters of the policy that are looked at to guess; no policy is longer."""

_launched: list[Launch] = []


def prepare(arguments: list[str]) -> None:
    """Start a server for a command line that will want one.

    This only guesses; a server that nobody asks for is stopped at the end all the same.
    """
    if _wants_server(arguments):
        launch()


def launch() -> Launch:
    """Give the process's server, started now if it isn't yet. Doesn't wait until it answers."""
    if not _launched:
        from brainbench_replay import postgres

        _launched.append(postgres.launch())
    return _launched[0]


@contextmanager
def connect(url: str | None) -> Iterator[psycopg.Connection]:
    """Connect to the database that was named, by option or environment, else to the process's."""
    from brainbench_replay import postgres

    url = url or os.environ.get(DATABASE_VARIABLE)
    with postgres.connect(url, None if url else launch()) as connection:
        yield connection


def end() -> None:
    """Stop the server and remove its folder, where one was started."""
    while _launched:
        _launched.pop().close()


def _wants_server(arguments: list[str]) -> bool:
    command = next((word for word in arguments if not word.startswith("-")), None)
    return (
        command in EARLY_COMMANDS
        and not os.environ.get(DATABASE_VARIABLE)
        and not {"--help", "--jobs", "--result", "--database-url", "--system"} & set(arguments)
        and _may_be_built_in()
    )


def _may_be_built_in() -> bool:
    """Tell whether the policy of this folder, where there is one, may name a built-in memory."""
    try:
        with Path("brainbench.yml").open(encoding="utf-8") as file:
            policy = file.read(READ_AHEAD)
    except (OSError, UnicodeDecodeError):
        return True
    named = re.search(r"^system: *([\w.-]+)", policy, re.MULTILINE)
    return named is None or named[1] in ("reflex", "keyword")
