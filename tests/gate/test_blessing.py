"""A blessing writes its two files whatever stood there, and nothing on a broken corpus."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.gate.documents import BLOB, FILES, POLICY, FixedBench, ground_of, run_of

from brainbench_gate.blessing import bless_tree, describe_blessing, forgive_files, judge_blessing
from brainbench_gate.ground import Ground
from brainbench_gate.rules import Verdict
from brainbench_gate.run import Terms
from brainbench_schema.errors import BrainbenchError, GitError


def test_a_blessing_replaces_files_that_can_not_be_read() -> None:
    """And is judged as if it stood there."""
    run, main = run_of(), ground_of(run_of())
    odd: dict[str, BrainbenchError] = {
        path: GitError("a link") for path in (POLICY.baseline, POLICY.items)
    }
    tree = replace(main, baseline=None, items=None, broken=odd)
    assert {} == forgive_files(tree).broken
    assert odd == forgive_files(replace(tree, policy=None)).broken
    bench = FixedBench(runs=[(FILES, run)])
    blessing = bless_tree(tree, main, bench, Terms(), justification=None)
    assert (main.baseline, BLOB) == (blessing.baseline, blessing.items.against)
    assert Verdict.PASS is judge_blessing(blessing, tree, main, bench, Terms()).verdict
    assert ["1 cells, 4 items"] == list(describe_blessing(tree, blessing))
    assert [] == list(describe_blessing(main, blessing))


def test_cells_that_are_gone_are_told_with_the_capability_they_ask_for() -> None:
    """And capabilities that came."""
    main = ground_of(run_of())
    bench = FixedBench(runs=[(FILES, run_of())])
    blessing = bless_tree(main, main, bench, Terms(), justification=None)
    assert main.items is not None
    system = replace(main.items.system, capabilities=("continuity", "push"))
    before = replace(main, items=replace(main.items, system=system))
    assert [
        "the system no longer has continuity: what asks for that is not measured",
        "the system now has sources",
    ] == list(describe_blessing(before, blessing))


def test_a_broken_corpus_is_not_blessed() -> None:
    """Only the files that a blessing writes are forgiven."""
    tree = replace(ground_of(run_of()), broken={POLICY.gold: GitError("a link")})
    with pytest.raises(GitError):
        bless_tree(tree, Ground(), FixedBench(), Terms(), justification=None)
