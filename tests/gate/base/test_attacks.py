"""Ways to make the gate read another base than the true one, and what comes of them."""

from __future__ import annotations

import os
import zlib
from typing import TYPE_CHECKING

import pytest
from tests.gate.base.programs import program
from tests.gate.gitrepo import Repo, opened

from brainbench_gate.base import Remote, Repository, find_base
from brainbench_gate.base.errors import (
    CorruptObjectError,
    FetchError,
    MissingRefError,
    RefNameError,
)
from brainbench_schema.errors import GitError

if TYPE_CHECKING:
    from pathlib import Path

BASELINE = "baselines/main.json"


# 16: names


def test_tags_and_branches_named_like_the_base_are_not_it(tmp_path: Path) -> None:
    """Git itself would take some of them first."""
    origin = Repo(tmp_path / "origin")
    true = origin.commit({BASELINE: "true"})
    clone = origin.clone(tmp_path / "clone")
    doctored = clone.commit({BASELINE: "doctored"})
    for ref in (
        "refs/tags/origin/main",
        "refs/heads/origin/main",
        "refs/tags/refs/remotes/origin/main",
        "refs/heads/refs/remotes/origin/main",
        "refs/heads/refs/heads/main",
        "refs/tags/refs/heads/main",
        "refs/tags/main",
        "refs/heads/HEAD",
        "refs/tags/HEAD",
        "refs/heads/refs/remotes/origin/HEAD",
        f"refs/heads/{true}",
        f"refs/heads/{true[:7]}",
        f"refs/tags/{true[:7]}",
    ):
        clone.git("update-ref", ref, doctored)
    clone.git("update-ref", "refs/heads/main", true)
    clone.git("update-ref", "--no-deref", "HEAD", true)
    with opened(clone.path) as repository:
        for name in ("origin/main", "refs/remotes/origin/main", "refs/heads/main"):
            assert repository.resolve(name).commit == true
        for name in ("origin/HEAD", true, true[:7]):
            assert repository.resolve(name).commit == true
        assert repository.head() == true
        assert find_base(repository).commit == true


def test_a_name_is_not_looked_up_anywhere_else(tmp_path: Path) -> None:
    """Without the true ref, a lookalike does not step in."""
    repo = Repo(tmp_path)
    commit = repo.commit({BASELINE: "doctored"})
    for ref in ("refs/tags/origin/main", "refs/heads/origin/main", "refs/heads/refs/heads/x"):
        repo.git("update-ref", ref, commit)
    (tmp_path / ".git" / "origin").mkdir()
    (tmp_path / ".git" / "origin" / "main").write_text(f"{commit}\n", encoding="utf-8")
    with opened(tmp_path) as repository:
        for name in ("origin/main", "refs/heads/x", "refs/origin/main"):
            with pytest.raises(MissingRefError):
                repository.resolve(name)


@pytest.mark.parametrize("name", ["-x", "--output=x", "HEAD", "main", "@{-1}", "FETCH_HEAD"])
def test_options_and_short_names_are_refused(tmp_path: Path, name: str) -> None:
    """Also where a ref of this name exists."""
    repo = Repo(tmp_path)
    commit = repo.commit({"a": "1"})
    if "@" not in name:
        ref = tmp_path / ".git" / "refs" / "heads" / name
        ref.write_text(f"{commit}\n", encoding="utf-8")
    with opened(tmp_path) as repository, pytest.raises(RefNameError):
        find_base(repository, name=name)


def test_a_server_ref_that_ends_like_the_default_branch_is_not_it(tmp_path: Path) -> None:
    """`git ls-remote` lists both."""
    origin = Repo(tmp_path / "origin")
    true = origin.commit({BASELINE: "true"})
    doctored = origin.branch("a").commit({BASELINE: "doctored"})
    for ref in ("refs/heads/a0/refs/heads/main", "refs/tags/refs/heads/main", "refs/heads/x/HEAD"):
        origin.git("update-ref", ref, doctored)
    origin.checkout("main")
    with opened(origin.path) as repository:
        repository.remote = Remote(url=origin.url)
        assert repository.ask("refs/heads/main") == true
        assert repository.list_remote("HEAD") == ("refs/heads/main", true)
        with pytest.raises(MissingRefError):
            repository.ask("heads/main")


# 31: line ends


