"""Prints one line per row of the table after the run, and gives scenarios their worlds."""

from __future__ import annotations

from tests.action import worlds
from tests.gate.tables import Table

table = Table(marker="row", title="ways past the gate")
pytest_configure = table.register
pytest_runtest_makereport = table.mark
pytest_runtest_logreport = table.collect
pytest_terminal_summary = table.summarize

template, make_world, world = worlds.template, worlds.make_world, worlds.world
