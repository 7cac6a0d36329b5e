"""The exact commands for what comes next: explain, reproduce, bless. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.escape import fence, shell_word
from brainbench_gate.justification import PLACEHOLDER, STATES
from brainbench_gate.report.blocks import Block
from brainbench_gate.report.flips import find_explainable
from brainbench_gate.rules import Verdict
from brainbench_gate.verdict import BOOTSTRAP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_gate.report.account import Account
    from brainbench_gate.verdict import BenchmarkVerdict

BLESSABLE = frozenset(
    {"baseline-missing", "baseline-not-backed", "blessed-on-older-main", BOOTSTRAP}
)
"""Reasons that a new baseline answers."""

JUSTIFIABLE = frozenset({"regression", "justification-stale", *STATES.values()})
"""Reasons that a recorded reason answers."""

NAMED = 3
"""Cells that are put into the reason to type; states that it has to name all are."""


def find_names(one: BenchmarkVerdict) -> list[str] | None:
    """List what the reason to type should name; empty where none is needed.

    Returns:
        None where no new baseline would help.
    """
    if one.reason not in BLESSABLE | JUSTIFIABLE:
        return None
    cells = dict.fromkeys(breach.cell for breach in one.breaches)
    states = [cell for cell in cells if cell in STATES]
    others = sorted(cell for cell in cells if cell not in STATES)
    return [*states, *others[: max(0, NAMED - len(states))]]


def next_commands(account: Account) -> Block:
    """Say what to type next, with nox as the second way."""
    one = account.document.worst
    if one.verdict is Verdict.PASS and not one.breaches and one.reason != BOOTSTRAP:
        return Block()
    lines = list(_commands(account, one))
    return Block(head=("**What to type next**", "", *fence(lines)))


def _commands(account: Account, one: BenchmarkVerdict) -> Iterator[str]:
    tool = f"uvx --from brainbench-gate=={account.version} brainbench"
    repo = "" if account.folder == "." else f" --repo {shell_word(account.folder)}"
    yield "# the same verdict on your machine"
    yield f"{tool} gate{repo}"
    if item := find_explainable(account.document):
        yield "# why one item fails"
        yield f"{tool} explain{repo} {shell_word(item)}"
    yield from _bless(account, one, tool, repo)
    yield "# or with nox: nox -s gate, nox -s bless"


def _bless(account: Account, one: BenchmarkVerdict, tool: str, repo: str) -> Iterator[str]:
    names = find_names(one)
    if names is None:
        return
    if names:
        reason = shell_word(f"{', '.join(names)}: {PLACEHOLDER.upper()}")
        yield "# worth it all the same? accept the numbers and record why"
        yield f"{tool} bless{repo} --justification {reason}"
    else:
        yield "# accept the numbers of this run"
        yield f"{tool} bless{repo}"
    if account.run_id:
        yield "# no Python here, or other numbers than CI: take the files that CI made"
        yield f"gh run download {account.run_id} -n {shell_word(account.artifact)} -D ci-run"
        yield f"{tool} bless{repo} --result ci-run"
