"""The real action in odd places: `nox -s action`."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

import pytest
from tests.action.acting import ONE_STEP, make_template, read_readme, with_checkout, with_step
from tests.action.consumer import FORGETFUL, POLICY, WORSE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.action.acting import World

KEEP = 'cp -r .git "$RESULTS/{name}"'
LAST = f"      - if: always()\n        run: {KEEP.format(name='after')}\n"


def test_private_repository_is_fetched_with_the_token_alone(world: World) -> None:
    """`persist-credentials: false` leaves none behind, and the shallow checkout lacks the base."""
    workflow = with_step(ONE_STEP, KEEP.format(name="before")) + LAST
    run = world.judge(world.change(WORSE), workflow=workflow)
    assert run.verdict()[0] == "regression", run.log
    assert run.outputs["base-sha"] == world.base
    merge = world.repo.id("refs/pull/7/merge")
    secret = world.state.token.encode()
    forms = (secret, b64encode(b"x-access-token:" + secret))
    for name in ("before", "after"):
        clone = world.folder / "run-1" / name
        files = [file.read_bytes() for file in clone.rglob("*") if file.is_file()]
        assert (clone / "config").is_file()
        assert (clone / "shallow").read_text("utf-8").strip() == merge
        assert not [data for data in files for form in forms if form in data]


def test_private_repository_without_its_token_is_not_judged(world: World) -> None:
    """The same checkout, and a token that the server doesn't know: the base can't be had."""
    run = world.judge(world.change({"README.md": "hello\n"}), {"token": "of-somebody-else"})
    assert run.verdict() == ("inconclusive", "fetch-failed"), run.log
    assert "token may read the repository" in run.log


@pytest.mark.parametrize(
    ("files", "verdict"), [({"README.md": "hello\n"}, "pass"), (WORSE, "regression")]
)
def test_workflow_of_the_readme_does_what_it_says(
    world: World, files: dict[str, str], verdict: str
) -> None:
    """To the letter, as it stands there."""
    run = world.judge(world.change(files), workflow=read_readme())
    assert run.jobs == {"gate"}, run.log
    assert (run.verdict()[0], run.ok) == (verdict, verdict == "pass"), run.log
    assert [one["context"] for one in world.state.statuses] == ["brainbench/main/main"]
    assert len(world.state.comments) == (verdict == "regression")


def test_path_with_spaces(world: World) -> None:
    """Checked out below a folder: every path is one word to the shell."""
    workflow = with_checkout(ONE_STEP, 'path: "a work space"')
    run = world.judge(world.change(WORSE), {"working-directory": "a work space"}, workflow=workflow)
    assert run.verdict()[0] == "regression", run.log


def test_working_directory(make_world: Callable[..., World], tmp_path: Path) -> None:
    """Policy, corpus, baseline and memory below a folder; `uses:` itself ignores it."""
    world = make_world(start=make_template(tmp_path / "nested", below="services/my memory"))
    head = world.change({"services/my memory/memory.py": FORGETFUL})
    run = world.judge(head, {"working-directory": "services/my memory"})
    assert run.verdict()[0] == "regression", run.log
    assert "services/my memory/evals/brainbench/fixtures/tiny-project.fixture.json" in run.log


def test_environment_is_made_by_the_action_itself(world: World) -> None:
    """The only scenario without a prebuilt environment: hash-locked wheels, then a verdict."""
    world.environment = None
    run = world.judge(world.change(WORSE))
    assert run.verdict()[0] == "regression", run.log


def test_second_gate_leaves_the_first_alone(world: World) -> None:
    """Name, baseline, comment and status of its own."""
    second = POLICY.format(name="second") + "baseline: baselines/second.json\n"
    head = world.change({"second.yml": second})
    run = world.judge(head, {"config": "second.yml"})
    assert run.verdict() == ("pass", "bootstrap"), run.log
    assert world.state.statuses[-1]["context"] == "brainbench/second/main"
