"""The mark of a state: its number in the contract's table and what stands there."""

from __future__ import annotations

import pytest

STATES = {
    1: "first landing",
    2: "a file deleted or renamed in the tree",
    3: "the tree's own files can't be read, or break its own floors",
    4: "broken-base",
    5: "stale-main",
    6: "blessed-on-older-main",
    7: "entry-gone",
    8: "measure-changed",
    9: "other bytes on the contributor's machine",
    10: "a memory without sources",
}


def state(number: int) -> pytest.MarkDecorator:
    """Mark a test as one of a state."""
    return pytest.mark.state(number, STATES[number])
