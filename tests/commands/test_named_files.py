"""Every file that a command line names is read up to a limit: exit 2, with place and advice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.commands.project import make_project

from brainbench_gate.ground import MAX_FILE_BYTES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.conftest import Brainbench

ENDLESS = "/dev/zero"


@pytest.mark.parametrize(
    "words",
    [
        ("judge", ENDLESS),
        ("gate", "--result", ENDLESS),
        ("bless", "--result", ENDLESS),
        ("compare", ENDLESS, ENDLESS),
        ("show", ENDLESS),
        ("report", ENDLESS, "--html", "page.html"),
        ("merge", ENDLESS, "--out", "out.json"),
    ],
    ids=lambda words: words[0],
)
def test_a_file_without_end_is_refused(
    tmp_path: Path, brainbench: Brainbench, words: tuple[str, ...]
) -> None:
    """Its name, what is wrong, what to do."""
    repo = make_project(tmp_path / "repo")
    place = ("--repo", repo.path) if words[0] not in ("compare", "show", "report") else ()
    ran = brainbench(*words, *place)
    assert ran.code == 2
    assert f"brainbench: {ENDLESS}: is larger than 67,108,864 bytes" in ran.err
    assert "\n  → " in ran.err


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (("explain", "--failing"), "brainbench.yml"),
        (("gate",), "brainbench.yml"),
        (("gate",), "baselines/main.json"),
    ],
)
def test_a_file_of_the_work_tree_has_a_limit(
    tmp_path: Path, brainbench: Brainbench, words: tuple[str, ...], name: str
) -> None:
    """A policy or a baseline that is far too large."""
    repo = make_project(tmp_path / "repo")
    (repo.path / "baselines").mkdir(exist_ok=True)
    with (repo.path / name).open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    ran = brainbench(*words, "--repo", repo.path)
    assert ran.code == 2
    assert name in ran.err + ran.out
    assert "bytes, the limit" in ran.err + ran.out
