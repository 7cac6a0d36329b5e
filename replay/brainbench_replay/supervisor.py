"""Keep one PostgreSQL server for one run, and leave nothing behind when the run ends.

Started by its path under ``python -I -S``, so it imports no more than it must and nothing of
this package; the run and this program share three things only:

* standard input is the read end of a pipe whose write end the run holds: when it closes, by
  whatever end the run comes to, the server is stopped and the folder removed
* standard output and error are a pipe to the run: ``ready PID``, or ``failed`` with three texts
* the arguments: the folder of PostgreSQL's binaries, and the folder to make and work in

Signals that end a program are blocked by the run when it starts this one, so that it lives as
long as the run. PR_SET_PDEATHSIG on the server covers the one end left, SIGKILL. It is not used
between the run and this program: it follows the thread that started us, not the run.
"""
# Imports are the time this program takes to start: no pathlib, no contextlib, ctypes if needed.
# ruff: noqa: PLC0415, PTH101, PTH102, PTH104, PTH106, PTH119, PTH120, PTH123, SIM105

from __future__ import annotations

import fcntl
import os
import pwd
import select
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Identity = Callable[[], None]

RUN, REPORT = 0, 1
SIGKILL, SIGQUIT = 9, 3  # the signal module costs 4 ms, and these two are the same everywhere
CLONE_NEWUSER = 0x10000000
PR_SET_PDEATHSIG = 1

FOLDER_PREFIX = "brainbench-pg-"
USER = "brainbench"
STOP_SECONDS = 5.0
YOUNG_SECONDS = 60.0
TAIL_BYTES = 8192
OLDEST_VERSION = 14
NAME_A_SERVER = "set BRAINBENCH_DATABASE_URL to a PostgreSQL server that runs already"

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
    f"--username={USER}",
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


class Failure(Exception):  # noqa: N818  # it is told to the run, which raises its own error
    """The server can't be had; ``where``, ``what`` and ``advice`` as in DatabaseError."""

    def __init__(self, where: str, what: str, advice: str) -> None:
        super().__init__(where, what, advice)
        self.texts = (where, what, advice)


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


def main(binaries: str, folder: str) -> None:
    """Run the server for as long as the run holds its end of the pipe."""
    os.setsid()
    os.closerange(3, 1024)
    try:
        lock = claim(folder)
        try:
            serve(binaries, folder)
        finally:
            remove(folder)
            os.close(lock)
    except Failure as failure:
        report("\0".join(("failed", *failure.texts)))
    except OSError as error:
        report(f"failed\0{error.filename or folder}\0{error.strerror}\0{NAME_A_SERVER}")


def report(text: str) -> None:
    """Tell the run, if it is still there."""
    try:
        os.write(REPORT, text.encode(errors="surrogateescape"))
    except BrokenPipeError:
        pass


def serve(binaries: str, folder: str) -> None:
    """Make a data folder, start the server on it, and wait for the run to end.

    Raises:
        Failure: initdb or the server ended by itself.
    """
    home = f"{folder}/server"
    os.mkdir(home, 0o700)
    identity, binaries = choose_identity(binaries, home)
    initialise(binaries, home, identity)
    server = start_server(binaries, home, identity)
    try:
        attend(server, os.path.dirname(folder))
    finally:
        stop(server)


def initialise(binaries: str, home: str, identity: Identity) -> None:
    """Run initdb to its end: killed half-way it would leak shared memory."""
    program = f"{binaries}/initdb"
    child = start([program, *INITDB, f"--pgdata={home}/data"], home, identity)
    code = child.exit_code()
    if code:
        raise Failure(program, f"initdb ended with {code}: {child.words()}", NAME_A_SERVER)


def start_server(binaries: str, home: str, identity: Identity) -> Child:
    """Start postgres on the data folder, with its socket beside it."""
    program = f"{binaries}/postgres"
    with open(f"{home}/data/PG_VERSION", encoding="ascii") as file:
        version = int(file.read().split(".")[0])
    if version < OLDEST_VERSION:
        raise Failure(program, f"PostgreSQL {version} is too old", f"use {OLDEST_VERSION} or newer")
    command = [program, "-D", f"{home}/data", "-k", home]
    for name, value in settings(version).items():
        command += ["-c", f"{name}={value}"]
    return start(command, home, identity, ends_with_parent=True)


