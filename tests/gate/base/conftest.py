"""A hosted repository for each test that asks for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gate.base.hosting import Hosted

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def hosted(tmp_path: Path) -> Hosted:
    """A repository on a server."""
    return Hosted(tmp_path)
