"""The user's clone: its refs and its remotes' addresses, and nothing else of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from brainbench_gate.base.remote import Remote, public, remote_url
from brainbench_schema.errors import GitError

if TYPE_CHECKING:
    from git import Git

    from brainbench_gate.base.program import Program

NO_SUCH_REF = "not a valid ref"


class Clone:
    """Asks the clone by commands that start no hook, filter or other program.

    Attributes:
        top: Top folder of the work tree.
        objects: The folder its objects are in.
        algorithm: `sha1` or `sha256`.
    """

    def __init__(self, program: Program, top: Path) -> None:
        """Look at the clone.

        Raises:
            GitError: git sees no repository here, or another work tree than the folders show.
        """
        self.top = top
        self._git: Git = program.at(top)
        lines = self._run(
            "rev-parse",
            "--path-format=absolute",
            "--show-object-format",
            "--show-toplevel",
            "--git-path",
            "objects",
        ).splitlines()
        if len(lines) != 3 or Path(lines[1]).resolve() != top:
            raise GitError(
                "git sees another work tree here than the folders show",
                where=str(top),
                advice="take core.worktree out of its settings; use a path without line breaks",
            )
        self.algorithm, self.objects = lines[0], Path(lines[2])

    def ref(self, full: str) -> str | None:
        """What exactly this ref holds: `show-ref --verify` guesses at no other name.

        Args:
            full: A full ref, or HEAD.

        Raises:
            GitError: It can't be read.
        """
        try:
            return self._run("show-ref", "--verify", "--hash", "--", full)
        except GitError as error:
            if NO_SUCH_REF in error.what:
                return None
            raise

    def symbolic_ref(self, full: str) -> str | None:
        """The ref that this one stands for; None where there is no such symbolic ref.

        Raises:
            GitError: It can't be read.
        """
        return self._run("symbolic-ref", "--quiet", "--", full) or None

    def remotes(self) -> dict[str, Remote]:
        """The remotes by name, their addresses as written, nothing rewritten.

        Raises:
            GitError: The settings can't be read.
        """
        urls = self._run("config", "--local", "--get-regexp", r"^remote\..*\.url$")
        found: dict[str, Remote] = {}
        for key, _, url in (line.partition(" ") for line in urls.splitlines()):
            name = key.removeprefix("remote.").removesuffix(".url")
            found.setdefault(name, Remote(url=remote_url(url, self.top)))
        return found

    def tracking(self) -> list[str]:
        """The branches, born or not, that the settings tie to one of a remote.

        Raises:
            GitError: The settings can't be read.
        """
        keys = self._run("config", "--local", "--name-only", "--get-regexp", r"^branch\..*\.merge$")
        return [key.removeprefix("branch.").removesuffix(".merge") for key in keys.splitlines()]

    def _run(self, command: str, *arguments: str) -> str:
        """What git answers; nothing where it ends with 1 and without a word: there is none."""
        from git.exc import GitCommandError

        try:
            return str(self._git.execute([self._program, command, *arguments]))
        except GitCommandError as error:
            said = public(str(error.stderr)).strip()
            if error.status == 1 and not said:
                return ""
            raise GitError(
                f"git {command} failed: {said}",
                where=str(self.top),
                advice=f"see what is wrong with the clone: git -C {self.top} fsck",
            ) from error

    @property
    def _program(self) -> str:
        return str(self._git.GIT_PYTHON_GIT_EXECUTABLE)


def work_tree(folder: Path) -> Path | None:
    """The top of the work tree a folder is in: the nearest folder with a `.git`.

    Args:
        folder: An absolute path without links.
    """
    around = (folder, *folder.parents)
    for candidate in around:
        if (candidate / ".git").exists():
            return None if candidate / ".git" in around else candidate
    return None
