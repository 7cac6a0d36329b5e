"""However a run ends, neither processes nor folders of it are left."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from tests.replay.postgres.runs import (
    SLEEP,
    eventually,
    family,
    heard,
    names,
    nothing_left,
    program,
    running,
    shared_memory_made_by,
    states,
)

from brainbench_replay.postgres import connect, launch

if TYPE_CHECKING:
    import pytest


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
