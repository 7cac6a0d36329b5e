"""What one side of a comparison stands on: policy, corpus and baseline files of one tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Protocol, TypeVar

from brainbench_gate.base.errors import RefusedObjectError
from brainbench_gate.base.objects import Blob, require_content
from brainbench_gate.measured import CorpusFiles
from brainbench_gate.policy import parse_policy
from brainbench_gate.recall_view import is_recall
from brainbench_schema.baseline import Baseline, Items, parse_baseline, parse_items
from brainbench_schema.errors import BrainbenchError, Fault, InvalidInputError
from brainbench_schema.files import read_file, read_folder
from brainbench_schema.policy import POLICY_FILE, Policy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from brainbench_gate.base import Repository

T = TypeVar("T")
FIXTURE_SUFFIX = ".fixture.json"
GOLD_SUFFIX = ".gold.json"
MAX_FILE_BYTES = 1 << 28
"""Largest file of a work tree that is read, in bytes: a dataset may be large, though GitHub takes
nothing above 100 MB. What is read as one document has the limits of its own reader."""


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file's content, with the id git gives it."""

    data: bytes
    blob_id: str


class Tree(Protocol):
    """Where files are read from. Paths are relative to the folder of the policy."""

    def read_file(self, path: str) -> File | None:
        """Give a file; None where nothing stands there."""
        ...

    def read_folder(self, path: str, suffix: str) -> Mapping[str, bytes] | None:
        """Give the files of a folder by name; None where nothing stands there."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitTree:
    """The files of a commit, read as git objects."""

    repository: Repository
    commit: str

    def read_file(self, path: str) -> File | None:
        """Give a file; None where nothing stands there."""
        blob = self.repository.read_file(self.commit, self._place(path))
        return File(data=blob.data, blob_id=blob.id) if blob else None

    def read_folder(self, path: str, suffix: str) -> Mapping[str, bytes] | None:
        """Give the files of a folder by name; None where nothing stands there."""
        blobs = self.repository.read_tree(self.commit, self._place(path))
        if blobs is None:
            return None
        return {name: blob.data for name, blob in blobs.items() if name.endswith(suffix)}

    def _place(self, path: str) -> str:
        return str(PurePosixPath(self.repository.prefix) / path)


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderTree:
    """The files of a folder as they stand on disk.

    Attributes:
        blob_id: Gives the id git has for a content.
    """

    folder: Path
    blob_id: Callable[[bytes], str]

    def read_file(self, path: str) -> File | None:
        """Give a file; None where nothing stands there."""
        place = self.folder / path
        if not place.exists() and not place.is_symlink():
            return None
        self._refuse_link(place, path)
        if not place.is_file():
            raise _refuse(path, "a plain file must stand here, not a folder")
        data = read_file(place, max_bytes=MAX_FILE_BYTES, name=path)
        require_content(Blob(id="", path=path, data=data))
        return File(data=data, blob_id=self.blob_id(data))

    def read_folder(self, path: str, suffix: str) -> Mapping[str, bytes] | None:
        """Give the files of a folder by name; None where nothing stands there."""
        place = self.folder / path
        if not place.exists() and not place.is_symlink():
            return None
        self._refuse_link(place, path)
        if not place.is_dir():
            raise _refuse(path, "a folder must stand here, not a file")
        if (place / ".git").exists():
            raise _refuse(path, "a plain folder must stand here, not a submodule")
        files = read_folder(place, suffix)
        for name, data in files.items():
            require_content(Blob(id="", path=f"{path}/{name}", data=data))
        return files

    def _refuse_link(self, place: Path, path: str) -> None:
        expected = self.folder.resolve() / PurePosixPath(path)
        if place.resolve() != expected:
            raise _refuse(path, "a plain file or folder must stand here, not a symlink")


def _refuse(path: str, message: str) -> InvalidInputError:
    return InvalidInputError([Fault(file=path, pointer="", message=message)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """One side's policy, corpus, baseline and items file; None for what isn't there.

    Attributes:
        baseline_blob: Id that git gives the baseline file.
        broken: What could not be read, by path, and why.
    """

    policy: Policy | None = None
    corpus: CorpusFiles | None = None
    baseline: Baseline | None = None
    baseline_blob: str | None = None
    items: Items | None = None
    broken: dict[str, BrainbenchError] = field(default_factory=dict)


def _as_it_is(policy: Policy) -> Policy:
    return policy


def read_ground(
    tree: Tree,
    policy_file: str = POLICY_FILE,
    *,
    policy: Policy | None = None,
    view: Callable[[Policy], Policy | None] = _as_it_is,
) -> Ground:
    """Read everything a policy names, noting what can't be read.

    Args:
        tree: Where to read.
        policy_file: The policy's path in it.
        policy: The policy to go by where the tree has none that can be read.
        view: Reads a policy for one benchmark; None where it doesn't ask for that.
    """
    broken: dict[str, BrainbenchError] = {}
    own = _attempt(broken, policy_file, lambda: _read_policy(tree, policy_file))
    if own is not None and view(own) is None:
        return Ground(broken=broken)
    own = view(own) if own else None
    policy = own or (view(policy) if policy else None)
    if policy is None:
        return Ground(broken=broken)
    baseline = _attempt(broken, policy.baseline, lambda: tree.read_file(policy.baseline))
    items = _attempt(broken, policy.items, lambda: tree.read_file(policy.items))
    return Ground(
        policy=own,
        corpus=_attempt(broken, policy.fixtures, lambda: _read_corpus(tree, policy)),
        baseline=_parse(broken, policy.baseline, baseline, parse_baseline),
        baseline_blob=baseline.blob_id if baseline else None,
        items=_parse(broken, policy.items, items, parse_items),
        broken=broken,
    )


def _parse(
    broken: dict[str, BrainbenchError],
    path: str,
    file: File | None,
    parse: Callable[[bytes, str], T],
) -> T | None:
    return _attempt(broken, path, lambda: parse(file.data, path)) if file else None


def _attempt(broken: dict[str, BrainbenchError], path: str, read: Callable[[], T]) -> T | None:
    try:
        return read()
    except (InvalidInputError, RefusedObjectError) as error:
        broken[path] = error
        return None


def _read_policy(tree: Tree, path: str) -> Policy | None:
    file = tree.read_file(path)
    return parse_policy(file.data, path) if file else None


def _read_corpus(tree: Tree, policy: Policy) -> CorpusFiles | None:
    if is_recall(policy):
        return _read_dataset(tree, policy)
    fixtures = tree.read_folder(policy.fixtures, FIXTURE_SUFFIX)
    gold = tree.read_folder(policy.gold, GOLD_SUFFIX)
    if fixtures is None or gold is None:
        return None
    return CorpusFiles(fixtures=_with_lf(fixtures), gold=_with_lf(gold))


def _read_dataset(tree: Tree, policy: Policy) -> CorpusFiles | None:
    file = tree.read_file(policy.fixtures)
    if file is None:
        return None
    name = PurePosixPath(policy.fixtures).name
    return CorpusFiles(fixtures=_with_lf({name: file.data}), gold={})


def _with_lf(files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {name: data.replace(b"\r\n", b"\n") for name, data in files.items()}
