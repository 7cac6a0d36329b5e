"""A repository on a server, with a pull request behind, and what its jobs check out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.gate.gitrepo import Repo, opened

from brainbench_gate.base import BaseChoice, Event, EventName, Repository

if TYPE_CHECKING:
    from pathlib import Path

ZERO = "0" * 40
BASELINE = "baselines/main.json"


class Hosted:
    """A repository on a server, with a pull request that was opened before main moved on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.origin = Repo(folder / "octo" / "memory")
        self.origin.git("config", "uploadpack.allowFilter", "true")
        self.root = self.origin.commit({BASELINE: "0"})
        self.opened_on = self.origin.commit({BASELINE: "1"})
        self.origin.branch("topic").commit({"code": "1"})
        self.head = self.origin.commit({"code": "2"})
        self.origin.checkout("main")

    def move_on(self) -> str:
        """Another commit on main."""
        return self.origin.commit({BASELINE: "2"})

    def event(self, name: EventName) -> Event:
        """An event of this repository."""
        return Event(name=name, server_url=self.folder.as_uri(), repository="octo/memory")

    def pull_request(self, name: EventName = EventName.PULL_REQUEST) -> Event:
        """The event of the pull request."""
        return replace(
            self.event(name),
            base_sha=self.opened_on,
            base_ref="refs/heads/main",
            head_sha=self.head,
            number=1,
        )

    def push(self, ref: str, before: str = ZERO) -> Event:
        """The event of a push of what stands at a ref now."""
        return replace(
            self.event(EventName.PUSH),
            ref=ref,
            before=before,
            head_sha=self.origin.id(ref),
            default_ref="refs/heads/main",
        )

    def job(self, ref: str, *, depth: int | None = 1) -> Repository:
        """A job's checkout of a ref, opened."""
        count = sum(path.name.startswith("job") for path in self.folder.iterdir())
        clone = self.origin.check_out_for_job(self.folder / f"job{count}", ref, depth=depth)
        return opened(clone.path)


def baseline(repository: Repository, choice: BaseChoice) -> bytes:
    """The baseline that the chosen commit holds."""
    assert choice.commit
    return repository.require_file(choice.commit, BASELINE).data
