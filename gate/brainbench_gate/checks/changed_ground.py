"""What a pull request changes of the ground itself, shown to the reviewer line by line."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from brainbench_gate.findings import Comparison, Finding, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from brainbench_schema.policy import Policy

NAME = "ground"

STRICTNESS = frozenset({"floors", "gated", "first_landing", "stale_baseline"})
"""Keys that don't change what is measured: base's apply here, the new ones from the merge on."""


def check(comparison: Comparison) -> Finding:
    """List changed policy keys and corpus files."""
    lines = [
        *describe_policy_change(comparison.policy, comparison.tree_policy),
        *describe_corpus_change(comparison),
    ]
    if not lines:
        return Finding(name=NAME, status=Status.PASS, text="corpus and policy are main's own")
    if not comparison.moved:
        text = "the policy changes; main's applies to this pull request"
    else:
        text = (
            "corpus or policy change: judged on main's ground, "
            "and the new baseline held to this run"
        )
    return Finding(name=NAME, status=Status.NOTE, text=text, lines=tuple(lines))


def measuring_keys(policy: Policy) -> dict[str, object]:
    """Give the part of a policy that decides what is measured and where it is recorded."""
    entry = policy.systems.get(policy.system)
    keys = [key.name for key in fields(policy) if key.name not in {*STRICTNESS, "systems"}]
    measured: dict[str, object] = {key: getattr(policy, key) for key in keys}
    for key in ("harnesses", "suites"):
        measured[key] = sorted(getattr(policy, key))
    return {**measured, "systems": entry}


def describe_policy_change(before: Policy, after: Policy) -> Iterator[str]:
    """List what differs between two policies, found by DeepDiff, one key a line."""
    if before == after:
        return
    from deepdiff import DeepDiff

    older, newer = _plain(before), _plain(after)
    diff = DeepDiff(older, newer, view="tree", ignore_order=False, threshold_to_diff_deeper=0)
    levels = [level for found in diff.values() for level in found]
    for level in sorted(levels, key=lambda level: str(level.path())):
        place = ".".join(str(part) for part in level.path(output_format="list"))
        yield f"policy {place}: {_shown(level.t1)} → {_shown(level.t2)}"


def describe_corpus_change(comparison: Comparison) -> Iterator[str]:
    """List added, removed and changed corpus files."""
    old, new = comparison.base.corpus, comparison.tree.corpus
    if old is None or new is None:
        return
    pairs = ((old.fixtures, new.fixtures), (old.gold, new.gold))
    for before, after in pairs:
        yield from (f"removed {name}" for name in sorted(before.keys() - after.keys()))
        yield from (f"added {name}" for name in sorted(after.keys() - before.keys()))
        yield from (
            f"changed {name}"
            for name in sorted(before.keys() & after.keys())
            if before[name] != after[name]
        )


def _plain(policy: Policy) -> Mapping[str, object]:
    def settle(value: object) -> object:
        if hasattr(value, "__dataclass_fields__"):
            names = value.__dataclass_fields__
            return {name: settle(getattr(value, name)) for name in names}
        if isinstance(value, dict):
            return {key: settle(child) for key, child in value.items()}
        return list(value) if isinstance(value, tuple) else value

    plain = settle(policy)
    assert isinstance(plain, dict)
    return plain


def _shown(value: object) -> str:
    return "nothing" if type(value).__name__ == "NotPresent" else str(value)