def settings(version: int) -> dict[str, str]:
    """The settings that a major version knows."""
    known = dict(SETTINGS)
    for since, added in SETTINGS_SINCE.items():
        if version >= since:
            known |= added
    return known


def attend(server: Child, parent: str) -> None:
    """Report when connections are accepted, then wait for the run to end.

    Raises:
        Failure: The server ended first.
    """
    poll = select.poll()
    poll.register(RUN, select.POLLIN)
    poll.register(server.stderr, select.POLLIN)
    ready = False
    while RUN not in (happened := dict(poll.poll())):
        if server.stderr in happened and not server.read():
            words = server.words()
            raise Failure("postgres", f"the server ended by itself: {words}", NAME_A_SERVER)
        if not ready and b"ready to accept connections" in server.tail:
            ready = True
            report(f"ready {server.pid}\n")
            sweep(parent)


def stop(server: Child) -> None:
    """End the server: SIGQUIT, and SIGKILL after a while."""
    for signal in (SIGQUIT, SIGKILL):
        try:
            os.kill(server.pid, signal)
        except ProcessLookupError:
            break
        if server.ended_within(STOP_SECONDS):
            break
    os.waitpid(server.pid, 0)


# Starting programs as somebody PostgreSQL accepts: never uid 0, never a uid without a name.


def start(
    command: list[str], home: str, identity: Identity, *, ends_with_parent: bool = False
) -> Child:
    """Start a program under an identity, in a folder it may be in."""
    death_signal = prctl_death_signal() if ends_with_parent else stay
    stderr, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            null = os.open(os.devnull, os.O_RDWR)
            for target, source in enumerate((null, null, write_end)):
                os.dup2(source, target)
            identity()
            death_signal()
            os.chdir(home)
            os.execve(command[0], command, ENVIRONMENT)  # noqa: S606
        except OSError as error:
            os.write(2, f"{command[0]}: {error.strerror}".encode())
        finally:
            os._exit(127)
    os.close(write_end)
    return Child(pid, stderr)


def stay() -> None:
    """Change nothing."""


def prctl_death_signal() -> Identity:
    """What a child calls to end when this program ends; nothing where there is no such call."""
    if sys.platform != "linux":
        return stay
    import ctypes

    prctl = ctypes.CDLL(None).prctl

    def ask() -> None:
        prctl(PR_SET_PDEATHSIG, SIGQUIT)

    return ask


def choose_identity(binaries: str, home: str) -> tuple[Identity, str]:
    """Who the server runs as, and where it finds its binaries.

    Raises:
        Failure: Neither a user namespace nor another user can be had.
    """
    uid = os.geteuid()
    if uid and has_name(uid):
        return stay, binaries
    account = ordinary_account()
    mapped = enter_namespace(account)
    if can(mapped, home):
        return mapped, readable(binaries, home, mapped)
    if uid == 0:
        other = become(account)
        hand_over(home, account)
        if can(other, home):
            return other, readable(binaries, home, other, account)
    raise Failure(
        f"user {uid}",
        "PostgreSQL runs neither as root nor as a user without a name, and neither a user"
        " namespace nor another user can be had here",
        f"run as an ordinary user, or {NAME_A_SERVER}",
    )


def has_name(uid: int) -> bool:
    """Whether the uid has a passwd entry."""
    try:
        return bool(pwd.getpwuid(uid))
    except KeyError:
        return False


def ordinary_account() -> pwd.struct_passwd:
    """An account with a name that isn't root's: nobody where there is one."""
    others = [entry for entry in pwd.getpwall() if entry.pw_uid]
    if not others:
        raise Failure("passwd", "there is no user but root", NAME_A_SERVER)
    return next((entry for entry in others if entry.pw_name == "nobody"), others[0])


def enter_namespace(account: pwd.struct_passwd) -> Identity:
    """Appear as the account inside a user namespace, while files stay ours outside it."""
    unshare = unshare_call()
    uid, gid = os.geteuid(), os.getegid()

    def enter() -> None:
        unshare(CLONE_NEWUSER)
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{account.pw_uid} {uid} 1"),
            ("gid_map", f"{account.pw_gid} {gid} 1"),
        ):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)

    return enter


