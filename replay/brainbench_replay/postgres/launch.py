"""An embedded server on its way up or running, under a supervisor that outlives the run."""
# The server starts before anything heavy is imported, psycopg above all.

from __future__ import annotations

import os
import signal
import sys
import weakref
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from brainbench_replay.postgres.advice import NAME_A_SERVER
from brainbench_replay.postgres.binaries import find_binaries
from brainbench_schema.errors import DatabaseError

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

APPLICATION = "brainbench"
FOLDER_PREFIX = "brainbench-pg-"
SOCKET_NAME = ".s.PGSQL.5432"
SOCKET_PATH_BYTES = 103  # sun_path on macOS, less the zero at its end; Linux has four more
LAST_WORDS_SECONDS = 1.0
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
