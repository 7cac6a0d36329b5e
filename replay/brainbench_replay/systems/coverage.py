"""What of a run a system can be asked: harnesses, suites and fixtures; the rest with its reason."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from brainbench_replay.plan import find_sources
from brainbench_replay.systems.entries import REFLEX
from brainbench_schema.errors import UsageError
from brainbench_schema.fixture import RETRIEVAL_SUITES
from brainbench_schema.result import Skipped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brainbench_replay.corpus import Case
    from brainbench_replay.seams import Seam

HOOKED = ("claude-code", "codex")
"""Harnesses that run a UserPromptSubmit hook."""

ISOLATION = "isolation: not measured"


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What a run covers with one system.

    Attributes:
        seams: The harnesses it is measured on, each with the kind of seam its rows have.
        suites: The suites it supports.
        cases: The cases it is asked.
        skipped: What was asked for and is left out beyond unsupported suites.
    """

    seams: tuple[Seam, ...]
    suites: tuple[str, ...]
    cases: tuple[Case, ...]
    skipped: tuple[Skipped, ...]


def cover(
    name: str,
    kind: str,
    capabilities: frozenset[str],
    *,
    seams: Sequence[Seam],
    suites: Sequence[str],
    cases: Sequence[Case],
) -> Coverage:
    """Settle what a system is asked.

    Args:
        name: What the system is called, for the reasons.
        seams: The harnesses that were asked for.
        suites: The suites that were asked for.
        cases: The cases of the run.

    Raises:
        UsageError: It can't be measured on any of the harnesses.
    """
    able = tuple(suite for suite in suites if suite in capabilities)
    running = tuple(_seam_of(kind, seam) for seam in seams if _runs_on(kind, seam))
    if not running:
        raise UsageError(
            f"{name} is a hook and runs on {' and '.join(HOOKED)} only",
            advice="name one of them with --harness or in the policy",
        )
    left_out = () if "sources" in capabilities else tuple(_many_sourced(cases))
    elsewhere = tuple(
        Skipped(suite=suite, harness=seam.harness, reason="it runs no UserPromptSubmit hook")
        for seam in seams
        if not _runs_on(kind, seam)
        for suite in suites
    )
    return Coverage(
        seams=running,
        suites=able,
        cases=tuple(case for case in cases if case not in left_out),
        skipped=(*elsewhere, *_isolation(name, running, able, left_out)),
    )


def _runs_on(kind: str, seam: Seam) -> bool:
    return kind != "hook" or seam.harness in HOOKED


def _seam_of(kind: str, seam: Seam) -> Seam:
    """Only what ships is `production`: the built-in memory's pipeline, and an executed hook."""
    if kind == REFLEX:
        return seam
    return replace(seam, kind="production" if kind == "hook" else "contract")


def _many_sourced(cases: Sequence[Case]) -> Iterator[Case]:
    many = {_group(case) for case in cases if len(find_sources(case.fixture)) > 1}
    return (case for case in cases if _group(case) in many)


def _group(case: Case) -> str:
    """Both halves of a pair are left out together."""
    fixture = case.fixture
    if fixture.pair_role and fixture.continuity:
        return f"pair {fixture.continuity.pair_id}"
    return f"fixture {fixture.fixture_id}"


def _isolation(
    name: str, seams: Sequence[Seam], suites: Sequence[str], left_out: Sequence[Case]
) -> Iterator[Skipped]:
    for seam in seams:
        for suite in suites:
            ids = [case.fixture.fixture_id for case in left_out if _counts(case, suite)]
            if ids:
                reason = f"{ISOLATION}, {name} knows no sources; left out: {', '.join(ids)}"
                yield Skipped(suite=suite, harness=seam.harness, reason=reason)


def _counts(case: Case, suite: str) -> bool:
    fixture = case.fixture
    if suite in RETRIEVAL_SUITES:
        return fixture.replays(suite)
    if suite == "write-back":
        return suite in fixture.suites or fixture.pair_role == "writer"
    return fixture.pair_role is not None
