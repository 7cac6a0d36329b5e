"""A connection for a run, in a schema of its own: to its embedded server, or to the user's."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from brainbench_replay.postgres.advice import OLDEST_VERSION
from brainbench_replay.postgres.launch import APPLICATION
from brainbench_schema.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import psycopg

    from brainbench_replay.postgres.launch import Launch

CONNECT_SECONDS = 10


@contextmanager
def connect(url: str | None, launch: Launch | None) -> Iterator[psycopg.Connection]:
    """An autocommit connection whose search path is a fresh schema of its own.

    Args:
        url: A server of the user's, where the schema is dropped at the end; it wins.
        launch: An embedded server, which goes as a whole.

    Raises:
        DatabaseError: The server can't be reached, is too old or lets no schema be made, or the
            connection was lost.
        ValueError: Neither is given.
    """
    if url:
        opened = _connect_to_url(url)
    elif launch:
        opened = _connect_to_launch(launch)
    else:
        raise ValueError("a URL or a launched server is needed")
    with opened as connection:
        yield connection


@contextmanager
def _connect_to_launch(launch: Launch) -> Iterator[psycopg.Connection]:
    import psycopg

    where = f"the embedded server in {launch.folder}"
    with _open(launch.conninfo(), where) as connection:
        _create_schema(connection, where)
        try:
            yield connection
        except psycopg.OperationalError as error:
            if not connection.broken:
                raise
            raise (launch.last_words() or _lost(error, where)) from error


@contextmanager
def _connect_to_url(url: str) -> Iterator[psycopg.Connection]:
    import psycopg

    conninfo, where = _parse_url(url)
    with _open(conninfo, where) as connection:
        _check_version(connection, where)
        schema = _create_schema(connection, where)
        try:
            yield connection
        except BaseException as error:
            with suppress(psycopg.Error, DatabaseError):
                _drop_schema(connection, conninfo, schema, where)
            if isinstance(error, psycopg.OperationalError) and connection.broken:
                raise _lost(error, where) from error
            raise
        _drop_schema(connection, conninfo, schema, where)


def _parse_url(url: str) -> tuple[str, str]:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    try:
        given = conninfo_to_dict(url)
    except psycopg.Error as error:
        raise DatabaseError(
            "the database URL can't be read",
            where="BRAINBENCH_DATABASE_URL or --database-url",
            advice="write it as postgresql://user:password@host:port/database",
        ) from error
    conninfo = make_conninfo(
        url,
        application_name=APPLICATION,
        connect_timeout=given.get("connect_timeout", CONNECT_SECONDS),
    )
    place = (given.get(name) for name in ("host", "port", "dbname"))
    return conninfo, "database " + ":".join(str(part) for part in place if part)


def _open(conninfo: str, where: str) -> psycopg.Connection:
    import psycopg

    try:
        return psycopg.connect(conninfo, autocommit=True)
    except psycopg.Error as error:
        raise DatabaseError(
            f"no connection: {str(error).strip()}",
            where=where,
            advice="check that the server runs and that the URL, user and password are right",
        ) from error


def _check_version(connection: psycopg.Connection, where: str) -> None:
    version = connection.info.server_version // 10000
    if version < OLDEST_VERSION:
        raise DatabaseError(
            f"PostgreSQL {version} is too old",
            where=where,
            advice=f"use a server of version {OLDEST_VERSION} or newer",
        )


def _create_schema(connection: psycopg.Connection, where: str) -> str:
    import psycopg
    from psycopg import sql

    schema = f"{APPLICATION}_{os.urandom(8).hex()}"
    try:
        connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))
        connection.execute(sql.SQL("SET search_path TO {}").format(sql.Identifier(schema)))
    except psycopg.Error as error:
        raise DatabaseError(
            f"no schema can be created: {str(error).strip()}",
            where=where,
            advice="grant CREATE on the database to the user, or name a database of its own",
        ) from error
    return schema


def _drop_schema(connection: psycopg.Connection, conninfo: str, schema: str, where: str) -> None:
    import psycopg
    from psycopg import sql

    connection.close()  # whatever state it was left in, and whatever it had locked
    with _open(conninfo, where) as fresh:
        try:
            fresh.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(schema)))
        except psycopg.Error as error:
            raise DatabaseError(
                f"schema {schema} can't be dropped: {str(error).strip()}",
                where=where,
                advice=f"drop it by hand: DROP SCHEMA {schema} CASCADE",
            ) from error


def _lost(error: psycopg.OperationalError, where: str) -> DatabaseError:
    return DatabaseError(
        f"the connection was lost: {str(error).strip()}",
        where=where,
        advice="see the server's log, then run again",
    )
