"""The baseline files committed are main's own, or equal the run."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.gate.checks.runs import BETTER, MAIN, NEW, WORSE
from tests.gate.documents import (
    BLOB,
    OLDER_BLOB,
    POLICY,
    PUSH,
    baseline,
    compare,
    ground_of,
    items_of,
    run_of,
)

from brainbench_gate.checks import committed
from brainbench_gate.rules import Verdict
from brainbench_schema.errors import BrainbenchError, Fault, GitError, InvalidInputError

WORSE_BASELINE = baseline({PUSH: {"push_precision": 1, "push_recall": 0.5}}, {PUSH: (4, 2)})


def test_mains_own_files_need_no_run() -> None:
    """They may even differ from it."""
    assert "the files are main's own" == committed.check(compare(run=WORSE)).text


def test_edited_files_equal_the_run() -> None:
    """Both of them, version and `against` aside."""
    assert (
        "both files equal this run"
        == committed.check(compare(run=WORSE, tree=ground_of(WORSE, against=BLOB))).text
    )
    other = run_of(WORSE_BASELINE, {PUSH: ("f#1:a", "f#3:c")})
    found = committed.check(compare(run=WORSE, tree=ground_of(other, against=BLOB)))
    assert (Verdict.INCONCLUSIVE, "baseline-not-backed") == (found.verdict, found.reason)
    assert "codex/push: f#3:c does not fail" in found.lines
    assert "codex/push: f#2:b fails" in found.lines


def test_what_differs_from_the_run_is_told() -> None:
    """Number by number."""
    found = committed.check(compare(run=WORSE, tree=ground_of(BETTER, against=BLOB)))
    assert "codex/push gold_failed: 0 → 2" in found.lines
    assert "codex/push push_recall: 1 → 0.5" in found.lines


def test_a_lone_baseline_is_not_enough() -> None:
    """The items file stands beside it."""
    alone = replace(ground_of(WORSE, against=BLOB), items=None)
    found = committed.check(compare(run=WORSE, tree=alone))
    assert "baselines/main.items.json is missing" in found.lines
    bare = replace(alone, baseline=None)
    current, items = WORSE_BASELINE, items_of(WORSE)
    assert (
        "baselines/main.json is missing",
        "baselines/main.items.json is missing",
    ) == committed.find_unbacked(bare, POLICY, current, items)


@pytest.mark.parametrize("grouped", [True, False])
def test_a_baseline_of_an_older_main_is_told_as_such(grouped: bool) -> None:
    """By its items file, or because a merge group holds two of them."""
    against = BLOB if grouped else OLDER_BLOB
    tree = ground_of(BETTER, against=against)
    found = committed.check(compare(run=WORSE, tree=tree, grouped=grouped))
    assert "blessed-on-older-main" == found.reason
    assert "queue again" in found.lines[0]


def test_a_file_that_can_not_be_read_is_not_called_missing() -> None:
    """Why stands there: of a document the first fault, else what git or the disk says."""
    fault = Fault(file="x", pointer="", message="not JSON: odd at line 1", advice="mend it")
    broken: dict[str, BrainbenchError] = {
        POLICY.baseline: InvalidInputError([fault]),
        POLICY.items: GitError("is a link"),
    }
    current, items = WORSE_BASELINE, items_of(WORSE)
    tree = replace(ground_of(BETTER), baseline=None, items=None, broken=broken)
    assert (
        "baselines/main.json can't be read: not JSON: odd at line 1",
        "baselines/main.items.json can't be read: is a link",
    ) == committed.find_unbacked(tree, POLICY, current, items)


def test_untouched_items_beside_an_edited_baseline_are_of_this_main() -> None:
    """Whatever they were made against."""
    tree = replace(ground_of(BETTER), items=ground_of(MAIN).items)
    assert "baseline-not-backed" == committed.check(compare(run=WORSE, tree=tree)).reason
    base = replace(ground_of(MAIN), baseline_blob=None)
    tree = ground_of(BETTER)
    assert "baseline-not-backed" == committed.check(compare(run=WORSE, base=base, tree=tree)).reason


def test_changed_ground_needs_a_baseline() -> None:
    """Main's own can't do, and neither can none."""
    nothing = replace(ground_of(NEW), baseline=None, items=None)
    assert "baseline-missing" == committed.check(compare(tree=nothing, new_run=NEW)).reason
    assert "no baseline is committed" == committed.check(compare(tree=nothing)).text
    found = committed.check(compare(tree=ground_of(MAIN), new_run=NEW))
    assert "baseline-not-backed" == found.reason


def test_a_state_to_get_out_of_is_told_first() -> None:
    """With the command that leads out."""
    found = committed.check(compare(run=WORSE, tokens={"stale-main": "two blessings"}))
    assert ("stale-main", "two blessings") == (found.reason, found.text)
    assert 'bless --justification "stale-main: …"' in found.lines[0]
    policy = committed.check(compare(run=WORSE, tokens={"policy": "changes"}))
    assert "baseline-not-backed" == policy.reason
