"""The workflows that the documentation gives to users, read out of it."""

from __future__ import annotations

import re
from pathlib import Path

DOCUMENT = Path(__file__).parents[2] / "docs" / "workflows.md"
_TEMPLATE = re.compile(r"<!-- template: ([\w-]+) -->\n```yaml\n(.*?)```", re.DOTALL)


def read_templates() -> dict[str, str]:
    """Give each template by its name."""
    return dict(_TEMPLATE.findall(DOCUMENT.read_text("utf-8")))
