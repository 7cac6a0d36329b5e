"""The guide and both tutorials work when they are followed word for word."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from tests.systems_real.following import follow, read_blocks

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("page", ["systems-author.md", "tutorial-python.md", "tutorial-node.md"])
def test_a_page_is_followed_literally(page: str, tmp_path: Path, clean_env: dict[str, str]) -> None:
    """Each command ends well and prints what the page shows, in far less than ten minutes."""
    started = time.monotonic()
    follow(page, tmp_path, clean_env)
    assert time.monotonic() - started < 300


def test_the_guide_s_system_is_short() -> None:
    """Under 60 lines connect a new system."""
    blocks = {block.path: block.text for block in read_blocks("systems-author.md")}
    assert len(blocks["brainbench/fts.py"].splitlines()) < 60
