"""Worlds for the scenarios, as fixtures: made once, copied for each."""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from tests.action.acting import World, make_template
from tests.action.fake_github import serving_github
from tests.action.github_state import State
from tests.gate.githttp import serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.gate.gitrepo import Repo


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A repository with a baseline, on its main branch."""
    return make_template(tmp_path_factory.mktemp("template") / "repo")


@pytest.fixture
def make_world(template: Repo, tmp_path: Path) -> Iterator[Callable[..., World]]:
    """Makes a world of a copy of the template, or of another repository."""
    with ExitStack() as stack:

        def make(*, prefix: str = "", start: Repo | None = None, name: str = "world") -> World:
            folder = tmp_path / name
            place = folder / "server" / "owner" / "consumer"
            shutil.copytree((start or template).path, place)
            repo = (start or template)._at(place)
            state = State()
            git = stack.enter_context(serving(folder / "server", state.token))
            api = stack.enter_context(serving_github(state, prefix))
            return World(folder=folder, repo=repo, git=git, api=api, state=state, base=repo.head)

        yield make


@pytest.fixture
def world(make_world: Callable[..., World]) -> World:
    """A world whose main branch has a baseline."""
    return make_world()
