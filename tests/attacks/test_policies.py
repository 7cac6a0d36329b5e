"""Attacks by way of the policy."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.attacks.rows import row
from tests.gate.worlds import CORPUS, POLICY, TREE, Files, World, memory

from brainbench_gate.bench.recorded import parse_documents
from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from pathlib import Path

WORSE = memory(deaf=["Cyd Moon", "Bob Ray"])
NARROW = {
    "suites": "suites: [write-back, continuity]\n",
    "harnesses": "harnesses: [openclaw, codex]\n",
}
STUB = """\
schema_version: 1
system: stub
systems:
  mine: {kind: command, command: [memory.json]}
  stub: {kind: command, command: [stub.json]}
"""
FLOORS = "floors: {push_recall: 0.7}\nstale_baseline: fail\n"


@row(13)
@pytest.mark.parametrize("key", NARROW)
def test_narrowing_without_a_baseline_for_it_is_not_judged(tmp_path: Path, key: str) -> None:
    """Main's baseline covers more."""
    world = World(tmp_path)
    found = world.judge(world.propose({POLICY_FILE: POLICY + NARROW[key]}))
    assert (2, "baseline-not-backed") == (found.code, found.reason)


@row(13)
@pytest.mark.parametrize("key", NARROW)
def test_narrowing_needs_a_reason_that_names_the_policy(tmp_path: Path, key: str) -> None:
    """A long text that says nothing of it is not enough."""
    world = World(tmp_path)
    files = {POLICY_FILE: POLICY + NARROW[key]}
    unnamed = "we measure what matters to us; gold_failed of the rest is noise"
    for reason in (True, unnamed, "our ecosystem and its policymakers want it so"):
        found = world.judge(world.propose(files, bless=reason))
        assert 1 == found.code
    told = world.judge(world.propose(files, bless="policy: we measure what matters to us"))
    assert 0 == told.code
    assert f"policy {key}" in told.lines


@row(13)
def test_narrowing_hides_no_regression_of_the_code(tmp_path: Path) -> None:
    """The code is measured under base's policy too, and its breaches are shown."""
    world = World(tmp_path)
    files = {POLICY_FILE: POLICY + NARROW["suites"], **WORSE}
    assert 1 == world.judge(world.propose(files, bless=True)).code
    found = world.judge(world.propose(files, bless="policy: we measure what matters to us"))
    assert "newly failed: bob#1 (codex/know-to-ask)" in found.lines
    assert "does not name codex/know-to-ask gold_failed" in found.lines


@row(14)
def test_a_lowered_floor_does_not_apply_yet(tmp_path: Path) -> None:
    """Base's floor does, no reason lifts it, and the change is shown."""
    world = World(tmp_path)
    world.merge(world.propose({POLICY_FILE: POLICY + FLOORS}))
    lowered = {POLICY_FILE: POLICY + FLOORS.replace("0.7", "0.2"), **WORSE}
    found = world.judge(world.propose(lowered, bless="push_recall: Bob Ray is rarely asked for"))
    assert (1, "floor") == (found.code, found.reason)
    assert "policy floors.push_recall: 0.7 → 0.2" in found.lines


@row(14)
def test_a_check_that_is_turned_off_applies_still(tmp_path: Path) -> None:
    """Base's policy applies to the pull request that changes it."""
    world = World(tmp_path)
    world.merge(world.propose({POLICY_FILE: POLICY + FLOORS}))
    lax = {POLICY_FILE: POLICY, **memory()}
    found = world.judge(world.propose(lax))
    assert (2, "stale-baseline") == (found.code, found.reason)


@row(14)
def test_a_lowered_floor_alone_passes_and_is_shown(tmp_path: Path) -> None:
    """So that a floor can be changed at all, in a pull request that says it."""
    world = World(tmp_path)
    world.merge(world.propose({POLICY_FILE: POLICY + FLOORS}))
    found = world.judge(world.propose({POLICY_FILE: POLICY}))
    assert (0, "held") == (found.code, found.reason)
    assert "policy floors" in found.lines
    assert "main's applies to this pull request" in found.lines


@row(14)
@pytest.mark.parametrize(
    "turned",
    ["push_recall: lower", "false_fire_rate: higher", "source_isolation_violations: higher"],
)
def test_a_gated_metric_may_not_be_turned_round(tmp_path: Path, turned: str) -> None:
    """`gated` is for more metrics: worse would count as better, and floors as ceilings."""
    world = World(tmp_path)
    found = world.judge(world.propose({POLICY_FILE: f"{POLICY}gated: {{{turned}}}\n"}))
    assert (2, "bad-input") == (found.code, found.reason)
    assert "is gated already" in found.text


@row(14)
def test_a_floor_of_main_outlives_the_cell_it_bounds_and_says_the_way_out(tmp_path: Path) -> None:
    """It has to go first, in a pull request of its own; the one that drops the cell says so."""
    world = World(tmp_path)
    floor = "floors: {codex/write-back: {write_back_fidelity: 0.9}}\n"
    world.merge(world.propose({POLICY_FILE: POLICY + floor}))
    reason = "capabilities: write-back is withdrawn, and gold_failed with it"
    without = memory(deaf=["Cyd Moon"], lacks=["write-back", "continuity"])
    found = world.judge(world.propose({**without, POLICY_FILE: POLICY}, bless=reason))
    assert 2 == found.code
    assert "take it out in a pull request of its own first" in found.text
    first = world.propose({POLICY_FILE: POLICY})
    assert 0 == world.judge(first).code
    world.merge(first)
    assert 0 == world.judge(world.propose(without, bless=reason)).code


