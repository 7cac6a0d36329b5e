"""What a person reads of a verdict: in words, why, what flipped, what to type; then the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.escape import shell_word
from brainbench_gate.findings import Status
from brainbench_gate.report.advice import find_names
from brainbench_gate.report.flips import find_explainable, list_by_weight, list_flips
from brainbench_gate.rules import Verdict
from brainbench_gate.scoreboard import render_scoreboard
from brainbench_schema.numbers import format_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brainbench_gate.findings import Finding
    from brainbench_gate.report.flips import Flip
    from brainbench_gate.rules import Breach
    from brainbench_gate.verdict import BenchmarkVerdict, Provenance, VerdictDocument
    from brainbench_schema.baseline import Baseline
    from brainbench_schema.result import Result

SHOWN_REASONS = 2
SHOWN_FLIPS = 3
SHOWN_DETAILS = 20
MARKS = {Status.PASS: "✓", Status.NOTE: "•", Status.FAIL: "✗"}


def render_report(
    document: VerdictDocument, runs: Sequence[tuple[Result, Baseline | None]] = ()
) -> str:
    """Write a verdict for a terminal or a log: the first ten lines are enough to act on.

    Args:
        runs: Each benchmark's run with base's baseline, for scoreboards and their changes.
    """
    head = [f"# brainbench: {document.headline}", "", *_why(document.worst), *_next(document)]
    blocks = [
        "\n".join(head).rstrip(),
        _provenance(document.provenance),
        *(render_scoreboard(result, main) for result, main in runs),
        *("\n".join(_details(benchmark)) for benchmark in list_by_weight(document)),
        *(_checks(benchmark) for benchmark in document.benchmarks),
    ]
    return "\n\n".join(block for block in blocks if block)


def _why(one: BenchmarkVerdict) -> Iterator[str]:
    """Say what decided and what flipped, in six lines at most."""
    for finding in _deciding(one)[:SHOWN_REASONS]:
        yield f"- {finding.name}: {finding.text}"
    firsts: dict[str, str] = {}
    for flip in list_flips(one.details):
        firsts.setdefault(flip.item, _tell(flip))
    told = list(firsts.values()) or _numbers(one)
    yield from (f"- {line}" for line in told[:SHOWN_FLIPS])
    left = max(len(one.failed_ids), len(told)) - SHOWN_FLIPS
    if left > 0:
        yield f"- … and {left:,} more, listed below"


def _deciding(one: BenchmarkVerdict) -> list[Finding]:
    """Give the checks that decide, the one that the verdict is named after first."""
    found = [
        finding
        for finding in one.checks
        if finding.verdict is not Verdict.PASS or _is_told_of(finding)
    ]
    return sorted(found, key=lambda finding: finding.reason != one.reason)


def _is_told_of(finding: Finding) -> bool:
    """Tell whether a passing check has something to say first: a reason to review, say."""
    return finding.name == "first-landing" or (
        finding.name == "justification" and finding.status is Status.NOTE
    )


def _tell(flip: Flip) -> str:
    after = f' after "{_excerpt(flip.text)}"' if flip.text else ""
    told = f"expected {flip.expected}, got {flip.seen}{after}"
    return f"{flip.item}: {told} ({', '.join(flip.cells)})"


def _details(one: BenchmarkVerdict) -> Iterator[str]:
    """List what the first lines left out."""
    flips, numbers = [_tell(flip) for flip in list_flips(one.details)], _numbers(one)
    lines = [line for finding in _deciding(one) for line in finding.lines]
    for title, entries in (("Flipped:", flips), ("Numbers:", numbers), ("Why:", lines)):
        if entries:
            yield title
            yield from (f"- {entry}" for entry in dict.fromkeys(entries[:SHOWN_DETAILS]))
            if len(entries) > SHOWN_DETAILS:
                yield f"- … and {len(entries) - SHOWN_DETAILS} more"


def _numbers(one: BenchmarkVerdict) -> list[str]:
    answered = one.verdict is Verdict.PASS
    return [describe_breach(breach, answered=answered) for breach in one.breaches]


def describe_breach(breach: Breach, *, answered: bool = False) -> str:
    """Say one adverse finding: cell, metric and both numbers.

    Args:
        answered: Whether a reason that holds lets it pass.
    """
    before, after = (
        "nothing" if value is None else format_number(value)
        for value in (breach.baseline, breach.current)
    )
    if before == after == "nothing":
        told = "named in the reason" if answered else "must be named in the justification"
        return f"{breach.cell}: {told}"
    return f"{breach.cell} {breach.metric}: {before} → {after}"


def _provenance(provenance: Provenance) -> str:
    if not provenance.base_commit:
        return f"Compared with nothing: {provenance.why}."
    parts = [f"Compared with {provenance.base_ref} at {provenance.base_commit[:12]}"]
    parts.append(f"because {provenance.why}")
    if provenance.baseline_blob:
        age = provenance.baseline_age_commits
        aged = "" if age is None else f", {age} commits old"
        parts.append(f"(baseline {provenance.baseline_blob[:12]}{aged})")
    head = f"head {provenance.head_commit[:12]}, corpus {provenance.fixtures_hash[:12]}"
    return f"{' '.join(parts)}; {head}."


def _next(document: VerdictDocument) -> Iterator[str]:
    """Say what to type, in three lines at most."""
    one = document.worst
    if one.verdict is Verdict.PASS:
        return
    yield "What to type next:"
    names, item = find_names(one), find_explainable(document)
    if names:
        yield f'    brainbench bless --justification "{", ".join(names)}: …"'
    elif names is not None:
        yield "    brainbench bless"
    elif not item:
        yield "    brainbench gate   # after mending what is named above"
    if item:
        yield f"    brainbench explain {shell_word(item)}"


def _checks(one: BenchmarkVerdict) -> str:
    lines = [f"{MARKS[finding.status]} {finding.name}: {finding.text}" for finding in one.checks]
    mode = f"Checks ({one.name}, {one.mode.value}):"
    return "\n".join([mode, *lines, *(f"• {note}" for note in one.notes)])


def _excerpt(text: str, limit: int = 80) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
