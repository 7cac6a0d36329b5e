"""Attack 43: git is a program of the system's, never one that the work tree brings along."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.gate.base.programs import program
from tests.gate.gitrepo import Repo, opened

from brainbench_gate.base import Repository, find_base
from brainbench_gate.base.errors import FetchError, ProgramError
from brainbench_gate.base.program import find_git, search_folders

if TYPE_CHECKING:
    from pathlib import Path


def test_a_fake_git_in_the_work_tree_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor one in a relative entry, nor a helper that git would start."""
    repo = Repo(tmp_path / "repo")
    true = repo.commit({"a": "1"})
    ran = tmp_path / "ran"
    for name in ("git", "ssh", "git-remote-https"):
        program(repo.path / "bin" / name, f"touch {ran}")
    repo.git("remote", "add", "origin", "ssh://example.invalid/x")
    monkeypatch.chdir(repo.path)
    monkeypatch.setenv("PATH", os.pathsep.join([str(repo.path / "bin"), "bin", ".", ""]))
    with opened(repo.path) as repository:
        assert repository.require_file(true, "a").data == b"1"
        with pytest.raises(FetchError):
            find_base(repository)
    assert not ran.exists()


def test_only_absolute_folders_outside_the_work_tree_are_searched(tmp_path: Path) -> None:
    """Links into it count as inside."""
    tree = tmp_path / "tree"
    (tree / "bin").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tree / "bin")
    outside = tmp_path / "outside"
    entries = [".", "bin", "", tree, tree / "bin", tmp_path / "link", f"{outside}/../tree", outside]
    search = os.pathsep.join(map(str, entries))
    assert search_folders(search, tree) == [outside]


def test_git_is_found_in_the_systems_folders_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An earlier step can put any folder in front of PATH, but not change these."""
    system = program(tmp_path / "system" / "git", "")
    own = program(tmp_path / "own" / "git", "")
    monkeypatch.setattr("brainbench_gate.base.program.SYSTEM_FOLDERS", (str(tmp_path / "system"),))
    assert find_git(str(own.parent), tmp_path / "tree") == system
    system.unlink()
    assert find_git(str(own.parent), tmp_path / "tree") == own


def test_without_git_outside_the_work_tree_nothing_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also not a program elsewhere that is a link into it."""
    inside = program(tmp_path / "tree" / "git", "")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").symlink_to(inside)
    monkeypatch.setattr("brainbench_gate.base.program.SYSTEM_FOLDERS", ())
    with pytest.raises(ProgramError) as caught:
        find_git(f"{tmp_path / 'bin'}{os.pathsep}{inside.parent}", tmp_path / "tree")
    assert caught.value.reason == "no-git"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("echo git version 2.31.8", "2.31.8 is older than 2.32"),
        ("exit 3", "git does not run"),
    ],
)
def test_a_git_that_can_not_be_shut_off_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, error: str
) -> None:
    """An old one reads the user's settings whatever it is told; the next run finds the true one."""
    repo = Repo(tmp_path / "repo")
    repo.commit({"a": "1"})
    fake = program(tmp_path / "fake" / "git", text)
    with monkeypatch.context() as patch:
        patch.setattr("brainbench_gate.base.program.SYSTEM_FOLDERS", (str(fake.parent),))
        with pytest.raises(ProgramError, match=error):
            Repository.open(repo.path)
    with opened(repo.path) as repository:
        assert repository.head() == repo.head


@pytest.mark.parametrize("text", ["", "exit 3"])
def test_a_git_that_does_not_run_at_the_first_import_is_told(tmp_path: Path, text: str) -> None:
    """GitPython tries it when it is imported for the first time in a process."""
    repo = Repo(tmp_path / "repo")
    fake = tmp_path / "fake" / "git"
    program(fake, text)
    if not text:
        fake.write_text("#!/nowhere/interpreter\n", encoding="utf-8")
    code = (
        "import sys, pathlib, brainbench_gate.base.program as p\n"
        "from brainbench_gate.base import Repository\n"
        "from brainbench_gate.base.errors import ProgramError\n"
        "p.SYSTEM_FOLDERS = (sys.argv[1],)\n"
        "try:\n    Repository.open(pathlib.Path(sys.argv[2]))\n"
        "except ProgramError as error:\n    print(error.reason)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(fake.parent), str(repo.path)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("no-git\n", "", 0)
