"""The server runs for every kind of user, and changes neither users nor permissions."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.replay.postgres.runs import (
    SLEEP,
    family,
    heard,
    nothing_left,
    program,
    running,
    shared_memory_made_by,
)

from brainbench_replay.postgres import find_binaries

if TYPE_CHECKING:
    from collections.abc import Iterator

IS_ROOT = os.geteuid() == 0
NOBODY = 65534
NAMELESS = 54321
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
