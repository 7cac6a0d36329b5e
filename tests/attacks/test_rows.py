"""The table is whole: each row is tried, and through the action where it concerns the action."""

from __future__ import annotations

import re
from pathlib import Path

from tests.attacks.rows import ROWS

HERE = Path(__file__).parent
OF_THE_ACTION = {17, 22, 25, 26, 27, 28, 29, 30, 32, 33, 35, 36, 37, 40, 41, 42, 43, 45}


def find_rows(pattern: str) -> set[int]:
    """The rows that tests of some files are marked with."""
    texts = [path.read_text("utf-8") for path in HERE.glob(pattern)]
    return {int(number) for text in texts for number in re.findall(r"^@row\((\d+)\)", text, re.M)}


def test_every_row_is_tried() -> None:
    """A row without a test would print no line, and nobody would miss it."""
    assert set(ROWS) == find_rows("*_*.py")


def test_rows_of_the_action_go_through_the_real_one() -> None:
    """A scenario each, in a workflow."""
    assert OF_THE_ACTION == find_rows("act_*.py")
