"""Keep one PostgreSQL server for one run, and leave nothing behind when the run ends.

Started by its path under ``python -I -S``, so it imports no more than it must and nothing
through this package; the run and this program share three things only:

* standard input is the read end of a pipe whose write end the run holds: when it closes, by
  whatever end the run comes to, the server is stopped and the folder removed
* standard output and error are a pipe to the run: ``ready PID``, or ``failed`` with three texts
* the arguments: the folder of PostgreSQL's binaries, the folder to make and work in, and a
  folder to keep a template of the data folder in, which may be empty

The run blocks the signals that end a program when it starts this one, so that it lives as long
as the run. PR_SET_PDEATHSIG on the server covers the one end left, SIGKILL. It is not used
between the run and this program: it follows the thread that started us, not the run.
"""
# ruff: noqa: PTH102, PTH116, PTH119, PTH120, PTH123, SIM105

from __future__ import annotations

import os
import select
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from brainbench_replay.postgres import server_folder, server_identity
    from brainbench_replay.postgres.server_identity import Identity, NoServerError
    from brainbench_replay.postgres.server_template import Template
else:
    sys.path.append(os.path.dirname(__file__))
    import server_folder
    import server_identity
    from server_identity import NoServerError
    from server_template import Template

RUN, REPORT = 0, 1
SIGKILL, SIGQUIT = 9, 3  # the signal module costs 4 ms, and these two are the same everywhere
PR_SET_PDEATHSIG = 1
STOP_SECONDS = 5.0
TAIL_BYTES = 8192

# TZ spares initdb a walk through every time zone; nothing else of the run's environment matters.
ENVIRONMENT = {"LC_ALL": "C", "TZ": "UTC", "PATH": os.defpath} | {
    name: os.environ[name]
    for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
    if name in os.environ
}

INITDB = (
    "--no-sync",
    "--no-instructions",
    "--wal-segsize=1",
    "--locale=C",
    "--encoding=UTF8",
    "--auth=trust",
    "--username=brainbench",
)

# One run's scratch data for a handful of connections: nothing is kept, nothing runs beside it.
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "20",
    "shared_buffers": "32MB",
    "dynamic_shared_memory_type": "mmap",
    "huge_pages": "off",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "autovacuum": "off",
    "track_counts": "off",
    "max_worker_processes": "0",
    "max_parallel_workers": "0",
    "max_parallel_workers_per_gather": "0",
    "max_logical_replication_workers": "0",
    "jit": "off",
    "plan_cache_mode": "force_generic_plan",
    "log_checkpoints": "off",
    "restart_after_crash": "off",
}
SETTINGS_SINCE = {18: {"io_method": "sync"}}


class Child:
    """A started program: its process id and the read end of its standard error."""

    __slots__ = ("pid", "stderr", "tail")

    def __init__(self, pid: int, stderr: int) -> None:
        self.pid = pid
        self.stderr = stderr
        self.tail = b""

    def read(self) -> bool:
        """Take what was written; False when the program and all it started have ended."""
        chunk = os.read(self.stderr, 65536)
        self.tail = (self.tail + chunk)[-TAIL_BYTES:]
        return bool(chunk)

    def ended_within(self, seconds: float) -> bool:
        """Read until the end, or until the time is over."""
        poll = select.poll()
        poll.register(self.stderr, select.POLLIN)
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if poll.poll(left * 1000) and not self.read():
                return True
        return False

    def exit_code(self) -> int:
        """Wait for the end."""
        while self.read():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def words(self) -> str:
        """The last of what it wrote to standard error."""
        return self.tail.decode(errors="replace").strip()


def main(binaries: str, folder: str, cache: str) -> None:
    """Run the server for as long as the run holds its end of the pipe."""
    os.setsid()
    os.closerange(3, 1024)
    try:
        lock = server_folder.claim(folder)
        try:
            serve(binaries, folder, cache)
        finally:
            server_folder.remove(folder)
            os.close(lock)
    except NoServerError as error:
        report("\0".join(("failed", *error.texts)))
    except OSError as error:
        report(f"failed\0{error.filename or folder}\0{error.strerror}\0")


