"""The core rules: two documents, what stands committed, and a reason → a judgement. Pure.

The contract numbers the rules 1 to 6; the numbers stand beside the code that applies them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from brainbench_gate.movements import Movement, find_movements

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from brainbench_schema.baseline import Baseline

ISOLATION = "source_isolation_violations"

GATED = {
    "know_to_ask_failure_rate": "lower",
    "false_fire_rate": "lower",
    "push_precision": "higher",
    "push_recall": "higher",
    "write_back_fidelity": "higher",
    "provenance_accuracy": "higher",
    "continuity_rate": "higher",
    "extraction_recall": "higher",
    "extraction_precision": "higher",
}
"""Metrics whose adverse move is a breach, with the direction that is better."""


class Verdict(Enum):
    """What a judgement comes to. The order is the order of severity."""

    PASS = "pass"  # noqa: S105 - a verdict
    REGRESSION = "regression"
    INCONCLUSIVE = "inconclusive"


class Mode(Enum):
    """Whether both documents were measured on the same corpus."""

    SAME_HASH = "same-hash"
    CORPUS_BLESS = "corpus-bless"


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """One adverse finding: a number of main's and what became of it (None: nothing)."""

    cell: str
    metric: str
    baseline: float | None
    current: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the core rules make of the documents.

    Attributes:
        reason: A short code for machines, such as ``held`` or ``baseline-not-backed``.
    """

    verdict: Verdict
    mode: Mode
    reason: str
    breaches: tuple[Breach, ...]
    notes: tuple[str, ...]


def judge(
    current: Baseline,
    main: Baseline,
    committed: Baseline | None,
    *,
    allowance: str | None = None,
    gated: Mapping[str, str] = GATED,
) -> Judgement:
    """Apply the core rules.

    Args:
        current: What this run measured.
        main: The base branch's baseline.
        committed: The working tree's baseline, if it has one.
        allowance: Reason of a local trial that lets breaches pass.
        gated: Metrics to gate and their better direction.
    """
    mode = Mode.SAME_HASH if current.fixtures_hash == main.fixtures_hash else Mode.CORPUS_BLESS
    breaches = tuple(find_breaches(current, main, gated=gated))
    verdict, reason, note = _decide(current, main, committed, allowance, mode, breaches)
    notes = [note] if note else []
    if verdict is Verdict.PASS and any(breach.metric == ISOLATION for breach in breaches):
        notes.append("a reason lets a source leak pass here; `brainbench gate` accepts none")
    return Judgement(
        verdict=verdict, mode=mode, reason=reason, breaches=breaches, notes=tuple(notes)
    )


def find_breaches(
    current: Baseline, main: Baseline, *, gated: Mapping[str, str] = GATED
) -> Iterator[Breach]:
    """List every adverse finding: leaks first, then counts, then rates.

    Nothing is compared with main where the two runs covered different things (rule 2).
    """
    # Rule 1: a leak is a breach whatever any baseline says.
    for cell, metrics in sorted(current.cells.items()):
        if metrics.get(ISOLATION, 0) > 0:
            yield Breach(cell=cell, metric=ISOLATION, baseline=0, current=metrics[ISOLATION])
    if current.config != main.config:
        return
    # Rule 3: against main, cell by cell.
    same_hash = current.fixtures_hash == main.fixtures_hash
    for move in find_movements(main, current):
        if move.section == "counts":
            yield from _count_breach(move, main, same_hash=same_hash)
        elif _is_adverse(move, gated):
            yield _breach(move)


def _count_breach(move: Movement, main: Baseline, *, same_hash: bool) -> Iterator[Breach]:
    if not move.name:
        if move.cell in main.counts:
            failed = main.counts[move.cell].gold_failed
            yield Breach(cell=move.cell, metric="gold_failed", baseline=failed, current=None)
        return
    more = (move.after or 0) > (move.before or 0)
    if (move.name == "gold_failed" and same_hash and more) or (
        move.name == "gold_total" and (same_hash or not more)
    ):
        yield _breach(move)


def _is_adverse(move: Movement, gated: Mapping[str, str]) -> bool:
    if move.before is None or move.after is None or move.name not in gated:
        return False
    return (move.after > move.before) == (gated[move.name] == "lower")


def _breach(move: Movement) -> Breach:
    return Breach(cell=move.cell, metric=move.name, baseline=move.before, current=move.after)


def _decide(
    current: Baseline,
    main: Baseline,
    committed: Baseline | None,
    allowance: str | None,
    mode: Mode,
    breaches: tuple[Breach, ...],
) -> tuple[Verdict, str, str]:
    # Rule 2: runs that covered different things can't be compared.
    if current.config != main.config:
        note = "the run and main's baseline cover different harnesses, suites or holdout"
        return Verdict.INCONCLUSIVE, "config-differs", note
    justification = None
    if mode is Mode.CORPUS_BLESS:
        # Rule 4: a new corpus needs a committed baseline that this run backs.
        if committed is None:
            note = "the corpus changed and no baseline is committed: run `brainbench bless`"
            return Verdict.INCONCLUSIVE, "baseline-missing", note
        if committed.data() != current.data():
            return Verdict.INCONCLUSIVE, "baseline-not-backed", _NOT_BACKED
        justification = committed.justification
    elif committed is not None and committed.data() != main.data():
        # Rule 5: an edited baseline must be backed by this run, whatever hash it carries.
        if committed.data() != current.data():
            return Verdict.INCONCLUSIVE, "baseline-not-backed", _NOT_BACKED
        justification = committed.justification
    # Rule 6: otherwise breaches decide.
    return _weigh(breaches, justification, allowance)


def _weigh(
    breaches: tuple[Breach, ...], justification: str | None, allowance: str | None
) -> tuple[Verdict, str, str]:
    # Any text counts as a reason here; whether it is one is asked by the added checks.
    if not breaches:
        return Verdict.PASS, "held", ""
    if justification:
        return Verdict.PASS, "justified", f"worse, with a reason to review: {justification}"
    if allowance:
        return Verdict.PASS, "allowed", f"worse, let pass for a local trial: {allowance}"
    return Verdict.REGRESSION, "regression", ""


_NOT_BACKED = "the committed baseline is not what this run measured: run `brainbench bless`"
