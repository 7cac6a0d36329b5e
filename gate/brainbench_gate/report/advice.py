"""The exact commands for what comes next: explain, reproduce, bless. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.escape import fence, shell_word
from brainbench_gate.report.blocks import Block
from brainbench_gate.report.sections import UNLIFTABLE
from brainbench_gate.rules import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_gate.report.account import Account
    from brainbench_gate.verdict import BenchmarkVerdict

BLESSABLE = frozenset(
    {"baseline-missing", "baseline-not-backed", "blessed-on-older-main", "bootstrap"}
)


def next_commands(account: Account) -> Block:
    """Say what to type next, with nox as the second way."""
    one = account.document.worst
    if one.verdict is Verdict.PASS and not one.breaches and one.reason != "bootstrap":
        return Block()
    lines = list(_commands(account, one))
    return Block(head=("**What to type next**", "", *fence(lines)))


def _commands(account: Account, one: BenchmarkVerdict) -> Iterator[str]:
    tool = f"uvx --from brainbench-gate=={account.version} brainbench"
    repo = "" if account.folder == "." else f" --repo {shell_word(account.folder)}"
    yield "# the same verdict on your machine"
    yield f"{tool} gate{repo}"
    if one.details:
        yield "# why one item fails"
        yield f"{tool} explain{repo} {shell_word(one.details[0].item)}"
    yield from _bless(account, one, tool, repo)
    yield "# or with nox: nox -s gate, nox -s bless"


def _bless(account: Account, one: BenchmarkVerdict, tool: str, repo: str) -> Iterator[str]:
    if one.reason in UNLIFTABLE or (one.assessment and one.assessment.holds):
        return
    if one.breaches:
        names = ", ".join(sorted({breach.cell for breach in one.breaches})[:3])
        reason = shell_word(f"{names}: WHY THIS IS WORTH IT")
        yield "# worth it all the same? accept the numbers and record why"
        yield f"{tool} bless{repo} --justification {reason}"
    elif one.reason in BLESSABLE:
        yield "# accept the numbers of this run"
        yield f"{tool} bless{repo}"
    else:
        return
    if account.run_id:
        yield "# no Python here, or other numbers than CI: take the files that CI made"
        yield f"gh run download {account.run_id} -n {shell_word(account.artifact)} -D ci-run"
        yield f"{tool} bless{repo} --result ci-run"
