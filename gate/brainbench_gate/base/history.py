"""How commits are related, from their raw parents alone. Pure."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from brainbench_gate.base.objects import Commit

    ReadCommit = Callable[[str], Commit]

HEAD, TRUNK, BOTH, STALE = 1, 2, 3, 4


def is_ancestor(read: ReadCommit, ancestor: str, commit: str) -> bool:
    """Whether a commit is another or lies behind it; newest commits are looked at first."""
    if ancestor == commit:
        return True
    seen = {commit}
    queue = [(-read(commit).time_s, commit)]
    while queue:
        fresh = set(read(heapq.heappop(queue)[1]).parents) - seen
        if ancestor in fresh:
            return True
        seen |= fresh
        for parent in fresh:
            heapq.heappush(queue, (-read(parent).time_s, parent))
    return False


def merge_base(read: ReadCommit, head: str, trunk: str) -> str | None:
    """The best commit that lies behind both; None where the histories share none.

    Where several are equally good (criss-cross merges), the one on the trunk's line of first
    parents counts, else the newest, else the smallest id.

    Args:
        read: Gives a commit by id.
        head: One commit.
        trunk: The other, usually the tip of the default branch.
    """
    common = _common(read, head, trunk)
    best = {c for c in common if not any(is_ancestor(read, c, d) for d in common - {c})}
    if len(best) < 2:
        return next(iter(best), None)
    line = _first_of(read, trunk, best)
    return line or min(best, key=lambda c: (-read(c).time_s, c))


def _common(read: ReadCommit, head: str, trunk: str) -> set[str]:
    """Common commits with nothing common known in front of them.

    Each commit hands the sides it was reached from to its parents; what both sides reach is
    common, and what lies behind a common commit is stale.
    """
    marks = {trunk: TRUNK}
    marks[head] = marks.get(head, 0) | HEAD
    queue = [(-read(c).time_s, c) for c in marks]
    heapq.heapify(queue)
    common = set()
    while any(not marks[c] & STALE for _, c in queue):
        commit = heapq.heappop(queue)[1]
        mark = marks[commit]
        if mark & BOTH == BOTH:
            common.add(commit)
            mark |= STALE
        for parent in read(commit).parents:
            if marks.get(parent, 0) | mark != marks.get(parent):
                marks[parent] = marks.get(parent, 0) | mark
                heapq.heappush(queue, (-read(parent).time_s, parent))
    return {c for c in common if not marks[c] & STALE}


def _first_of(read: ReadCommit, commit: str, wanted: Collection[str]) -> str | None:
    while commit not in wanted:
        parents = read(commit).parents
        if not parents:
            return None
        commit = parents[0]
    return commit
