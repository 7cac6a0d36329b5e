"""Prints one line per row of the table after the run: as expected, or not."""

from __future__ import annotations

from tests.gate.tables import Table

table = Table(marker="row", title="ways past the gate")
pytest_configure = table.register
pytest_runtest_makereport = table.mark
pytest_runtest_logreport = table.collect
pytest_terminal_summary = table.summarize
