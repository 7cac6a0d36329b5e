"""What is meant by a SPEC: a built-in name, a name from the policy, or an entry written inline."""

from __future__ import annotations

import hashlib
import json
import shlex
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from brainbench_schema.errors import UsageError
from brainbench_schema.fixture import RETRIEVAL_SUITES
from brainbench_schema.policy import SystemEntry

if TYPE_CHECKING:
    from collections.abc import Mapping

REFLEX = "reflex"
ANCHORS = ("silent", "everything", "keyword")
BUILT_IN = (REFLEX, *ANCHORS)
EXTERNAL = ("command", "python", "hook", "mcp", "result")
NEEDS_SERVER = (REFLEX, "keyword")
"""Built-in systems that live in PostgreSQL."""

HOOK_CAPABILITIES = (*RETRIEVAL_SUITES, "sources")

_NEEDED = {
    "command": "command",
    "python": "factory",
    "hook": "command",
    "mcp": "command",
    "result": "command",
}


def find_entry(spec: str, systems: Mapping[str, SystemEntry]) -> tuple[str, SystemEntry]:
    """Find what a SPEC names.

    Args:
        spec: A name, or an entry as ``kind:…``.
        systems: The policy's systems; a name there wins over a built-in one.

    Returns:
        The system's name and its entry, checked.

    Raises:
        UsageError: Nothing is called that, or the entry lacks what its kind needs.
    """
    kind, colon, rest = spec.partition(":")
    if spec in systems:
        return spec, check_entry(spec, systems[spec])
    if spec in BUILT_IN:
        return spec, SystemEntry(kind=spec)
    if colon and kind in EXTERNAL:
        return kind, check_entry(kind, _read_inline(kind, rest))
    known = ", ".join([*BUILT_IN, *sorted(systems)])
    raise UsageError(
        f"no memory system is called {spec!r}",
        advice=f"known are {known}, and inline {', '.join(f'{one}:…' for one in EXTERNAL)}",
    )


def fingerprint(entry: SystemEntry) -> str:
    """Tell entries apart: the first 12 hex digits of SHA-256 over the entry as sorted JSON."""
    text = json.dumps(asdict(entry), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _read_inline(kind: str, rest: str) -> SystemEntry:
    if kind == "python":
        return SystemEntry(kind=kind, factory=rest)
    try:
        words = tuple(shlex.split(rest))
    except ValueError as error:
        raise UsageError(f"{kind}:{rest} can't be split into words: {error}") from None
    return SystemEntry(kind=kind, command=words)


def check_entry(name: str, entry: SystemEntry) -> SystemEntry:
    """Hold an entry against its kind.

    Returns:
        The entry, with the default capabilities of its kind where there are such.

    Raises:
        UsageError: An unknown kind, or something that the kind needs or can't have.
    """
    where = f"systems/{name}"
    if entry.kind in BUILT_IN:
        return entry
    if entry.kind not in EXTERNAL:
        kinds = ", ".join([*EXTERNAL, *BUILT_IN])
        raise UsageError(f"no kind is called {entry.kind!r}", where=where, advice=f"use {kinds}")
    if not getattr(entry, _NEEDED[entry.kind]):
        raise UsageError(
            f"a system of kind {entry.kind} needs `{_NEEDED[entry.kind]}`",
            where=where,
            advice="see docs/systems.md for an example",
        )
    if entry.kind == "hook":
        return _check_hook(where, entry)
    return entry


def _check_hook(where: str, entry: SystemEntry) -> SystemEntry:
    if entry.capabilities is None:
        return replace(entry, capabilities=RETRIEVAL_SUITES)
    if wrong := sorted(set(entry.capabilities) - set(HOOK_CAPABILITIES)):
        raise UsageError(
            f"a hook can't show {', '.join(wrong)}: it is only asked before a turn",
            where=where,
            advice="declare the write path as a system of kind command, python or mcp",
        )
    return entry