def unshare_call() -> Callable[[int], None]:
    """The system call of that name; Python has it from 3.12 on."""
    if hasattr(os, "unshare"):
        found: Callable[[int], None] = os.unshare
        return found
    if sys.platform != "linux":
        return refuse
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)

    def unshare(flags: int) -> None:
        if library.unshare(flags):
            raise OSError(ctypes.get_errno(), "unshare")

    return unshare


def refuse(_flags: int) -> None:
    """Say that there are no user namespaces here."""
    raise OSError("no user namespaces")


def become(account: pwd.struct_passwd) -> Identity:
    """Turn into another user for good."""

    def switch() -> None:
        os.setgroups([])
        os.setgid(account.pw_gid)
        os.setuid(account.pw_uid)

    return switch


def can(identity: Identity, *paths: str) -> bool:
    """Whether a process can take the identity and then read and enter the paths."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            identity()
            code = int(not all(os.access(path, os.R_OK | os.X_OK) for path in paths))
        finally:
            os._exit(code)
    return os.waitpid(pid, 0)[1] == 0


def hand_over(path: str, account: pwd.struct_passwd) -> None:
    """Give a folder of ours, inside the run's folder, to the account."""
    os.chmod(os.path.dirname(path), 0o711)  # noqa: S103  # the way in, and nothing to see there
    for top, _, files, descriptor in os.fwalk(path):
        os.chown(top, account.pw_uid, account.pw_gid)
        for name in files:
            os.chown(name, account.pw_uid, account.pw_gid, dir_fd=descriptor)


def readable(
    binaries: str, home: str, identity: Identity, account: pwd.struct_passwd | None = None
) -> str:
    """The binaries' folder, or that of a copy in the run's folder if the identity can't read it."""
    if can(identity, f"{binaries}/initdb", f"{binaries}/postgres"):
        return binaries
    import shutil

    prefix, copy = os.path.dirname(binaries), f"{home}/postgresql"
    for part in (os.path.basename(binaries), "lib", "share"):
        shutil.copytree(f"{prefix}/{part}", f"{copy}/{part}")
    if account:
        hand_over(copy, account)
    return f"{copy}/{os.path.basename(binaries)}"


# The run's folder: locked while in use, removed at the end, and by a later run otherwise.


def claim(folder: str) -> int:
    """Make the folder and lock it; the lock gets its name only once it is held."""
    os.mkdir(folder, 0o700)
    lock = os.open(f"{folder}/lock.new", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.rename(f"{folder}/lock.new", f"{folder}/lock")
    return lock


def sweep(parent: str) -> None:
    """Remove folders of this user whose program ended without doing so."""
    with os.scandir(parent) as entries:
        found = [entry for entry in entries if entry.name.startswith(FOLDER_PREFIX)]
    for entry in found:
        try:
            state = entry.stat(follow_symlinks=False)
            if entry.is_dir(follow_symlinks=False) and state.st_uid == os.geteuid():
                sweep_folder(entry.path, time.time() - state.st_mtime)
        except OSError:
            continue  # another run was faster, or holds the lock


def sweep_folder(folder: str, age_seconds: float) -> None:
    """Remove a folder if nobody holds its lock; without a lock file, if it isn't just made."""
    try:
        lock = os.open(f"{folder}/lock", os.O_RDWR | os.O_NOFOLLOW)
    except FileNotFoundError:
        if age_seconds > YOUNG_SECONDS:
            remove(folder)
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove(folder)
    finally:
        os.close(lock)


def remove(folder: str) -> None:
    """Remove a folder with all it holds, its lock last; symbolic links are not followed."""
    for _, folders, files, descriptor in os.fwalk(folder, topdown=False):
        for name in files:
            unlink(name, descriptor)
        for name in folders:
            remove_empty(name, descriptor)
    os.rmdir(folder)


def remove_empty(name: str, descriptor: int) -> None:
    """Remove an empty folder, or a link to one."""
    try:
        os.rmdir(name, dir_fd=descriptor)
    except NotADirectoryError:
        unlink(name, descriptor)


def unlink(name: str, descriptor: int) -> None:
    """Remove a file that the server may just have removed itself."""
    try:
        os.unlink(name, dir_fd=descriptor)
    except FileNotFoundError:
        pass


if __name__ == "__main__":
    main(*sys.argv[1:])
