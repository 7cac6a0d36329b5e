"""The parts of a comment, each a block. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.escape import code, plain, prose
from brainbench_gate.findings import Status
from brainbench_gate.report.blocks import Block
from brainbench_gate.report.flips import list_by_weight, list_flips
from brainbench_gate.rules import Verdict
from brainbench_gate.scoreboard import render_table
from brainbench_gate.verdict import BOOTSTRAP, UNLIFTABLE
from brainbench_schema.numbers import format_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from brainbench_gate.report.account import Account
    from brainbench_gate.report.flips import Flip
    from brainbench_gate.rules import Breach
    from brainbench_gate.verdict import BenchmarkVerdict, Provenance

SHOWN_ITEMS = 5
"""Flipped items shown before the fold; so many leave the next command on the first screen."""

SHOWN_CELLS = 4
"""Cells named of one flipped item."""

SYMBOLS = {Verdict.PASS: "✅", Verdict.REGRESSION: "❌", Verdict.INCONCLUSIVE: "⚠️"}
MARKS = {Status.PASS: "✅", Status.NOTE: "💬", Status.FAIL: "❌"}

REVIEWED = frozenset({"ground", "workflow", "dilution"})
"""Checks whose notes are a reviewer's to read, though no number need have moved."""

TEXT_LIMIT = 140
"""Characters of a turn that are shown."""


def marker(gate: str) -> str:
    """Give the hidden line by which a gate finds its own comment."""
    name = "".join(char if char.isalnum() else f"_{ord(char):x}_" for char in gate[:100])
    return f"<!-- brainbench-gate:{name} -->"


def heading(account: Account) -> Block:
    """The marker, and the verdict in words."""
    document = account.document
    name = "" if document.gate == "main" else f" ({code(document.gate, 60)})"
    symbol = SYMBOLS[document.verdict]
    if document.worst.reason == BOOTSTRAP:
        symbol = "🌱"
    elif document.verdict is Verdict.PASS and document.worst.breaches:
        symbol = "🟡"
    line = f"### {symbol} BrainBench{name}: {plain(document.headline, 240)}"
    return Block(head=(marker(document.gate), line))


def why(account: Account) -> Block:
    """One sentence: why this verdict."""
    return Block(head=(_why(account.document.worst, account.document.alike),))


def _why(one: BenchmarkVerdict, alike: Sequence[BenchmarkVerdict]) -> str:
    if one.verdict is Verdict.INCONCLUSIVE:
        ruling = [finding for finding in one.checks if finding.reason == one.reason]
        lines = [*(line for finding in ruling for line in finding.lines), *one.notes]
        return _sentence(prose(lines[0])) if lines else "Nothing was judged, so nothing may merge."
    if one.verdict is Verdict.REGRESSION:
        return _why_worse(one, alike)
    if one.reason == BOOTSTRAP:
        return "The base branch has no baseline yet, so nothing was compared."
    if one.breaches:
        return "A recorded reason covers what got worse; whether it is worth it is for a reviewer."
    fixed = len(one.fixed_ids)
    gain = f" {fixed:,} more pass now." if fixed else ""
    return f"Everything that passes on the base branch passes here.{gain}"


def _why_worse(one: BenchmarkVerdict, alike: Sequence[BenchmarkVerdict]) -> str:
    failed = sum(len(each.failed_ids) for each in (one, *alike))
    fixed = sum(len(each.fixed_ids) for each in (one, *alike))
    if failed:
        also = f" ({fixed:,} the other way round)" if fixed else ""
        some = "1 item passes" if failed == 1 else f"{failed:,} items pass"
        fail = "fails" if failed == 1 else "fail"
        return f"{some} on the base branch and {fail} here{also}, and {_lack(one)}."
    ruling = [finding for finding in one.checks if finding.verdict is one.verdict]
    texts = [*(line for finding in ruling for line in finding.lines), *one.notes]
    texts += [finding.text for finding in ruling]
    return _sentence(prose(texts[0])) if texts else "A number moved the wrong way."


