"""What a reader of the terminal knows after ten lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gate.worlds import Files, World, asks, memory

from brainbench_gate.report.markdown import render_report

if TYPE_CHECKING:
    from pathlib import Path

WORSE = memory(deaf=["Cyd Moon", "Bob Ray", "Ada Byron", "Dora Lim"])
CASES: dict[str, tuple[Files, str | bool, list[str]]] = {
    "regression": (
        WORSE,
        False,
        ["Worse: 6 items", "none is committed", "bob#1: expected", "explain 'ada#1'", "bless --j"],
    ),
    "unblessed": (
        asks("eve", "Eve Low"),
        False,
        ["Could not judge", "not what this run measured", "    brainbench bless"],
    ),
    "leak": (memory(leaky=True), False, ["Worse: pages of a source", "carol-poe", "explain"]),
    "policy": (
        {"brainbench.yml": "schema_version: 1\nsystem: mine\nharnesses: [codex]\nsystems:\n"
         "  mine: {kind: command, command: [memory.json]}\n"},
        True,
        ["Worse: 9 numbers", 'bless --justification "policy'],
    ),
    "pass": ({"README.md": "a word"}, False, ["Holds", "Compared with refs/heads/main"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_ten_lines_are_enough(tmp_path: Path, name: str) -> None:
    """The verdict, why, what flipped, and what to type."""
    files, bless, expected = CASES[name]
    world = World(tmp_path)
    judged = world.judge(world.propose(files, bless=bless)).judged
    assert judged is not None
    report = render_report(judged.document, list(judged.list_runs()))
    head = "\n".join(report.splitlines()[:10])
    for text in expected:
        assert text in head
    if name != "pass":
        assert "What to type next:" in head
