"""State 8: a release that measures differently is blessed by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gate.worlds import World
from tests.states.rows import state
from tests.states.ways_out import land

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


@state(8)
def test_an_upgrade_that_measures_differently_is_blessed_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pull request that moves the pin names `measure`."""
    world = World(tmp_path)
    for module in ("baseline", "standing"):
        monkeypatch.setattr(f"brainbench_gate.{module}.MEASURE", 2)
    unblessed = world.judge(world.propose({"requirements.txt": "2"}))
    assert (2, "measure-changed") == (unblessed.code, unblessed.reason)
    bare = world.judge(world.propose({"requirements.txt": "2"}, bless=True))
    assert (1, "measure-changed") == (bare.code, bare.reason)
    head = world.propose({"requirements.txt": "2"}, bless="measure: the new release counts anew")
    land(world, head)