def _lack(one: BenchmarkVerdict) -> str:
    found = one.assessment
    if found is None or not found.present:
        return "no reason is recorded"
    return "the recorded reason does not cover it"


def _sentence(text: str) -> str:
    first = text.split(" ", 1)[0]
    opened = f"{text[:1].upper()}{text[1:]}" if first.isalpha() else text
    return opened if opened.endswith(("…", "!")) else f"{opened}."


def provenance(account: Account) -> Block:
    """Where base and head come from."""
    line = _provenance(account.document.provenance)
    fork = " Measured by the fork's own run, judged here." if account.by_fork else ""
    return Block(head=(f"<sub>{line}{fork}</sub>",))


def _provenance(found: Provenance) -> str:
    head = f"head {code(found.head_commit[:12])}, corpus {code(found.fixtures_hash[:12])}"
    if not found.base_commit:
        return f"Compared with nothing: {plain(found.why, 200)}; {head}."
    age = found.baseline_age_commits
    aged = "" if age is None else f", {age:,} commits old"
    blob = f" (baseline {code(found.baseline_blob[:12])}{aged})" if found.baseline_blob else ""
    base = f"{code(found.base_ref, 80)} at {code(found.base_commit[:12])}"
    return f"Compared with {base} because {plain(found.why, 200)}{blob}; {head}."


def flipped(account: Account) -> Block:
    """The first of the newly failed items, with what should have come and what came."""
    benchmarks = list_by_weight(account.document)
    flips = list_flips(detail for one in benchmarks for detail in one.details)
    if not flips:
        return numbers(account.document.worst)
    shown = flips[:SHOWN_ITEMS]
    told = {flip.item for flip in shown}
    left = len(frozenset().union(*(one.failed_ids for one in benchmarks)) - told)
    tail = ("", f"… and {left:,} more, below") if left else ()
    return Block(head=("**Newly failed**", "", *_item_table(shown)), tail=tail)


def numbers(one: BenchmarkVerdict) -> Block:
    """What moved the wrong way, where no single item tells it."""
    rows = [[code(breach.cell), code(breach.metric), *_values(breach)] for breach in one.breaches]
    if not rows:
        return Block()
    table = render_table(["where", "number", "base", "here"], rows).splitlines()
    shown = 2 + SHOWN_ITEMS
    left = len(table) - shown
    tail = ("", f"… and {left:,} more, below") if left > 0 else ()
    return Block(head=("**What moved**", "", *table[:shown]), tail=tail)


def _values(breach: Breach) -> Iterator[str]:
    for value in (breach.baseline, breach.current):
        yield "–" if value is None else format_number(value)


def _item_table(flips: Sequence[Flip]) -> list[str]:
    rows = [
        [
            f"{code(flip.item, 100)}<br>{_cells(flip.cells)}",
            f"{code(flip.expected, 80)}<br>{code(flip.seen, 80)}",
            plain(flip.text, TEXT_LIMIT),
        ]
        for flip in flips
    ]
    headers = ["item<br>where", "expected<br>came", "turn"]
    return render_table(headers, rows).splitlines()


def _cells(cells: Sequence[str]) -> str:
    shown = ", ".join(plain(cell, 60) for cell in cells[:SHOWN_CELLS])
    left = len(cells) - SHOWN_CELLS
    return f"<sub>{shown} and {left:,} more</sub>" if left > 0 else f"<sub>{shown}</sub>"


