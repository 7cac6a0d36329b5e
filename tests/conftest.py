"""One embedded PostgreSQL for the whole test run, and a schema of its own for each test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from brainbench_replay import postgres

if TYPE_CHECKING:
    from collections.abc import Iterator

    import psycopg


@pytest.fixture(scope="session")
def server() -> Iterator[postgres.Launch]:
    """A running embedded server."""
    with postgres.launch() as launch:
        yield launch


@pytest.fixture
def database(server: postgres.Launch) -> Iterator[psycopg.Connection]:
    """A connection whose search path is a fresh schema."""
    with postgres.connect(None, server) as connection:
        yield connection
