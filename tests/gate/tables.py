"""Tests as the rows of a table: each is marked with its row, and the run ends with the table."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

MARKERS = ("row", "state")


class Table:
    """Collects the outcome of marked tests; several tests may stand for one row.

    Args:
        marker: Name of the mark, whose arguments are the row's key and its sentence.
    """

    def __init__(self, *, marker: str, title: str) -> None:
        self._marker = marker
        self._title = title
        self._sentences: dict[Any, str] = {}
        self._passed: dict[Any, list[bool]] = defaultdict(list)

    def register(self, config: pytest.Config) -> None:
        """Declare the marks of all tables: one table's tests may call another's."""
        for marker in MARKERS:
            config.addinivalue_line("markers", f"{marker}(key, sentence): a row of a table")

    @pytest.hookimpl(wrapper=True)
    def collect(
        self,
        item: pytest.Item,
        call: pytest.CallInfo[None],  # noqa: ARG002
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Take down how a marked test ended."""
        report = yield
        mark = item.get_closest_marker(self._marker)
        if mark is not None and (report.when == "call" or report.failed):
            key, sentence = mark.args
            self._sentences[key] = sentence
            self._passed[key].append(report.passed)
        return report

    def summarize(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the table."""
        terminalreporter.section(self._title)
        for key in sorted(self._sentences):
            good = all(self._passed[key])
            word = "as expected" if good else "NOT AS EXPECTED"
            terminalreporter.line(f"{key!s:>4}  {word}  {self._sentences[key]}")
