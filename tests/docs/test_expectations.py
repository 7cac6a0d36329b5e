"""What was expected before the first baseline, held against the committed one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| `?([\w*-]+/[\w-]+)`? \| `?(\w+)`? \| ([^|]+?) \|", re.MULTILINE)


def rows() -> list[tuple[str, str, str]]:
    text = (ROOT / "docs" / "expectations.md").read_text("utf-8")
    _, *found = ROW.findall(text)
    return [(cell, metric, expected.strip("` ")) for cell, metric, expected in found]


@pytest.fixture(scope="module")
def baseline() -> Any:
    return json.loads((ROOT / "baselines" / "main.json").read_text("utf-8"))


def test_the_table_is_read() -> None:
    """A table that nobody can read would make every other test here pass."""
    assert 30 == len(rows())


@pytest.mark.parametrize(("cell", "metric", "expected"), rows())
def test_expectation(baseline: Any, cell: str, metric: str, expected: str) -> None:
    """Each row of the table holds in the committed baseline."""
    value = baseline["cells"][cell][metric]
    if match := re.fullmatch(r"([\d.]+) to ([\d.]+)", expected):
        assert float(match[1]) <= value <= float(match[2])
        return
    sign, bound = expected.split(" ", 1)
    number = baseline["cells"][bound][metric] if "/" in bound else float(bound)
    assert {"=": value == number, ">": value > number}[sign], (value, expected)
