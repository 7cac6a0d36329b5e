"""A run's account as the comment and as the job summary: one renderer, two budgets. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.escape import code
from brainbench_gate.report import sections
from brainbench_gate.report.advice import next_commands
from brainbench_gate.report.blocks import Block, Budget, count_bytes, count_characters, fit
from brainbench_gate.scoreboard import render_scoreboard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_gate.report.account import Account

COMMENT = Budget(limit=65_536, measure=count_characters)
"""What GitHub takes as a comment."""

SUMMARY = Budget(limit=900 * 1024, measure=count_bytes)
"""Below the 1 MiB that GitHub takes as a step's summary, with room for other steps' text."""


def render_comment(account: Account) -> str:
    """Write the sticky comment."""
    return render(account, COMMENT)


def render_summary(account: Account) -> str:
    """Write the job summary."""
    return render(account, SUMMARY)


def render(account: Account, budget: Budget) -> str:
    """Write an account so that it fits: what matters most comes first and is never cut."""
    return fit((block for block in _blocks(account) if block.text), budget)


def _blocks(account: Account) -> Iterator[Block]:
    yield sections.heading(account)
    yield sections.why(account)
    yield sections.provenance(account)
    yield sections.flipped(account)
    yield sections.justification(account)
    yield sections.review(account)
    yield next_commands(account)
    yield from _scoreboards(account)
    yield from sections.breaches(account)
    yield from sections.every_item(account)
    yield from sections.checks(account)


def _scoreboards(account: Account) -> Iterator[Block]:
    for result, main in account.runs:
        table, _, note = render_scoreboard(result, main, write=code).partition("\n\n")
        head, rows = table.splitlines()[:2], table.splitlines()[2:]
        yield Block(head=tuple(head), lines=tuple(rows), tail=("", note) if note else ())