def test_a_crlf_checkout_gives_the_committed_bytes(tmp_path: Path) -> None:
    """Objects, not files, are read."""
    repo = Repo(tmp_path)
    commit = repo.commit({".gitattributes": "* text=auto eol=crlf\n", "d/a.json": "{}\n"})
    (tmp_path / "d" / "a.json").unlink()
    repo.git("checkout", "--", "d/a.json")
    assert (tmp_path / "d" / "a.json").read_bytes() == b"{}\r\n"
    with opened(tmp_path) as repository:
        assert repository.require_file(commit, "d/a.json").data == b"{}\n"
        assert repository.head_differences(commit, ["d"]) == []


# 40: objects and settings


@pytest.mark.parametrize("what", ["commit", "tree", "blob"])
def test_replace_refs_have_no_effect(tmp_path: Path, what: str) -> None:
    """Git would show the replacement everywhere."""
    repo = Repo(tmp_path)
    true = repo.commit({BASELINE: "true"})
    doctored = repo.commit({BASELINE: "doctored"})
    path = {"commit": "", "tree": "^{tree}", "blob": f":{BASELINE}"}[what]
    repo.git("replace", repo.id(true + path), repo.id(doctored + path))
    assert repo.git("show", f"{true}:{BASELINE}") == "doctored"
    with opened(tmp_path) as repository:
        assert repository.require_file(true, BASELINE).data == b"true"


def test_grafts_have_no_effect(tmp_path: Path) -> None:
    """Parents are the raw commit's."""
    repo = Repo(tmp_path)
    first = repo.commit({"a": "1"})
    second = repo.commit({"a": "2"})
    (tmp_path / ".git" / "info" / "grafts").write_text(f"{second}\n", encoding="utf-8")
    with opened(tmp_path) as repository:
        assert repository.commit(second).parents == (first,)


@pytest.mark.parametrize("algorithm", ["sha1", "sha256"])
@pytest.mark.parametrize("what", ["commit", "top", "folder", "blob"])
def test_an_overwritten_object_is_refused(tmp_path: Path, what: str, algorithm: str) -> None:
    """Anywhere between the commit and the file; git itself reads it without a word."""
    repo = Repo(tmp_path, algorithm=algorithm)
    true = repo.commit({BASELINE: "true"})
    doctored = repo.commit({BASELINE: "doctored"})
    path = {"commit": "", "top": "^{tree}", "folder": ":baselines", "blob": f":{BASELINE}"}[what]
    overwrite(repo, repo.id(true + path), repo.id(doctored + path))
    with opened(tmp_path) as repository, pytest.raises(CorruptObjectError) as caught:
        repository.read_file(true, BASELINE)
    assert caught.value.reason == "corrupt-object"


def overwrite(repo: Repo, id_: str, other: str) -> None:
    """Put one loose object's bytes in the place of another's."""
    folder = repo.path / ".git" / "objects"
    target = folder / id_[:2] / id_[2:]
    target.chmod(0o644)
    target.write_bytes((folder / other[:2] / other[2:]).read_bytes())


