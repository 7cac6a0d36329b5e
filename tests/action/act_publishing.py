"""The real action against an API that refuses, and among many comments: `nox -s action`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.action.consumer import WORSE
from tests.action.github_state import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.action.acting import World

OWN = "<!-- brainbench-gate:main -->"


@pytest.mark.parametrize(
    ("status", "headers"), [(429, {"retry-after": "0"}), (503, {}), (403, {"retry-after": "1"})]
)
def test_refusals_that_pass_are_waited_for(
    world: World, status: int, headers: dict[str, str]
) -> None:
    """One comment and one status in the end."""
    world.state.faults = [
        Fault(method="GET", path="/comments", status=status, headers=headers),
        Fault(method="POST", path="/comments", status=status, headers=headers),
        Fault(method="POST", path="/statuses", status=status, headers=headers),
    ]
    run = world.judge(world.change(WORSE))
    assert run.verdict()[0] == "regression", run.log
    assert (len(world.state.comments), len(world.state.statuses)) == (1, 1)


def test_missing_permission_is_named_and_changes_nothing(world: World) -> None:
    """A 403 becomes one line."""
    world.state.faults = [Fault(method="POST", path="/comments", status=403, times=9)]
    run = world.judge(world.change(WORSE))
    assert run.verdict()[0] == "regression", run.log
    assert "pull-requests: write" in run.log
    assert len(world.state.statuses) == 1


@pytest.mark.parametrize("count", [31, 101])
def test_own_comment_is_found_among_many(world: World, count: int) -> None:
    """On whatever page it is."""
    for number in range(count):
        world.state.add_comment(7, f"comment {number}", login="ada", kind="User")
    own = world.state.add_comment(7, f"{OWN}\nold")
    world.judge(world.change(WORSE))
    assert len(world.state.comments) == count + 1
    assert "Worse" in own["body"]


def test_enterprise_host_is_asked_at_its_own_address(make_world: Callable[..., World]) -> None:
    """REST below /api/v3, GraphQL at /api/graphql; nothing goes to another host."""
    world = make_world(prefix="/api/v3")
    run = world.judge(world.change(WORSE))
    assert run.verdict()[0] == "regression", run.log
    assert len(world.state.comments) == 1


@pytest.mark.parametrize("mode", ["always", "off"])
def test_comment_mode_is_heeded(world: World, mode: str) -> None:
    """`off` posts nothing where nothing stands."""
    run = world.judge(world.change({"README.md": "hello\n"}), inputs={"comment": mode})
    assert run.ok, run.log
    assert len(world.state.comments) == (mode == "always")
