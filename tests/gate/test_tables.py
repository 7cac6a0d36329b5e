"""The table after a run: one line a row, also where other processes ran the tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = """
from tests.gate.tables import Table

table = Table(marker="row", title="a table")
pytest_configure = table.register
pytest_runtest_makereport = table.mark
pytest_runtest_logreport = table.collect
pytest_terminal_summary = table.summarize
"""
TESTS = """
import pytest

@pytest.mark.row(1, "good")
def test_good(): pass

@pytest.mark.row(1, "good")
@pytest.mark.row(2, "bad")
def test_of_two_rows(): pass

@pytest.mark.row(2, "bad")
def test_bad(): raise AssertionError

@pytest.mark.row(3, "never begun")
def test_never_begun(missing): pass

def test_of_no_row(): raise AssertionError
"""


@pytest.mark.parametrize("processes", ["0", "1"])
def test_each_row_has_one_line(tmp_path: Path, processes: str) -> None:
    """A row is as expected where every test of it ran and passed."""
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_rows.py").write_text(TESTS)
    arguments = ["-q", "-n", processes, "-c", "/dev/null", "--rootdir", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *arguments, str(tmp_path)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    _, _, table = done.stdout.partition("a table")
    lines = [line.partition(" (")[0] for line in table.splitlines() if " s)" in line]
    assert lines == [
        "   1  as expected  good",
        "   2  NOT AS EXPECTED  bad",
        "   3  NOT AS EXPECTED  never begun",
    ]
