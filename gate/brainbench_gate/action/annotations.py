"""Which lines of which files a verdict is about. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from brainbench_gate.report.flips import list_flips
from brainbench_gate.report.markdown import describe_breach
from brainbench_gate.rules import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_gate.ground import Ground
    from brainbench_gate.report.flips import Flip
    from brainbench_gate.verdict import BenchmarkVerdict

SHOWN = 10
"""GitHub shows ten annotations of a level from one step."""

SHOWN_ITEMS = 7
"""Of those, so many at fixtures where baseline lines have something to say too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """A remark at a line of a file; `level` is error, warning or notice."""

    level: str
    file: str
    line: int
    title: str
    message: str


def annotate(one: BenchmarkVerdict, tree: Ground, folder: str) -> list[Annotation]:
    """Point to the fixtures' turns and the baseline's cells that moved.

    Args:
        folder: Folder of the policy, from the top of the repository.
    """
    level = "notice" if one.verdict is Verdict.PASS else "error"
    items = list(_items(one, tree, folder, level))
    numbers = list(_numbers(one, tree, folder, level))
    shown = max(SHOWN_ITEMS, SHOWN - len(numbers))
    return [*items[:shown], *numbers][:SHOWN]


def _items(one: BenchmarkVerdict, tree: Ground, folder: str, level: str) -> Iterator[Annotation]:
    for flip in list_flips(one.details):
        if place := _find_turn(flip, tree):
            name, line = place
            yield Annotation(
                level=level,
                file=str(PurePosixPath(folder) / name),
                line=line,
                title=f"{flip.item} newly fails on {', '.join(flip.cells)}",
                message=f"expected {flip.expected}, got {flip.seen}",
            )


def _find_turn(flip: Flip, tree: Ground) -> tuple[str, int] | None:
    if tree.corpus is None or tree.policy is None:
        return None
    name = f"{flip.fixture_id}.fixture.json"
    data = tree.corpus.fixtures.get(name)
    if data is None:
        return None
    path = str(PurePosixPath(tree.policy.fixtures) / name)
    turn = re.search(r"#(\d+)", flip.item)
    pattern = rf'"turn_id"\s*:\s*{turn[1]}\b' if turn else r'"turns"'
    return path, find_line(data.decode("utf-8", "replace"), pattern)


def _numbers(one: BenchmarkVerdict, tree: Ground, folder: str, level: str) -> Iterator[Annotation]:
    if tree.policy is None or tree.baseline is None:
        return
    text = tree.baseline.serialize().decode()
    for breach in one.breaches:
        if breach.cell in tree.baseline.cells and breach.metric != "items":
            yield Annotation(
                level=level,
                file=str(PurePosixPath(folder) / tree.policy.baseline),
                line=find_line(text, re.escape(f'"{breach.cell}"')),
                title=f"{breach.cell} {breach.metric}",
                message=describe_breach(breach),
            )


def find_line(text: str, pattern: str) -> int:
    """Give the number of the first line that matches; 1 where none does."""
    found = re.search(pattern, text)
    return text.count("\n", 0, found.start()) + 1 if found else 1
