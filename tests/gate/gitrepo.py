"""Real git repositories for tests: fixed authors and dates, nothing of the user's settings."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, Self

from brainbench_gate.base import Repository

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

EPOCH_S = 1_700_000_000
ENVIRONMENT = {
    "PATH": os.defpath,
    "HOME": os.devnull,
    "LC_ALL": "C",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
}


class Repo:
    """A repository with a work tree at `path`, on branch main.

    Each commit is a minute younger than the one before it, across all clones of a repository.
    """

    def __init__(self, path: Path, *, algorithm: str = "sha1") -> None:
        path.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._clock = [EPOCH_S]
        self.git("init", "--quiet", "-b", "main", f"--object-format={algorithm}")

    @property
    def url(self) -> str:
        """Where other clones fetch from."""
        return self.path.as_uri()

    @property
    def head(self) -> str:
        """The commit checked out."""
        return self.id("HEAD")

    def id(self, name: str) -> str:
        """The full id of a commit, tree or blob."""
        return self.git("rev-parse", "--verify", name)

    def git(self, *arguments: str, data: bytes | None = None) -> str:
        """Run git and return what it answers, less the last line end."""
        date = f"{self._clock[0]} +0000"
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env=ENVIRONMENT | {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date},
            input=data,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode().removesuffix("\n")

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """Write files into the work tree; None removes one."""
        for name, content in files.items():
            place = self.path / name
            if content is None:
                place.unlink()
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            data = content if isinstance(content, bytes) else content.encode()
            place.write_bytes(data)

    def commit(self, files: Mapping[str, str | bytes | None], message: str = "change") -> str:
        """Write files and commit the whole work tree, also where nothing changed."""
        self.write(files)
        self.git("add", "--all", "--force")
        return self._committed("commit", "--quiet", "--allow-empty", "-m", message)

    def branch(self, name: str, at: str = "HEAD") -> Self:
        """Create or move a branch and check it out."""
        self.git("checkout", "--quiet", "-B", name, at)
        return self

    def checkout(self, name: str) -> Self:
        """Check out a branch or, detached, a commit."""
        self.git("checkout", "--quiet", name)
        return self

    def merge(self, *names: str, message: str = "merge") -> str:
        """Merge into the branch checked out, with a merge commit in any case."""
        return self._committed("merge", "--quiet", "--no-ff", "-m", message, *names)

    def pull_request(self, number: int, head: str, *, base: str = "main") -> str:
        """Set the two refs that GitHub keeps for a pull request; returns the merge commit."""
        here = self.git("rev-parse", "--abbrev-ref", "HEAD")
        self.git("checkout", "--quiet", "--detach", base)
        merge = self.merge(head, message=f"Merge {head} into {base}")
        self.git("update-ref", f"refs/pull/{number}/merge", merge)
        self.git("update-ref", f"refs/pull/{number}/head", head)
        self.git("checkout", "--quiet", here)
        return merge

    def clone(self, path: Path, *, depth: int | None = None) -> Repo:
        """A clone with the remote `origin`, over the transport that a network would use."""
        limit = [f"--depth={depth}"] if depth else []
        self.git("clone", "--quiet", *limit, self.url, str(path))
        return self._at(path)

    def check_out_for_job(self, path: Path, ref: str, *, depth: int | None = 1) -> Repo:
        """A clone as a workflow's checkout step makes it: one ref, detached, mostly shallow."""
        job = self._at(path)
        path.mkdir(parents=True)
        job.git("init", "--quiet", "-b", "none", f"--object-format={self.algorithm}")
        job.git("remote", "add", "origin", self.url)
        limit = [f"--depth={depth}"] if depth else []
        job.git("fetch", "--quiet", "--no-tags", *limit, "origin", ref)
        return job.checkout("FETCH_HEAD")

    @property
    def algorithm(self) -> str:
        """`sha1` or `sha256`."""
        return self.git("rev-parse", "--show-object-format")

    def _committed(self, *command: str) -> str:
        self._clock[0] += 60
        self.git(*command)
        return self.head

    def _at(self, path: Path) -> Repo:
        other = Repo.__new__(Repo)
        other.path = path
        other._clock = self._clock
        return other


def opened(folder: Path) -> Repository:
    """The repository of a folder that is in one."""
    repository = Repository.open(folder)
    assert repository is not None
    return repository
