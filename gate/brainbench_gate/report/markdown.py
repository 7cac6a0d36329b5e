"""What a person reads of a verdict: in words, why, what flipped, what to type; then the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.findings import Status
from brainbench_gate.rules import Verdict
from brainbench_gate.scoreboard import render_scoreboard
from brainbench_schema.numbers import format_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from brainbench_gate.rules import Breach
    from brainbench_gate.verdict import BenchmarkVerdict, Provenance, VerdictDocument
    from brainbench_schema.baseline import Baseline
    from brainbench_schema.result import Result

SHOWN_ITEMS = 5
MARKS = {Status.PASS: "✓", Status.NOTE: "•", Status.FAIL: "✗"}


def render_report(
    document: VerdictDocument, runs: Sequence[tuple[Result, Baseline | None]] = ()
) -> str:
    """Write a verdict for a terminal or a log.

    Args:
        runs: Each benchmark's run with base's baseline, for scoreboards and their changes.
    """
    one = document.worst
    blocks = [
        f"# brainbench: {document.headline}",
        "\n".join(_why(one)),
        _provenance(document.provenance),
        "\n".join(_next(one)),
        *(render_scoreboard(result, main) for result, main in runs),
        *(_checks(benchmark) for benchmark in document.benchmarks),
    ]
    return "\n\n".join(block for block in blocks if block)


def _why(one: BenchmarkVerdict) -> Iterator[str]:
    details = {(detail.cell, detail.item): detail for detail in one.details}
    shown = list(details.values())[:SHOWN_ITEMS]
    for detail in shown:
        text = f' after "{_excerpt(detail.text)}"' if detail.text else ""
        place = f"{detail.item} ({detail.cell})"
        yield f"- {place}: expected {detail.expected}, got {detail.seen}{text}"
    if len(details) > len(shown):
        yield f"- … and {len(details) - len(shown)} more"
    told = {detail.cell for detail in shown}
    rates = [breach for breach in one.breaches if breach.metric != "items"]
    for breach in rates[:SHOWN_ITEMS]:
        if breach.cell not in told or breach.baseline is not None:
            yield f"- {describe_breach(breach)}"
    if len(rates) > SHOWN_ITEMS:
        yield f"- … and {len(rates) - SHOWN_ITEMS} more numbers"
    for finding in one.checks:
        if finding.verdict is not Verdict.PASS or finding.name == "first-landing":
            yield f"- {finding.name}: {finding.text}"
            yield from (f"  - {line}" for line in finding.lines[:SHOWN_ITEMS])


def describe_breach(breach: Breach) -> str:
    """Say one adverse finding: cell, metric and both numbers."""
    before, after = (
        "nothing" if value is None else format_number(value)
        for value in (breach.baseline, breach.current)
    )
    if before == after == "nothing":
        return f"{breach.cell}: must be named in the justification"
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


def _next(one: BenchmarkVerdict) -> Iterator[str]:
    if one.verdict is Verdict.PASS:
        return
    yield "What to type next:"
    if one.details:
        yield f"    brainbench explain '{one.details[0].item}'"
    if one.reason in ("regression", "justification-stale"):
        names = sorted({breach.cell for breach in one.breaches})
        yield "    # mend it, or record why it is worth it:"
        yield f'    brainbench bless --justification "{", ".join(names[:3])}: …"'
    elif one.reason in ("baseline-missing", "baseline-not-backed", "blessed-on-older-main"):
        yield "    brainbench bless"
    elif not one.details:
        yield "    brainbench gate   # after mending what is named above"


def _checks(one: BenchmarkVerdict) -> str:
    lines = [f"{MARKS[finding.status]} {finding.name}: {finding.text}" for finding in one.checks]
    mode = f"Checks ({one.name}, {one.mode.value}):"
    return "\n".join([mode, *lines, *(f"• {note}" for note in one.notes)])


def _excerpt(text: str, limit: int = 80) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
