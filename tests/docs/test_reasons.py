"""Every reason code is documented, and no other is."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import brainbench_gate
import brainbench_replay
import brainbench_schema
from brainbench_gate.justification import STATES
from brainbench_gate.verdict import BOOTSTRAP
from brainbench_schema.errors import BrainbenchError

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "reasons.md"
GIVEN = re.compile(
    r'(?:reason=|Verdict\.\w+, |refuse_verdict\(\w+, |return )"'
    r"([a-z]+(?:-[a-z]+)+|held|floor|isolation|regression|justified|allowed|dropped)"
    r'"'
)
"""How a verdict's code stands in the source: an argument, a pair's second half, a result."""


def error_codes() -> set[str]:
    """The code of every error there is."""
    for package in (brainbench_schema, brainbench_replay, brainbench_gate):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__") and ".host" not in module.name:
                import_module(module.name)
    found, left = set(), [BrainbenchError]
    while left:
        kind = left.pop()
        found.add(kind.reason)
        left += kind.__subclasses__()
    return found


def verdict_codes() -> set[str]:
    """The codes that rules, checks and verdict give."""
    folder = ROOT / "gate" / "brainbench_gate"
    files = [*folder.glob("*.py"), *folder.glob("checks/*.py")]
    given = {code for file in files for code in GIVEN.findall(file.read_text("utf-8"))}
    return given | {BOOTSTRAP, *STATES.values()}


def test_each_code_is_documented_and_no_other_is() -> None:
    """A new one without a line in the document fails here."""
    rows = re.findall(r"^\| (`[^|]+`) \|", DOCUMENT.read_text("utf-8"), flags=re.MULTILINE)
    documented = {code for row in rows for code in re.findall(r"`([a-z-]+)`", row)}
    known = {code for code in error_codes() | verdict_codes() if code}
    assert known - documented == set()
    assert documented - known == set()
