"""The accepted numbers over time: each commit at which the baseline landed, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from brainbench_gate.policy import parse_policy
from brainbench_gate.rules import GATED, find_breaches
from brainbench_schema.baseline import Baseline, parse_baseline
from brainbench_schema.errors import BrainbenchError, GitError
from brainbench_schema.policy import POLICY_FILE, Policy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_gate.base import Repository
    from brainbench_gate.rules import Breach


@dataclass(frozen=True, slots=True, kw_only=True)
class Landing:
    """A commit, on the line of first parents, at which the baseline came to be another.

    Attributes:
        date: Author's day, UTC, ISO 8601.
        baseline: The baseline from there on; None where it was taken away or can't be read.
        before: The one until then; None where there was none that can be read.
        gated: What that commit's policy gates beside the core metrics.
        fault: Why the baseline can't be read; empty where it can.
    """

    commit: str
    author: str
    date: str
    subject: str
    baseline: Baseline | None
    before: Baseline | None
    gated: dict[str, str]
    fault: str = ""

    @property
    def justification(self) -> str:
        """The reason recorded at this commit; empty where it is none, or still the older one's."""
        text = (self.baseline.justification or "").strip() if self.baseline else ""
        older = (self.before.justification or "").strip() if self.before else ""
        return "" if text == older else text

    @property
    def breaches(self) -> tuple[Breach, ...]:
        """Every adverse move against the baseline before."""
        if self.baseline is None or self.before is None:
            return ()
        gated = {**GATED, **self.gated}
        return tuple(find_breaches(self.baseline, self.before, gated=gated))


@dataclass(frozen=True, slots=True, kw_only=True)
class Chronicle:
    """All landings, newest first.

    Attributes:
        complete: Whether the clone reaches back to the first; a shallow one may not.
    """

    landings: tuple[Landing, ...]
    complete: bool


def read_chronicle(repository: Repository, commit: str) -> Chronicle:
    """Follow the baseline back from a commit, along first parents and through renames.

    Args:
        commit: Full object id.

    Raises:
        GitError: An object on the way is damaged.
    """
    landings = []
    cursor: str | None = commit
    path, complete = "", True
    while cursor is not None:
        standing = _standing_path(repository, cursor, path)
        path = standing or path
        change = repository.last_change(cursor, path) if path else None
        if change is None:
            complete = not standing
            break
        parents = repository.commit(change.commit).parents
        cursor = parents[0] if parents else None
        if cursor is not None and not _is_here(repository, cursor):
            complete, cursor = False, None
        landings.append(_landing(repository, change.commit, cursor, path))
    return Chronicle(landings=tuple(landings), complete=complete)


def _is_here(repository: Repository, commit: str) -> bool:
    try:
        repository.commit(commit)
    except GitError:
        return False
    return True


def _standing_path(repository: Repository, commit: str, known: str) -> str:
    """Find the baseline's path at a commit: by its policy, else the one known of later."""
    path = repository.tree_path(_policy(repository, commit).baseline)
    for candidate in (path, known):
        if candidate and _read(repository, commit, candidate) is not None:
            return candidate
    return ""


def _landing(repository: Repository, commit: str, parent: str | None, path: str) -> Landing:
    signature = repository.signature(commit)
    baseline, fault = _parse(repository, commit, path)
    older = _standing_path(repository, parent, path) if parent else ""
    before = _parse(repository, parent, older)[0] if parent and older else None
    return Landing(
        commit=commit,
        author=signature.author,
        date=datetime.fromtimestamp(signature.time_s, UTC).date().isoformat(),
        subject=signature.subject,
        baseline=baseline,
        before=before,
        gated=_policy(repository, commit).gated,
        fault=fault,
    )


def _policy(repository: Repository, commit: str) -> Policy:
    data = _read(repository, commit, repository.tree_path(POLICY_FILE))
    try:
        return parse_policy(data) if data is not None else Policy(system="")
    except BrainbenchError:
        return Policy(system="")


def _parse(repository: Repository, commit: str, path: str) -> tuple[Baseline | None, str]:
    data = _read(repository, commit, path)
    if data is None:
        return None, "taken away"
    try:
        return parse_baseline(data, path), ""
    except BrainbenchError as error:
        return None, str(error)


def _read(repository: Repository, commit: str, path: str) -> bytes | None:
    try:
        blob = repository.read_file(commit, path)
    except GitError:
        return None
    return blob.data if blob else None


def list_values(chronicle: Chronicle) -> Iterator[tuple[str, str, list[tuple[float, Landing]]]]:
    """List each number of each cell with the landings at which it came to be another.

    Yields:
        Cell, metric or count, and its values from the oldest to the newest.
    """
    found: dict[tuple[str, str], list[tuple[float, Landing]]] = {}
    for landing in reversed(chronicle.landings):
        if landing.baseline is None:
            continue
        for cell, name, value in _numbers(landing.baseline):
            values = found.setdefault((cell, name), [])
            if not values or values[-1][0] != value:
                values.append((value, landing))
    for (cell, name), values in sorted(found.items()):
        yield cell, name, values


def _numbers(baseline: Baseline) -> Iterator[tuple[str, str, float]]:
    for cell, counts in baseline.counts.items():
        yield cell, "gold_total", counts.gold_total
        yield cell, "gold_failed", counts.gold_failed
    for cell, metrics in baseline.cells.items():
        for metric, value in metrics.items():
            yield cell, metric, value
