"""The real action against an API that refuses, and among many comments: `nox -s action`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.action.acting import ONE_STEP, with_step
from tests.action.consumer import WORSE
from tests.action.github_state import Fault
from tests.action.proxy import recording

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.action.acting import World

OWN = "<!-- brainbench-gate:main -->"
ELSEWHERE = """\
git ls-remote http://elsewhere.example/one || true
git ls-remote https://elsewhere.example/one || true
"""
COMMENTS, STATUSES = "pull-requests: write", "statuses: write"


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
    assert [fault.times for fault in world.state.faults] == [0, 0, 0]
    assert (len(world.state.comments), len(world.state.statuses)) == (1, 1)


@pytest.mark.parametrize(
    ("method", "path", "needed", "left"),
    [
        ("GET", r"/issues/7/comments$", COMMENTS, (0, 1)),
        ("POST", r"/issues/7/comments$", COMMENTS, (0, 1)),
        ("POST", r"/statuses/\w+$", STATUSES, (1, 0)),
    ],
)
def test_missing_permission_is_named_and_changes_nothing(
    world: World, method: str, path: str, needed: str, left: tuple[int, int]
) -> None:
    """A 403 becomes one line, is not asked for again, and hinders nothing else."""
    fault = Fault(method=method, path=path, status=403)
    world.state.faults = [fault]
    run = world.judge(world.change(WORSE))
    assert run.verdict()[0] == "regression", run.log
    assert fault.times == 0
    assert [line.count(needed) for line in run.log.splitlines() if needed in line] == [1]
    assert ({COMMENTS, STATUSES} - {needed}).pop() not in run.log
    assert (len(world.state.comments), len(world.state.statuses)) == left


def test_comment_that_may_not_be_changed_stays_as_it_is(world: World) -> None:
    """No second one is posted beside it."""
    own = world.state.add_comment(7, f"{OWN}\nold")
    fault = Fault(method="PATCH", path=rf"/issues/comments/{own['id']}$", status=403)
    world.state.faults = [fault]
    run = world.judge(world.change(WORSE))
    assert run.verdict()[0] == "regression", run.log
    assert fault.times == 0
    assert COMMENTS in run.log
    assert [one["body"] for one in world.state.comments] == [f"{OWN}\nold"]


@pytest.mark.parametrize(
    ("files", "verdict"), [({"README.md": "hello\n"}, "pass"), (WORSE, "regression")]
)
def test_read_only_token_leaves_the_verdict_to_the_job(
    world: World, files: dict[str, str], verdict: str
) -> None:
    """Exit code, outputs, artifact; each thing that could not be written is tried once."""
    world.state.read_only = True
    run = world.judge(world.change(files), {"comment": "always"})
    assert (run.verdict()[0], run.ok) == (verdict, verdict == "pass"), run.log
    assert COMMENTS in run.log
    assert STATUSES in run.log
    written = [path for method, path in world.state.seen if method != "GET"]
    assert sorted(path.split("/")[1] for path in written) == ["issues", "statuses"]
    assert world.state.comments == world.state.statuses == []
    assert [one["name"] for one in world.state.artifacts] == ["brainbench-main"]


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
    with recording() as proxy:
        world.extra |= dict.fromkeys(["http_proxy", "https_proxy", "HTTP_PROXY"], proxy.url)
        world.extra |= dict.fromkeys(["HTTPS_PROXY", "ALL_PROXY"], proxy.url)
        world.extra |= dict.fromkeys(["no_proxy", "NO_PROXY"], "127.0.0.1")
        run = world.judge(world.change(WORSE), workflow=with_step(ONE_STEP, ELSEWHERE))
    assert run.verdict()[0] == "regression", run.log
    assert len(world.state.comments) == len(world.state.statuses) == 1
    first, second = proxy.asked  # by the step before the gate's
    assert first.startswith("GET http://elsewhere.example/one/")
    assert second == "CONNECT elsewhere.example:443"
    api = [path for path in world.api.asked if not path.startswith("/_upload/")]
    assert {path for path in api if not path.startswith("/api/v3/repos/")} == {"/api/graphql"}
    assert len([path for path in api if path.startswith("/api/v3/repos/")]) >= 4


@pytest.mark.parametrize("mode", ["always", "off"])
def test_comment_mode_is_heeded(world: World, mode: str) -> None:
    """`off` posts nothing where nothing stands."""
    run = world.judge(world.change({"README.md": "hello\n"}), inputs={"comment": mode})
    assert run.ok, run.log
    assert len(world.state.comments) == (mode == "always")
