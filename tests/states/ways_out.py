"""What a way out is tried with: a worse memory, a reason, and the pull request after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gate.worlds import World, memory

if TYPE_CHECKING:
    from collections.abc import Mapping

WORSE = memory(deaf=["Cyd Moon", "Bob Ray"])
REASON = "push_recall: Bob Ray is rarely asked for, and precision gains"


def next_passes(world: World) -> bool:
    """Whether a pull request that changes nothing of the gate's can be merged."""
    found = world.judge(world.propose({"README.md": "a word"}))
    return (0, "held") == (found.code, found.reason)


def land(world: World, head: str) -> None:
    """Merge a pull request, which passes; with it on main the next one passes, too."""
    found = world.judge(head)
    assert 0 == found.code, found.text
    world.merge(head)
    assert next_passes(world)


def judge_files(
    world: World, files: Mapping[str, str | bytes | None], *, bless: str | bool
) -> tuple[int, str]:
    """The exit code and the reason that a pull request of these files gets."""
    found = world.judge(world.propose(files, bless=bless))
    return found.code, found.reason
