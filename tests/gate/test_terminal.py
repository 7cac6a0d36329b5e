"""What a reader of the terminal knows after ten lines."""

from __future__ import annotations

from dataclasses import replace
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
    "justified": (
        WORSE,
        "push: four pages are rarely asked for, and it answers sooner",
        ["Worse, with a reason to review", "justification: to review: push: four pages"],
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
    assert (name not in ("pass", "justified")) == ("What to type next:" in head)


def test_an_item_that_came_differently_is_counted_once(tmp_path: Path) -> None:
    """Headline, list and check agree, whatever each harness got in its place."""
    world = World(tmp_path)
    judged = world.judge(world.propose(WORSE)).judged
    assert judged is not None
    [one] = judged.document.benchmarks
    details = [replace(detail, seen=f"page {n}") for n, detail in enumerate(one.details)]
    document = replace(judged.document, benchmarks=(replace(one, details=tuple(details)),))
    report = render_report(document)
    assert "Worse: 6 items" in report
    assert "… and 3 more, listed below" in "\n".join(report.splitlines()[:10])
    assert "✗ items: 6 newly failed, 0 newly fixed" in report


def test_the_second_benchmarks_items_are_not_sent_to_be_explained(tmp_path: Path) -> None:
    """`explain` looks into BrainBench's replay; the other's items say all there is."""
    world = World(tmp_path)
    judged = world.judge(world.propose(WORSE)).judged
    assert judged is not None
    [one] = judged.document.benchmarks
    second = replace(one, name="braincore")
    alone = replace(judged.document, benchmarks=(second,))
    assert " explain " not in render_report(alone)
    assert "bless --justification" in render_report(alone)
    both = replace(judged.document, benchmarks=(second, one))
    assert f" explain '{one.details[0].item}'" in render_report(both)
