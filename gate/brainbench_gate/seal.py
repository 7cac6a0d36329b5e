"""A seal on files: what was read before the system under test started is the same after it ran."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import brainbench_gate
import brainbench_replay
import brainbench_schema
from brainbench_gate.recall_view import view_recall
from brainbench_schema.errors import BrainbenchError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from brainbench_gate.measured import Bench, CorpusFiles, Measured, Survey
    from brainbench_schema.policy import Policy

SKIPPED = frozenset({"__pycache__", ".git"})


class BrokenSealError(BrainbenchError):
    """Files that decide the verdict changed while the system under test ran."""

    reason = "ground-changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """Digests of files by path, as they stood when the seal was put on."""

    places: tuple[Path, ...]
    digests: Mapping[str, str]

    def require_unbroken(self) -> None:
        """Compare with what stands there now.

        Raises:
            BrokenSealError: A file changed, appeared or vanished.
        """
        now = _digest_all(self.places)
        moved = sorted(
            path
            for path in self.digests.keys() | now.keys()
            if self.digests.get(path) != now.get(path)
        )
        if moved:
            raise BrokenSealError(
                f"changed while the system under test ran: {', '.join(moved[:5])}",
                where="the ground",
                advice="a memory system may not touch corpus, policy, baselines or the gate itself",
            )


def put_seal(places: Iterable[Path]) -> Seal:
    """Hash files, and folders with all that is in them."""
    places = tuple(places)
    return Seal(places=places, digests=_digest_all(places))


def list_places(folder: Path, policies: Iterable[Policy], policy_file: str) -> list[Path]:
    """List what decides a verdict: policy, corpus and baselines of both sides, and the judge."""
    paths = [policy_file]
    for policy in policies:
        paths += [policy.fixtures, policy.gold, policy.baseline, policy.items]
        if recall := view_recall(policy):
            paths += [recall.fixtures, recall.baseline, recall.items]
    return [*(folder / path for path in dict.fromkeys(paths)), *find_own_folders()]


def find_own_folders() -> list[Path]:
    """Give the folders of this project's own packages."""
    packages = (brainbench_schema, brainbench_replay, brainbench_gate)
    return [Path(path) for package in packages for path in package.__path__]


def _digest_all(places: Iterable[Path]) -> dict[str, str]:
    return {str(path): _digest(path) for place in places for path in _files(place)}


def _files(place: Path) -> Iterator[Path]:
    """Walk a file or folder; links are named and not followed."""
    if place.is_symlink() or not place.is_dir():
        if place.exists() or place.is_symlink():
            yield place
        return
    for folder, folders, names in os.walk(place):
        links = [name for name in folders if Path(folder, name).is_symlink()]
        folders[:] = [name for name in folders if name not in SKIPPED]
        yield from (Path(folder, name) for name in [*names, *links] if not name.endswith(".pyc"))


def _digest(path: Path) -> str:
    if path.is_symlink():
        return f"link to {path.readlink()}"
    if not path.is_file():
        return "no file"
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        return f"unreadable: {error.strerror}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedBench:
    """A bench that looks at the seal after each replay."""

    bench: Bench
    seal: Seal

    def measure(self, policy: Policy, corpus: CorpusFiles) -> Measured:
        """Replay a corpus as a policy says.

        Raises:
            BrokenSealError: The system under test changed what it is judged by.
        """
        try:
            return self.bench.measure(policy, corpus)
        finally:
            self.seal.require_unbroken()

    def survey(self, policy: Policy, corpus: CorpusFiles) -> Survey:
        """Read a corpus without replaying it."""
        return self.bench.survey(policy, corpus)