def report(text: str) -> None:
    """Tell the run, if it is still there."""
    try:
        os.write(REPORT, text.encode(errors="surrogateescape"))
    except BrokenPipeError:
        pass


def serve(binaries: str, folder: str, cache: str) -> None:
    """Make a data folder, start the server on it, and wait for the run to end.

    Raises:
        NoServerError: initdb or the server ended by itself.
    """
    home = f"{folder}/server"
    os.mkdir(home, 0o700)
    identity = server_identity.choose(home)
    usable = server_identity.readable_binaries(binaries, home, identity)
    template = Template("" if identity.account else cache, template_key(binaries))
    if not template.restore(f"{home}/data"):
        initialise(usable, home, identity)
        template.save(f"{home}/data", os.path.basename(folder))
    server = start_server(usable, home, identity)
    try:
        attend(server, folder)
    finally:
        stop(server)


def template_key(binaries: str) -> str:
    """What a fresh data folder depends on."""
    programs = [os.stat(f"{binaries}/{name}") for name in ("initdb", "postgres")]
    states = [f"{state.st_size} {state.st_mtime_ns}" for state in programs]
    return "\n".join((binaries, *states, *INITDB, str(os.geteuid())))


def initialise(binaries: str, home: str, identity: Identity) -> None:
    """Run initdb to its end: killed half-way it would leak shared memory."""
    program = f"{binaries}/initdb"
    child = start([program, *INITDB, f"--pgdata={home}/data"], home, identity.take)
    code = child.exit_code()
    if code:
        raise NoServerError(program, f"initdb ended with {code}: {child.words()}")


def start_server(binaries: str, home: str, identity: Identity) -> Child:
    """Start postgres on the data folder, with its socket beside it."""
    with open(f"{home}/data/PG_VERSION", encoding="ascii") as file:
        version = int(file.read())
    command = [f"{binaries}/postgres", "-D", f"{home}/data", "-k", home]
    for name, value in settings(version).items():
        command += ["-c", f"{name}={value}"]
    end_with_us = death_signal_call()

    def prepare() -> None:
        identity.take()
        end_with_us()  # last, for a change of user clears it

    return start(command, home, prepare)


def settings(version: int) -> dict[str, str]:
    """The settings that a major version knows."""
    known = dict(SETTINGS)
    for since, added in SETTINGS_SINCE.items():
        if version >= since:
            known |= added
    return known


def death_signal_call() -> Callable[[], object]:
    """What a child calls to get SIGQUIT when this program ends; nothing but Linux has it."""
    if sys.platform != "linux":
        return lambda: None
    import ctypes

    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(PR_SET_PDEATHSIG, SIGQUIT)


def start(command: list[str], home: str, prepare: Callable[[], None]) -> Child:
    """Start a program in a folder, after a call in its process."""
    stderr, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            null = os.open(os.devnull, os.O_RDWR)
            for target, source in enumerate((null, null, write_end)):
                os.dup2(source, target)
            prepare()
            os.chdir(home)
            os.execve(command[0], command, ENVIRONMENT)  # noqa: S606
        except OSError as error:
            os.write(2, f"it can't be started: {error.strerror}".encode())
        finally:
            os._exit(127)
    os.close(write_end)
    return Child(pid, stderr)


def attend(server: Child, folder: str) -> None:
    """Report when connections are accepted, then wait for the run to end.

    Raises:
        NoServerError: The server ended first.
    """
    poll = select.poll()
    poll.register(RUN, select.POLLIN)
    poll.register(server.stderr, select.POLLIN)
    ready = False
    while RUN not in (happened := dict(poll.poll())):
        if server.stderr in happened and not server.read():
            raise NoServerError("postgres", f"the server ended by itself: {server.words()}")
        if not ready and b"ready to accept connections" in server.tail:
            ready = True
            report(f"ready {server.pid}\n")
            server_folder.sweep(folder)


def stop(server: Child) -> None:
    """End the server: SIGQUIT, and SIGKILL after a while."""
    for signal in (SIGQUIT, SIGKILL):
        os.kill(server.pid, signal)
        if server.ended_within(STOP_SECONDS):
            break
    os.waitpid(server.pid, 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
