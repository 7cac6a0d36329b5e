"""The git program: found outside the repository, started with settings of the gate's own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from brainbench_gate.base.errors import ProgramError

if TYPE_CHECKING:
    from collections.abc import Iterable, MutableMapping

    from git import Git

SYSTEM_FOLDERS = ("/usr/bin", "/usr/local/bin", "/bin", "/opt/homebrew/bin")
"""Looked through before PATH, which an earlier step of the same job can prepend to."""

OLDEST_VERSION = (2, 32)
"""The first release that lets GIT_CONFIG_GLOBAL and GIT_CONFIG_SYSTEM switch files off."""

SETTINGS = (
    ("safe.directory", "*"),
    ("core.hooksPath", os.devnull),
    ("core.fsmonitor", "false"),
    ("core.commitGraph", "false"),
    ("core.alternateRefsCommand", ":"),
    ("credential.helper", ""),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
    ("submodule.recurse", "false"),
)
"""Settings above those of the clone. `safe.directory` guards against settings that start
programs; none of these can here, and a container's checkout often has another owner."""

VARIABLES = {
    "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
    "GIT_ASKPASS": "",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_SSH_COMMAND": "ssh -o BatchMode=yes",
    "GIT_TERMINAL_PROMPT": "0",
}


def search_folders(search: str, work_tree: Path) -> list[Path]:
    """The folders of a PATH value that are absolute and lie outside the work tree."""
    folders = [Path(part) for part in search.split(os.pathsep) if part]
    return [folder for folder in folders if folder.is_absolute() and _outside(folder, work_tree)]


def _outside(path: Path, work_tree: Path) -> bool:
    tree = work_tree.resolve()
    return not any(p.is_relative_to(tree) for p in (Path(os.path.normpath(path)), path.resolve()))


def find_git(search: str, work_tree: Path) -> Path:
    """The absolute path of a git program that the work tree can't have put there.

    Args:
        search: A PATH value; relative entries and those inside the work tree are left out.
        work_tree: Top of the repository.

    Raises:
        ProgramError: There is none.
    """
    system = [Path(folder) for folder in SYSTEM_FOLDERS]
    for folder in [*system, *search_folders(search, work_tree)]:
        program = folder / "git"
        if program.is_file() and os.access(program, os.X_OK) and _outside(program, work_tree):
            return program
    raise ProgramError(
        "no git program outside the repository",
        where="PATH",
        advice="install git, or put the absolute path of its folder into PATH",
    )


def settings_variables(settings: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Settings as environment variables, seen by neither a process list nor the disk."""
    variables: dict[str, str] = {}
    count = 0
    for count, (key, value) in enumerate(settings, start=1):
        variables[f"GIT_CONFIG_KEY_{count - 1}"] = key
        variables[f"GIT_CONFIG_VALUE_{count - 1}"] = value
    return variables | {"GIT_CONFIG_COUNT": str(count)}


def drop_inherited(environ: MutableMapping[str, str]) -> None:
    """Take every GIT_ variable out of a process's environment."""
    for name in [name for name in environ if name.startswith("GIT_")]:
        del environ[name]


class Program:
    """One git executable with the gate's settings.

    Inherited GIT_ variables are dropped from this process for good: every git that it starts
    from here on sees those of the gate and no others.
    """

    def __init__(self, executable: Path, search: str) -> None:
        self._executable = executable
        self._variables = {
            **VARIABLES,
            **settings_variables(SETTINGS),
            "PATH": search or os.defpath,
            "SSH_ASKPASS": "",
        }
        self._import_git()

    @classmethod
    def find(cls, work_tree: Path) -> Program:
        """Find git for a work tree.

        Raises:
            ProgramError: There is none, or it is too old.
        """
        search = os.environ.get("PATH", os.defpath)
        folders = search_folders(search, work_tree)
        return cls(find_git(search, work_tree), os.pathsep.join(map(str, folders)))

    def _import_git(self) -> None:
        """Import GitPython so that its own trial run of git is of this executable too.

        Raises:
            ProgramError: It does not run, or is too old to be shut off from user settings.
        """
        drop_inherited(os.environ)
        os.environ["GIT_PYTHON_GIT_EXECUTABLE"] = str(self._executable)
        try:
            import git
        except ImportError as error:
            raise self._unusable(f"GitPython can't use it: {error}") from error
        finally:
            drop_inherited(os.environ)
        try:
            if str(self._executable) != git.Git.GIT_PYTHON_GIT_EXECUTABLE:
                git.refresh(self._executable)
            version = git.Git(self._executable.parent).version_info
        except git.GitError as error:
            raise self._unusable("git does not run") from error
        if version[:2] < OLDEST_VERSION:
            raise self._unusable(f"git {'.'.join(map(str, version))} is older than 2.32")

    def _unusable(self, what: str) -> ProgramError:
        return ProgramError(what, where=str(self._executable), advice="install a newer git")

    def at(self, folder: Path, **variables: str) -> Git:
        """Git in a folder, with more environment variables."""
        from git import Git

        git = Git(folder)
        git.update_environment(**self._variables, **variables)
        return git
