"""A connection has a schema of its own, and what ends it is told without a password."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from brainbench_replay.postgres import connect, connection, launch
from brainbench_schema.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Iterator


def test_a_server_that_dies_under_a_connection_is_told() -> None:
    def use_after_death() -> None:
        with connect(None, server) as connection:
            os.kill(server.pids.server, signal.SIGQUIT)
            connection.execute("SELECT pg_sleep(5)")

    with launch() as server, pytest.raises(DatabaseError, match="the server ended by itself"):
        use_after_death()


def test_an_operational_error_of_a_living_server_passes_through() -> None:
    def wait_for_a_lock() -> None:
        with connect(None, server) as one, connect(None, server) as two:
            one.execute("SELECT pg_advisory_lock(1)")
            two.execute("SET lock_timeout = 10")
            two.execute("SELECT pg_advisory_lock(1)")

    with launch() as server, pytest.raises(psycopg.errors.LockNotAvailable):
        wait_for_a_lock()


@pytest.fixture
def url() -> Iterator[str]:
    """A server that plays the user's."""
    with launch() as server:
        yield server.conninfo()


def schemas(url: str) -> list[str]:
    query = "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'brainbench%'"
    with psycopg.connect(url) as connection:
        return [name for (name,) in connection.execute(query).fetchall()]


def test_the_schema_is_dropped_with_what_it_holds(url: str) -> None:
    with connect(url, None) as connection:
        connection.execute("CREATE TABLE pages (slug text)")
        assert len(schemas(url)) == 1
    assert schemas(url) == []


def test_a_url_wins_over_a_launched_server(url: str) -> None:
    with launch() as unused, connect(url, unused):
        assert len(schemas(url)) == 1
        assert not unused.pids.server


def test_the_schema_is_dropped_after_an_error_in_a_transaction(url: str) -> None:
    def fail_half_way() -> None:
        with connect(url, None) as connection:
            connection.execute("BEGIN")
            connection.execute("CREATE TABLE pages (slug text)")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_half_way()
    assert schemas(url) == []


def test_a_lost_connection_is_told_and_its_schema_dropped(url: str) -> None:
    def be_cut_off() -> None:
        with connect(url, None) as connection, psycopg.connect(url, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s)", [connection.info.backend_pid])
            connection.execute("SELECT 1")

    with pytest.raises(DatabaseError, match="the connection was lost"):
        be_cut_off()
    assert schemas(url) == []


def test_a_schema_that_cannot_be_dropped_is_told(url: str) -> None:
    def take_it_away() -> None:
        with connect(url, None) as connection:
            connection.execute(sql.SQL("DROP SCHEMA {}").format(sql.Identifier(*schemas(url))))

    with pytest.raises(DatabaseError, match="can't be dropped") as caught:
        take_it_away()
    assert "DROP SCHEMA" in caught.value.advice


def test_a_database_where_no_schema_can_be_created_is_refused(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE ROLE guest LOGIN")
    guest = make_conninfo(url, user="guest")
    with pytest.raises(DatabaseError, match="no schema can be") as caught, connect(guest, None):
        pass
    assert "grant CREATE" in caught.value.advice


def test_a_server_too_old_is_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "OLDEST_VERSION", 99)
    with pytest.raises(DatabaseError, match="too old"), connect(url, None):
        pass


def test_a_server_that_cannot_be_reached_is_told_without_the_password() -> None:
    url = "postgresql://me:secret@127.0.0.1:1/mine"
    with pytest.raises(DatabaseError, match="no connection") as caught, connect(url, None):
        pass
    assert caught.value.where == "database 127.0.0.1:1:mine"
    assert caught.value.advice
    assert "secret" not in str(caught.value)


def test_a_url_that_cannot_be_read_is_told_without_quoting_it() -> None:
    url = "postgresql://me:secret@["
    with pytest.raises(DatabaseError, match="can't be read") as caught, connect(url, None):
        pass
    assert "secret" not in str(caught.value)


def test_a_connection_needs_a_server() -> None:
    with pytest.raises(ValueError, match="URL or a launched server"), connect(None, None):
        pass