@row(15)
def test_a_stub_is_not_measured_in_place_of_the_system(tmp_path: Path) -> None:
    """Base's entry is measured on base's ground; the stub only on the new one."""
    world = World(tmp_path)
    files = {POLICY_FILE: STUB, "stub.json": json.dumps({}), **WORSE}
    assert 2 == world.judge(world.propose(files)).code
    assert 1 == world.judge(world.propose(files, bless=True)).code
    found = world.judge(world.propose(files, bless="policy: we measure the stub from now on"))
    assert 0 == found.code
    assert "policy system: mine → stub" in found.lines
    assert "newly failed: bob#1 (codex/know-to-ask)" in found.lines


@row(15)
def test_the_result_of_another_system_is_not_taken(tmp_path: Path) -> None:
    """Its name has to be that of the policy and of main's items file."""
    world = World(tmp_path)
    other = {**memory(name="stub"), "README.md": "a word"}
    found = world.judge(world.propose(other))
    assert (2, "other-system") == (found.code, found.reason)


@row(20)
def test_a_renamed_harness_is_refused(tmp_path: Path) -> None:
    """No seam goes by the new name."""
    world = World(tmp_path)
    renamed = POLICY + "harnesses: [openclaw, claude-code, codex-2]\n"
    found = world.judge(world.propose({POLICY_FILE: renamed}))
    assert (2, "usage") == (found.code, found.reason)


@row(20)
def test_a_cell_renamed_in_a_result_is_missed(tmp_path: Path) -> None:
    """The document doesn't cover what the policy asks for."""
    world = World(tmp_path)
    head = world.propose({"README.md": "a word"})
    measured = world.judge(head).judged
    assert measured is not None
    data = measured.run.result.serialize().replace(b'"codex"', b'"codex-2"')
    found = world.judge(head, make_bench=lambda sides: parse_documents({"result.json": data}))
    assert (2, "result-missing") == (found.code, found.reason)


@row(41)
@pytest.mark.parametrize("place", ["deep/er", "memory"])
def test_another_folder_does_not_take_the_gate_over(tmp_path: Path, place: str) -> None:
    """Base's own policy is found wherever it stands."""
    world = World(tmp_path)
    inside = world.inside(place)
    files = {f"{place}/{path}": text for path, text in {POLICY_FILE: POLICY, **CORPUS}.items()}
    head = inside.propose({**files, f"{place}/memory.json": "{}"})
    found = inside.judge(head)
    assert (2, "policy-sidestepped") == (found.code, found.reason)


@row(41)
def test_the_top_does_not_take_a_deeper_gate_over(tmp_path: Path) -> None:
    """The other way round, and with a file of any name."""
    deep = {f"deep/{path}": text for path, text in CORPUS.items()}
    world = World(tmp_path, {**deep, "deep/strict.yml": POLICY, "deep/memory.json": "{}"})
    found = world.judge(world.propose({POLICY_FILE: POLICY, **CORPUS, **WORSE}))
    assert (2, "policy-sidestepped") == (found.code, found.reason)
    assert "deep/strict.yml" in found.text


@row(41)
def test_a_gate_does_not_take_the_name_of_another_one(tmp_path: Path) -> None:
    """Its status would stand in for the other's, however much worse that one finds the code."""
    second = f"{POLICY}name: second\n"
    inner: Files = {f"sub/{path}": text for path, text in {**TREE, POLICY_FILE: second}.items()}
    world = World(tmp_path)
    world.origin.commit(inner)
    inside = world.inside("sub")
    world.origin.commit({f"sub/{path}": data for path, data in inside.blessed().items()})
    found = inside.judge(world.propose({f"sub/{POLICY_FILE}": POLICY, **WORSE}))
    assert (2, "policy-sidestepped") == (found.code, found.reason)
    assert "that of the gate in brainbench.yml" in found.text
    renamed = inside.judge(world.propose({f"sub/{POLICY_FILE}": f"{POLICY}name: third\n"}))
    assert (1, "policy-changed") == (renamed.code, renamed.reason)


@row(41)
def test_a_second_gate_leaves_the_first_one_alone(tmp_path: Path) -> None:
    """It has its own name, and lands in a pull request that changes nothing of the other's."""
    world = World(tmp_path)
    second = {"second.yml": f"{POLICY}name: second\nbaseline: baselines/second.json\n"}
    alone = world.judge(world.propose(second), policy_file="second.yml")
    assert (0, "bootstrap") == (alone.code, alone.reason)
    lowered = {POLICY_FILE: f"{POLICY}first_landing: fail\n"}
    along = world.judge(world.propose({**second, **lowered}), policy_file="second.yml")
    assert (2, "policy-sidestepped") == (along.code, along.reason)
    assert "'main' changes along: brainbench.yml" in along.text
