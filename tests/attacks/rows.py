"""The mark of a row: its number and what is tried, as the contract's table has them."""

from __future__ import annotations

import pytest

ROWS = {
    1: "raise gold_failed in the pull request's baseline",
    2: "the same with a foreign fixtures_hash",
    3: "land a doctored baseline first, then the regression",
    4: "delete, rename or replace the baseline",
    5: "delete the failing fixtures",
    6: "flip failing fixtures to holdout",
    7: "swap hard fixtures for easy ones at an equal total",
    8: "change one byte of corpus while the code regresses",
    9: "fix one item, break another",
    10: "reuse the justification that stands on main",
    11: "a justification of white space, one letter, a stock word",
    12: "justify an isolation violation",
    13: "narrow suites or harnesses in the policy",
    14: "lower a floor, turn a check off in the policy",
    15: "point the system at a stub",
    16: "names made to look like the base",
    17: "a shallow clone without the base, a fetch that fails",
    18: "numbers that are none",
    19: "a rate that moves beyond the 4th decimal only",
    20: "rename a harness or a suite",
    21: "the system edits what it is judged by during the run",
    22: "the system prints workflow commands",
    23: "the system reads gold through its folder or environment",
    24: "the system exits early, hangs, answers for another turn",
    25: "texts that break Markdown or ping people",
    26: "a stranger's comment that carries the marker",
    27: "a decoy package in the repository",
    28: "a forged artifact",
    29: "input values that a shell or template would run",
    30: "an older run that finishes last",
    31: "line ends, twins, links in the corpus",
    32: "--allow-regression in CI",
    33: "inputs against the base's policy",
    34: "a gated metric missing from the result",
    35: "a result whose cells contradict its rows",
    36: "the head checked out instead of the merge",
    37: "the checkout's noxfile, conftest or .nox altered",
    38: "a lone shard judged as the whole",
    39: "the workflow that calls the gate edited or removed",
    40: "replaced objects and settings in the clone",
    41: "a lax policy at another place",
    42: "a push of a doctored baseline to a branch",
    43: "an install step that edits what is judged",
    44: "an old justification brought back",
    45: "a status of another base branch",
    46: "a path as submodule, LFS pointer or link",
    47: "a gain that is not banked, to be lost unseen later",
    48: "a system that answers otherwise each time",
}


def row(number: int) -> pytest.MarkDecorator:
    """Mark a test as one of a row."""
    return pytest.mark.row(number, ROWS[number])