@pytest.mark.parametrize(
    "data", [b"", b"garbage", zlib.compress(b"blob 4\0tru"), zlib.compress(b"nonsense 4\0true")]
)
def test_a_damaged_object_is_never_missing(
    tmp_path: Path, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut short, empty, of an unknown kind: an error, and the next object can still be read.

    Where an object is shorter than its header says, git waits for a question, and who reads
    its answer would wait, too.
    """
    monkeypatch.setattr("brainbench_gate.base.pipe.SILENCE_S", 0.3)
    repo = Repo(tmp_path)
    true = repo.commit({BASELINE: "true", "other": "1"})
    id_ = repo.id(f"HEAD:{BASELINE}")
    place = tmp_path / ".git" / "objects" / id_[:2] / id_[2:]
    place.chmod(0o644)
    place.write_bytes(data)
    with opened(tmp_path) as repository:
        with pytest.raises(GitError):
            repository.read_file(true, BASELINE)
        assert repository.require_file(true, "other").data == b"1"


def test_settings_and_hooks_of_the_clone_have_no_effect(tmp_path: Path) -> None:
    """Nothing they name is started, nothing they rewrite is fetched."""
    origin = Repo(tmp_path / "origin")
    origin.git("config", "uploadpack.allowFilter", "true")
    true = origin.commit({BASELINE: "true"})
    origin.commit({BASELINE: "newer"})
    evil = Repo(tmp_path / "evil")
    evil.commit({BASELINE: "doctored"})
    clone = origin.clone(tmp_path / "clone", depth=1)
    ran = tmp_path / "ran"
    script = program(tmp_path / "script", f'echo "$0 $@" >> {ran}\nexit 1')
    for name in ("reference-transaction", "post-checkout", "fsmonitor-watchman", "pre-auto-gc"):
        program(clone.path / ".git" / "hooks" / name, f'echo "{name}" >> {ran}')
    for key in (
        "core.fsmonitor",
        "core.sshCommand",
        "core.gitProxy",
        "core.askPass",
        "core.pager",
        "core.alternateRefsCommand",
        "credential.helper",
        "remote.origin.uploadpack",
        "remote.origin.vcs",
        "uploadpack.packObjectsHook",
        "filter.x.smudge",
        "filter.x.clean",
        "diff.external",
    ):
        clone.git("config", key, str(script))
    clone.git("config", f"url.{evil.url}.insteadOf", origin.url)
    clone.git("symbolic-ref", "-d", "refs/remotes/origin/HEAD")
    clone.git("update-ref", "-d", "refs/remotes/origin/main")
    clone.write({".gitattributes": "* filter=x\n"})
    ran.unlink(missing_ok=True)
    with opened(clone.path) as repository:
        choice = find_base(repository)
        assert choice.commit == origin.head
        assert repository.require_file(true, BASELINE).data == b"true"
        assert repository.head_differences(origin.head, [BASELINE]) == []
        assert repository.last_change(origin.head, BASELINE) is not None
    assert not ran.exists()


def test_a_server_that_would_run_a_program_is_refused(tmp_path: Path) -> None:
    """The ext transport is a command line."""
    ran = tmp_path / "ran"
    repo = Repo(tmp_path / "repo")
    repo.commit({"a": "1"})
    repo.git("config", "remote.origin.url", f"ext::touch {ran}")
    repo.git("config", "protocol.ext.allow", "always")
    with opened(repo.path) as repository, pytest.raises(FetchError):
        find_base(repository)
    assert not ran.exists()


def test_another_work_tree_in_the_settings_is_refused(tmp_path: Path) -> None:
    """Files would be compared in the wrong place."""
    repo = Repo(tmp_path / "repo")
    repo.commit({"a": "1"})
    (tmp_path / "other").mkdir()
    repo.git("config", "core.worktree", str(tmp_path / "other"))
    with pytest.raises(GitError, match="another work tree"):
        Repository.open(repo.path)


def test_inherited_variables_have_no_effect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GIT_DIR and its like would send git elsewhere; settings would rewrite addresses."""
    repo = Repo(tmp_path / "repo")
    true = repo.commit({BASELINE: "true"})
    evil = Repo(tmp_path / "evil")
    evil.commit({BASELINE: "doctored"})
    ran = tmp_path / "ran"
    script = program(tmp_path / "script", f"touch {ran}")
    settings = tmp_path / "settings"
    settings.write_text(f"[core]\n\tfsmonitor = {script}\n\tbare = true\n", encoding="utf-8")
    inherited = {
        "GIT_DIR": str(evil.path / ".git"),
        "GIT_WORK_TREE": str(evil.path),
        "GIT_OBJECT_DIRECTORY": str(evil.path / ".git" / "objects"),
        "GIT_CONFIG_GLOBAL": str(settings),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.bare",
        "GIT_CONFIG_VALUE_0": "true",
        "GIT_CONFIG_PARAMETERS": "'core.bare'='true'",
        "GIT_EXEC_PATH": str(tmp_path),
        "GIT_PYTHON_GIT_EXECUTABLE": str(script),
        "GIT_REPLACE_REF_BASE": "refs/heads/",
        "GIT_NAMESPACE": "x",
        "GIT_TRACE": str(tmp_path / "trace"),
    }
    for name, value in inherited.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("HOME", str(tmp_path))
    settings.rename(tmp_path / ".gitconfig")
    with opened(repo.path) as repository:
        assert repository.head() == true
        assert repository.require_file(true, BASELINE).data == b"true"
    assert not [name for name in os.environ if name.startswith("GIT_")]
    assert not ran.exists()
    assert not (tmp_path / "trace").exists()