def justification(account: Account) -> Block:
    """The recorded reason, and what was checked of it, as a task list."""
    one = account.document.worst
    found = one.assessment
    if found is None or not found.needed or one.reason in UNLIFTABLE:
        return Block()
    if not found.present:
        return Block(head=("**Justification**", "", "- [ ] a reason is recorded"))
    ticks = [
        (True, "a reason is recorded"),
        (found.fresh, "it was written for the base's present baseline"),
        (found.substantial, "it is more than a placeholder"),
        (not found.missing, _must_name(found.missing)),
    ]
    lines = [f"- [{'x' if done else ' '}] {text}" for done, text in ticks]
    lines += [f"- [x] names {_breach(breach)}" for breach in found.named[:SHOWN_ITEMS]]
    lines += [f"- [ ] does not name {_breach(breach)}" for breach in found.unnamed[:SHOWN_ITEMS]]
    quoted = f"> {plain(found.text, 600)}"
    return Block(head=("**Justification**", "", *lines, "", quoted))


def _must_name(missing: Sequence[str]) -> str:
    names = ", ".join(code(name) for name in missing)
    return f"it has to name {names}" if names else "it names what it has to name"


def _breach(breach: Breach) -> str:
    return f"{code(breach.cell)} {code(breach.metric)}"


def review(account: Account) -> Block:
    """What moved without failing anything: nobody but a reviewer can say whether it is right."""
    found: dict[str, None] = {}
    for one in account.document.benchmarks:
        for finding in one.checks:
            if finding.name in REVIEWED and finding.status is Status.NOTE and finding.lines:
                shown = "; ".join(finding.lines[:SHOWN_ITEMS])
                left = len(finding.lines) - SHOWN_ITEMS
                more = f"; … and {left:,} more, below" if left > 0 else ""
                found[f"- {plain(finding.name)}: {plain(shown, 600)}{more}"] = None
    return Block(head=("**For the reviewer**", "", *found)) if found else Block()


def every_item(account: Account) -> Iterator[Block]:
    """Folded lists of every item that changed, one block a kind."""
    for one in account.document.benchmarks:
        gone = [(entry.cell, item) for entry in one.items for item in entry.removed]
        come = [(entry.cell, item) for entry in one.items for item in entry.added]
        failed = [(entry.cell, item) for entry in one.items for item in entry.newly_failed]
        fixed = [(entry.cell, item) for entry in one.items for item in entry.newly_fixed]
        yield _fold("newly failed", failed if len(failed) > SHOWN_ITEMS else ())
        yield _fold("newly fixed", fixed)
        yield _fold("removed from the corpus", gone)
        yield _fold("added to the corpus", come)


def _fold(title: str, items: Iterable[tuple[str, str]]) -> Block:
    lines = [f"- {code(item, 160)} {code(cell, 60)}" for cell, item in items]
    if not lines:
        return Block()
    return folded(f"{len(lines):,} {title}", lines)


def folded(title: str, lines: Sequence[str]) -> Block:
    """Lines behind a fold; both are Markdown."""
    head = (f"<details><summary>{title}</summary>", "")
    return Block(head=head, lines=tuple(lines), tail=("", "</details>"))


def checks(account: Account) -> Iterator[Block]:
    """Folded: every check's line, and more of those that say more."""
    for one in account.document.benchmarks:
        lines = []
        for finding in one.checks:
            lines.append(f"- {MARKS[finding.status]} {plain(finding.name)}: {prose(finding.text)}")
            lines.extend(f"  - {prose(line, 200)}" for line in finding.lines)
        lines += [f"- 💬 {prose(note)}" for note in one.notes]
        title = f"Checks of {plain(one.name)}, {one.mode.value}"
        if lines:
            yield folded(title, lines)


def breaches(account: Account) -> Iterator[Block]:
    """Folded: every number that moved the wrong way."""
    for one in account.document.benchmarks:
        if len(one.breaches) > SHOWN_ITEMS or (one.details and one.breaches):
            lines = [
                f"- {_breach(breach)}: {' → '.join(_values(breach))}" for breach in one.breaches
            ]
            what = "1 number" if len(lines) == 1 else f"{len(lines):,} numbers"
            yield folded(f"{what} that moved the wrong way", lines)
