"""A server starts beside the run, stops with it, and says in its own words why it can't."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

import psycopg
import pytest
from tests.replay.postgres.runs import eventually, family, names, nothing_left, program, running
from tests.replay.postgres.scripts import fake, real

from brainbench_replay.postgres import connect, launch
from brainbench_schema.errors import DatabaseError

if TYPE_CHECKING:
    from pathlib import Path


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


def test_an_interpreter_that_cannot_start_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(DatabaseError, match="can't be started again"):
        launch()
