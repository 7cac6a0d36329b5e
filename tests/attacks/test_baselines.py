"""Attacks on the committed baseline and items file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.attacks.rows import row
from tests.gate.worlds import BASELINE, ITEMS, World, memory

from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from pathlib import Path

WORSE = memory(deaf=["Cyd Moon", "Bob Ray"])


def committed(world: World, path: str) -> Any:
    """A JSON file of main."""
    return json.loads(world.origin.git("show", f"main:{path}"))


def doctored_baseline(world: World) -> dict[str, Any]:
    """Main's baseline with a second failure allowed in each cell that asks."""
    document: dict[str, Any] = committed(world, BASELINE)
    for cell, counts in document["counts"].items():
        if cell.endswith(("/know-to-ask", "/push")):
            counts["gold_failed"] = 2
    return document


@row(1)
def test_a_raised_count_is_not_what_the_run_gives(tmp_path: Path) -> None:
    """The baseline must equal the run, and it equals main's no more."""
    world = World(tmp_path)
    head = world.propose({**WORSE, BASELINE: json.dumps(doctored_baseline(world))})
    found = world.judge(head)
    assert (2, "baseline-not-backed") == (found.code, found.reason)


@row(1)
def test_a_longer_list_of_failed_items_is_not_what_the_run_gives(tmp_path: Path) -> None:
    """The items file is held to the run as well, also where nothing else moved."""
    world = World(tmp_path)
    items = committed(world, ITEMS)
    items["cells"]["codex/know-to-ask"].append("bob#1")
    found = world.judge(world.propose({ITEMS: json.dumps(items)}))
    assert 2 == found.code
    assert "codex/know-to-ask: bob#1 does not fail" in found.lines


@row(2)
def test_a_foreign_hash_does_not_switch_the_comparison_off(tmp_path: Path) -> None:
    """An edited baseline must be backed whatever hash it carries."""
    world = World(tmp_path)
    document = {**doctored_baseline(world), "fixtures_hash": "0" * 64}
    found = world.judge(world.propose({**WORSE, BASELINE: json.dumps(document)}))
    assert (2, "baseline-not-backed") == (found.code, found.reason)


@row(3)
def test_a_doctored_baseline_does_not_land_alone(tmp_path: Path) -> None:
    """The first of the two steps is blocked."""
    world = World(tmp_path)
    found = world.judge(world.propose({BASELINE: json.dumps(doctored_baseline(world))}))
    assert (2, "baseline-not-backed") == (found.code, found.reason)


@row(4)
@pytest.mark.parametrize("gone", [[BASELINE], [ITEMS], [BASELINE, ITEMS], [POLICY_FILE]])
def test_a_deleted_file_is_named(tmp_path: Path, gone: list[str]) -> None:
    """Nothing that base has may be missing."""
    world = World(tmp_path)
    found = world.judge(world.propose(dict.fromkeys(gone)))
    assert (2, "bad-input") == (found.code, found.reason)
    for path in gone:
        assert path in found.text


@row(4)
def test_a_renamed_baseline_is_missing_at_its_place(tmp_path: Path) -> None:
    """Without the policy saying so, a rename is a deletion."""
    world = World(tmp_path)
    moved = {"baselines/new.json": world.origin.git("show", f"main:{BASELINE}"), BASELINE: None}
    found = world.judge(world.propose(moved))
    assert (2, "bad-input") == (found.code, found.reason)
    assert f"{BASELINE}: the baseline stands on the base branch" in found.text


@row(4)
def test_a_symlink_in_place_of_the_baseline_is_refused(tmp_path: Path) -> None:
    """What a link leads to is not under review."""
    world = World(tmp_path)
    world.origin.branch("topic")
    (world.origin.path / BASELINE).unlink()
    (world.origin.path / BASELINE).symlink_to("main.items.json")
    found = world.judge(world.origin.commit({}))
    assert 2 == found.code
    assert f"{BASELINE}: is a symbolic link" in found.text


@row(4)
def test_a_folder_in_place_of_the_baseline_is_refused(tmp_path: Path) -> None:
    """A folder is not a missing file."""
    world = World(tmp_path)
    world.origin.branch("topic")
    world.origin.commit({BASELINE: None})
    found = world.judge(world.origin.commit({f"{BASELINE}/x": "1"}))
    assert 2 == found.code
    assert f"{BASELINE}: is a folder" in found.text


@row(9)
def test_an_item_that_breaks_is_not_made_good_by_one_that_is_fixed(tmp_path: Path) -> None:
    """All counts and rates are level; the item is a breach all the same."""
    world = World(tmp_path)
    found = world.judge(world.propose(memory(deaf=["Bob Ray"])))
    assert (1, "regression") == (found.code, found.reason)
    assert {"items"} == {breach.metric for breach in found.verdict.breaches}
    assert "newly failed: bob#1 (codex/know-to-ask)" in found.lines


@row(9)
def test_a_new_wrong_push_is_a_breach_of_its_own(tmp_path: Path) -> None:
    """One wrong page replaces another: precision is level."""
    world = World(tmp_path)
    first = memory(deaf=["Cyd Moon"], pushes={"weather": "people/nobody"})
    world.merge(world.propose(first, bless="false_fire_rate and push_precision pay for coverage"))
    other = memory(deaf=["Cyd Moon"], pushes={"weather": "people/someone"})
    found = world.judge(world.propose(other))
    assert (1, "regression") == (found.code, found.reason)
    assert "newly failed: ada#2+people/someone (codex/push)" in found.lines


@row(18)
@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ('"gold_failed": 1', '"gold_failed": NaN'),
        ('"gold_failed": 1', '"gold_failed": Infinity'),
        ('"gold_failed": 1', '"gold_failed": 1e999'),
        ('"gold_failed": 1', '"gold_failed": true'),
        ('"gold_failed": 1', '"gold_failed": -1'),
        ('"gold_failed": 1', '"gold_failed": 99'),
        ('"gold_failed": 1', '"gold_failed": 1, "gold_failed": 1'),
        ('"measure": 1', '"measure": 1, "measure": 1'),
    ],
)
def test_numbers_that_are_none_are_refused(tmp_path: Path, good: str, bad: str) -> None:
    """Files are read strictly before anything is compared."""
    world = World(tmp_path)
    files = {path: world.origin.git("show", f"main:{path}") for path in (BASELINE, ITEMS)}
    changed = {path: text.replace(good, bad, 1) for path, text in files.items() if good in text}
    assert changed
    found = world.judge(world.propose(changed))
    assert (2, "bad-input") == (found.code, found.reason)


@row(47)
def test_a_gain_has_to_be_banked_where_the_policy_says_so(tmp_path: Path) -> None:
    """Else a later loss of it would go unseen."""
    world = World(tmp_path)
    strict = world.origin.git("show", f"main:{POLICY_FILE}") + "\nstale_baseline: fail\n"
    world.merge(world.propose({POLICY_FILE: strict}))
    better = memory()
    found = world.judge(world.propose(better))
    assert (2, "stale-baseline") == (found.code, found.reason)
    assert 0 == world.judge(world.propose(better, bless=True)).code


@row(47)
def test_a_gain_is_noted_by_default(tmp_path: Path) -> None:
    """The command that banks it stands beside it."""
    world = World(tmp_path)
    found = world.judge(world.propose(memory()))
    assert 0 == found.code
    assert "brainbench ratchet" in found.lines
    assert "codex/push push_recall 0.75 → 1" in found.lines
    assert "fixed: cyd#1 (codex/know-to-ask)" in found.lines
