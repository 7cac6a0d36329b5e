"""The repository: clone, base, policy, corpus and baseline files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.doctor.symptom import Setting, Symptom, advise, good, stop
from brainbench_gate.ground import FolderTree, Ground, read_ground
from brainbench_gate.recall_view import is_recall, view_recall
from brainbench_schema.errors import BrainbenchError, InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from brainbench_gate.base import Repository

LFS_HEADER = b"version https://git-lfs"


def check_clone(setting: Setting) -> Iterator[Symptom]:
    """A work tree, and how deep it is."""
    if not (setting.top / ".git").exists():
        yield stop("clone", "this is no git work tree", "run inside a clone, or `git init`")
    elif (setting.top / ".git" / "shallow").exists():
        yield good("clone", "shallow; the gate fetches what it lacks")
    else:
        yield good("clone", "complete")


def check_base(setting: Setting) -> Iterator[Symptom]:
    """A base to compare with, and whether it has a baseline."""
    from brainbench_gate.base import Repository, find_base

    if not (setting.top / ".git").exists():
        return
    try:
        repository = Repository.open(setting.folder)
        if repository is not None:
            with repository:
                yield _describe_base(repository, find_base(repository).commit or "", setting)
    except BrainbenchError as error:
        yield stop("base", error.what, error.advice or "name it: --base REMOTE/BRANCH")


def _describe_base(repository: Repository, commit: str, setting: Setting) -> Symptom:
    if not commit:
        return advise(
            "base", "none: the first landing", "push, and set the remote's default branch"
        )
    policy = repository.read_file(commit, repository.tree_path(setting.policy_file))
    if policy is None:
        text = f"{commit[:12]} has no {setting.policy_file}: a first landing"
        return advise("base", text, "merge policy, corpus and baseline; from then on it gates")
    return good("base", f"{commit[:12]} has a policy")


def check_policy(setting: Setting) -> Iterator[Symptom]:
    """Policy, corpus, baseline and items file can be read, in versions that are known."""
    tree = FolderTree(folder=setting.folder, blob_id=lambda data: "")
    try:
        ground = read_ground(tree, setting.policy_file)
        second = read_ground(tree, setting.policy_file, view=view_recall)
    except BrainbenchError as error:
        yield stop("policy", str(error).splitlines()[0], error.advice)
        return
    for path, fault in sorted({**ground.broken, **second.broken}.items()):
        yield stop("policy", f"{path}: {_say_fault(fault)}", _find_advice(fault) or "mend it")
    if ground.policy is None and not ground.broken:
        yield stop("policy", f"there is no {setting.policy_file}", "run `brainbench init`")
    yield from _check_parts(ground)
    yield from _check_parts(second)


def _say_fault(error: BrainbenchError) -> str:
    if not isinstance(error, InvalidInputError):
        return error.what
    first = error.faults[0]
    return f"{first.pointer}: {first.message}" if first.pointer else first.message


def _find_advice(error: BrainbenchError) -> str:
    return error.faults[0].advice if isinstance(error, InvalidInputError) else error.advice


def _check_parts(ground: Ground) -> Iterator[Symptom]:
    policy = ground.policy
    if policy is None:
        return
    measured = "BrainCore" if is_recall(policy) else f"gate {policy.name!r}"
    yield good("policy", f"{measured} measures {policy.system!r}")
    if ground.corpus is None and policy.fixtures not in ground.broken:
        keys = "`recall.dataset`" if is_recall(policy) else "`fixtures` and `gold`"
        yield stop("corpus", f"nothing stands at {policy.fixtures}", f"check {keys}")
    if ground.baseline is None and policy.baseline not in ground.broken:
        yield advise("baseline", f"there is no {policy.baseline}", "run `brainbench bless`")
    elif ground.items is None and policy.items not in ground.broken:
        yield advise("baseline", f"there is no {policy.items}", "run `brainbench bless`")


def check_contents(setting: Setting) -> Iterator[Symptom]:
    """Line ends and LFS pointers of what is hashed."""
    files = [path for path in _ground_files(setting) if path.is_file()]
    pointers = [path for path in files if path.read_bytes()[:64].startswith(LFS_HEADER)]
    if pointers:
        text = f"{pointers[0].name} and {len(pointers) - 1} more are LFS pointers"
        yield stop("lfs", text, "keep corpus and baselines out of LFS: `git lfs untrack`")
    crlf = sum(b"\r\n" in path.read_bytes() for path in files)
    if crlf:
        text = f"{crlf} files have CRLF line ends; they hash like LF"
        yield advise("line ends", text, "put `* text=auto eol=lf` into .gitattributes")
    elif files:
        yield good("line ends", "LF")


def _ground_files(setting: Setting) -> Iterator[Path]:
    for name in ("evals", "baselines"):
        yield from sorted((setting.folder / name).rglob("*.json"))


EXAMINATIONS = (check_clone, check_base, check_policy, check_contents)
