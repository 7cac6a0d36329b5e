"""Prints one line per state after the run: as expected, or not."""

from __future__ import annotations

from tests.gate.tables import Table

table = Table(marker="state", title="states, and the way out of each")
pytest_configure = table.register
pytest_runtest_makereport = table.mark
pytest_runtest_logreport = table.collect
pytest_terminal_summary = table.summarize
