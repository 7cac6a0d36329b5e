"""Tests as the rows of a table: each is marked with its row, and the run ends with the table."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

MARKERS = ("row", "state")


@dataclass(slots=True)
class Row:
    """What came of the tests of a row.

    Attributes:
        failed: Names of the tests that did not end as expected.
    """

    sentence: str = ""
    tests: int = 0
    failed: set[str] = field(default_factory=set)
    seconds: float = 0.0

    def add(self, report: pytest.TestReport, sentence: str) -> None:
        """Count one phase of a test."""
        self.sentence = sentence
        self.tests += report.when == "call"
        self.seconds += report.duration
        if report.failed:
            self.failed.add(report.nodeid)

    def describe(self, key: Any) -> str:
        """Give the row as a line."""
        word = "NOT AS EXPECTED" if self.failed or not self.tests else "as expected"
        return f"{key!s:>4}  {word}  {self.sentence} ({self.tests}, {self.seconds:.1f} s)"


class Table:
    """Collects the outcome of marked tests; several tests may stand for one row.

    A report carries its test's marks along, so that a table is the same where other processes
    ran the tests.

    Args:
        marker: Name of the mark, whose arguments are the row's key and its sentence.
    """

    def __init__(self, *, marker: str, title: str) -> None:
        self._marker = marker
        self._title = title
        self._rows: dict[Any, Row] = defaultdict(Row)

    def register(self, config: pytest.Config) -> None:
        """Declare the marks of all tables: one table's tests may call another's."""
        for marker in MARKERS:
            config.addinivalue_line("markers", f"{marker}(key, sentence): a row of a table")

    @pytest.hookimpl(wrapper=True)
    def mark(
        self,
        item: pytest.Item,
        call: pytest.CallInfo[None],  # noqa: ARG002
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Write a test's marks into its report; it may stand for several rows."""
        report = yield
        report.user_properties += [
            (self._marker, mark.args) for mark in item.iter_markers(self._marker)
        ]
        return report

    def collect(self, report: pytest.TestReport) -> None:
        """Take down how a marked test ended."""
        for name, value in report.user_properties:
            if name == self._marker:
                assert isinstance(value, tuple)
                key, sentence = value
                self._rows[key].add(report, sentence)

    def summarize(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the table; behind each row how many tests it has, and how long they took."""
        terminalreporter.section(self._title)
        for key, row in sorted(self._rows.items()):
            terminalreporter.line(row.describe(key))
