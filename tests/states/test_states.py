"""Every state the gate can be in: what is seen, and that the way out of it needs nobody special."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.gate.worlds import (
    BASELINE,
    CORPUS,
    FIXTURES,
    GOLD,
    ITEMS,
    MEMORY,
    POLICY,
    TREE,
    World,
    asks,
    memory,
)
from tests.states.rows import state

from brainbench_gate.bench.recorded import parse_documents
from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

WORSE = memory(deaf=["Cyd Moon", "Bob Ray"])
REASON = "push_recall: Bob Ray is rarely asked for, and precision gains"


def next_passes(world: World) -> bool:
    """Whether a pull request that changes nothing of the gate's can be merged."""
    found = world.judge(world.propose({"README.md": "a word"}))
    return (0, "held") == (found.code, found.reason)


# 1: first landing


@state(1)
def test_the_first_policy_is_not_gating_yet(tmp_path: Path) -> None:
    """It passes as a report, with a note that nothing is compared."""
    world = World(tmp_path, {"README.md": "a word"})
    found = world.judge(world.propose(TREE))
    assert (0, "bootstrap") == (found.code, found.reason)
    assert "Not gating yet: main has no baseline" in found.text


@state(1)
def test_a_policy_can_ask_for_a_baseline_at_once(tmp_path: Path) -> None:
    """`first_landing: fail` is exit 2 until one is committed."""
    world = World(tmp_path, {"README.md": "a word"})
    strict = {**TREE, POLICY_FILE: f"{POLICY}first_landing: fail\n"}
    found = world.judge(world.propose(strict))
    assert (2, "bootstrap") == (found.code, found.reason)
    assert 0 == world.judge(world.propose(strict, bless=True)).code


@state(1)
def test_the_way_out_is_to_commit_a_baseline(tmp_path: Path) -> None:
    """From then on main is compared with."""
    world = World(tmp_path, {"README.md": "a word"})
    world.merge(world.propose(TREE))
    first = world.propose({"docs.md": "a word"}, bless=True)
    found = world.judge(first)
    assert (0, "bootstrap") == (found.code, found.reason)
    assert "equal this run" in found.lines
    world.merge(first)
    assert next_passes(world)
    assert 1 == world.judge(world.propose(WORSE)).code


@state(1)
@pytest.mark.parametrize("path", [BASELINE, ITEMS])
def test_a_first_baseline_is_held_to_the_run(tmp_path: Path, path: str) -> None:
    """Neither file is taken on trust, and one of them alone is not enough."""
    world = World(tmp_path, {"README.md": "a word"})
    world.origin.branch("topic")
    world.origin.commit(TREE)
    files = world.blessed()
    doctored = (
        files[path].replace(b'"gold_failed": 1', b'"gold_failed": 2').replace(b"cyd#1", b"b#1")
    )
    found = world.judge(world.origin.commit({**files, path: doctored}))
    assert (2, "baseline-not-backed") == (found.code, found.reason)
    assert 2 == world.judge(world.origin.commit({**files, path: None})).code


@state(1)
def test_a_leak_is_exit_1_from_the_first_day(tmp_path: Path) -> None:
    """With the turns that leaked."""
    world = World(tmp_path, {"README.md": "a word"})
    found = world.judge(world.propose({**TREE, **memory(leaky=True)}))
    assert (1, "isolation") == (found.code, found.reason)
    assert "apart#2 on codex: people/carol-poe" in found.lines


@state(1)
def test_a_first_landing_can_be_verified(tmp_path: Path) -> None:
    """Two replays have to be equal there, too."""
    world = World(tmp_path, {"README.md": "a word"})
    found = world.judge(world.propose({**TREE, **memory(moody=["Bob Ray"])}), verify=True)
    assert (2, "not-reproducible") == (found.code, found.reason)


# 2: deleted or renamed


@state(2)
@pytest.mark.parametrize("gone", [POLICY_FILE, BASELINE, ITEMS])
def test_a_missing_file_is_named_and_can_be_restored(tmp_path: Path, gone: str) -> None:
    """Exit 2, by name; with the file back it passes."""
    world = World(tmp_path)
    head = world.propose({gone: None})
    found = world.judge(head)
    assert (2, "bad-input") == (found.code, found.reason)
    assert f"{gone}: the " in found.text
    text = world.origin.git("show", f"main:{gone}") + "\n"
    assert 0 == world.judge(world.propose({gone: text}, at=head)).code


@state(2)
def test_a_baseline_is_renamed_through_the_policy(tmp_path: Path) -> None:
    """The new one has to hold, and the reason names the policy."""
    world = World(tmp_path)
    files = {POLICY_FILE: f"{POLICY}baseline: gate/accepted.json\n", BASELINE: None, ITEMS: None}
    assert (1, "policy-changed") == _verdict(world, files, bless=True)
    head = world.propose(files, bless="policy: the baseline moves to the gate's folder")
    assert 0 == world.judge(head).code
    world.merge(head)
    assert next_passes(world)
    assert 1 == world.judge(world.propose(WORSE)).code


@state(2)
def test_a_corpus_is_moved_through_the_policy(tmp_path: Path) -> None:
    """Its cases are the same at another place."""
    world = World(tmp_path)
    moved = {path.replace("evals/brainbench", "corpus"): text for path, text in CORPUS.items()}
    places = "fixtures: corpus/fixtures\ngold: corpus/gold\n"
    files = {**moved, **dict.fromkeys(CORPUS), POLICY_FILE: POLICY + places}
    head = world.propose(files, bless="policy: the corpus moves to a folder of its own")
    assert 0 == world.judge(head).code
    world.merge(head)
    assert next_passes(world)


# 3: the tree's own faults


@state(3)
@pytest.mark.parametrize("path", [POLICY_FILE, BASELINE, ITEMS, f"{GOLD}/bob.gold.json"])
def test_conflict_markers_do_not_get_to_main(tmp_path: Path, path: str) -> None:
    """Exit 2, naming the file."""
    world = World(tmp_path)
    text = world.origin.git("show", f"main:{path}")
    marked = f"<<<<<<< ours\n{text}\n=======\n{text}\n>>>>>>> theirs\n"
    found = world.judge(world.propose({path: marked}))
    assert (2, "bad-input") == (found.code, found.reason)
    assert path.rpartition("/")[2] in found.text


@state(3)
def test_a_first_baseline_that_can_not_be_read_does_not_get_to_main(tmp_path: Path) -> None:
    """It is not the same as none."""
    world = World(tmp_path, {"README.md": "a word"})
    found = world.judge(world.propose({**TREE, BASELINE: "<<<<<<< ours\n"}))
    assert (2, "bad-input") == (found.code, found.reason)


@state(3)
def test_a_floor_above_the_own_baseline_does_not_get_to_main(tmp_path: Path) -> None:
    """Every later pull request would fail on it."""
    world = World(tmp_path)
    found = world.judge(world.propose({POLICY_FILE: f"{POLICY}floors: {{push_recall: 0.9}}\n"}))
    assert (2, "bad-input") == (found.code, found.reason)
    assert f"{BASELINE}#/cells/claude-code~1push/push_recall" in found.text
    lower = {POLICY_FILE: f"{POLICY}floors: {{push_recall: 0.75}}\n"}
    assert 0 == world.judge(world.propose(lower)).code


@state(3)
@pytest.mark.parametrize(
    "floors",
    ["push_recal: 0.1", "codex/pusch: {push_recall: 0.1}", "codex/push: {continuity_rate: 0}"],
)
def test_a_floor_that_bounds_nothing_does_not_get_to_main(tmp_path: Path, floors: str) -> None:
    """It would protect nothing."""
    world = World(tmp_path)
    found = world.judge(world.propose({POLICY_FILE: f"{POLICY}floors:\n  {floors}\n"}))
    assert (2, "bad-input") == (found.code, found.reason)
    assert "no cell" in found.text


# 4: broken base


@state(4)
@pytest.mark.parametrize("path", [POLICY_FILE, BASELINE, ITEMS, f"{GOLD}/bob.gold.json"])
def test_what_of_base_is_broken_is_mended_by_anybody(tmp_path: Path, path: str) -> None:
    """The tree's version of that part is used; the reason names the state."""
    world = World(tmp_path)
    good = world.origin.git("show", f"main:{path}") + "\n"
    world.merge(world.propose({path: "<<<<<<< ours\n"}))
    bare = world.judge(world.propose({path: good}, bless=True))
    assert (1, "broken-base") == (bare.code, bare.reason)
    assert path.rpartition("/")[2] in bare.lines
    unblessed = world.judge(world.propose({path: good, "x.md": "", **WORSE}))
    assert 2 == unblessed.code
    head = world.propose({path: good}, bless="broken-base: a merge left conflict markers")
    assert 0 == world.judge(head).code
    world.merge(head)
    assert next_passes(world)


@state(4)
@pytest.mark.parametrize("path", [POLICY_FILE, BASELINE, ITEMS])
def test_a_broken_part_hides_no_regression_that_the_others_show(tmp_path: Path, path: str) -> None:
    """What can still be compared is."""
    world = World(tmp_path)
    good = world.origin.git("show", f"main:{path}") + "\n"
    world.merge(world.propose({path: "{"}))
    found = world.judge(world.propose({path: good, **WORSE}, bless=True))
    assert 1 == found.code
    metrics = {breach.metric for breach in found.verdict.breaches}
    assert metrics & {"items", "gold_failed"}


@state(4)
@pytest.mark.parametrize(
    "gone",
    [
        [POLICY_FILE],
        [f"{FIXTURES}/bob.fixture.json"],
        [path for path in CORPUS if path.startswith(FIXTURES)],
    ],
    ids=["policy", "fixture", "corpus"],
)
def test_a_base_that_lost_a_file_is_broken_or_stale(tmp_path: Path, gone: list[str]) -> None:
    """A baseline without a policy is no first landing."""
    world = World(tmp_path)
    good = {path: world.origin.git("show", f"main:{path}") + "\n" for path in gone}
    world.merge(world.propose(dict.fromkeys(gone)))
    found = world.judge(world.propose(good, bless=True))
    assert (1, "broken-base") == (found.code, found.reason)
    head = world.propose(good, bless="broken-base: somebody removed the file by mistake")
    assert 0 == world.judge(head).code
    world.merge(head)
    assert next_passes(world)


@state(4)
def test_a_base_whose_floor_bounds_nothing_is_broken(tmp_path: Path) -> None:
    """The tree's floors apply, so that the mistake can be mended."""
    world = World(tmp_path)
    world.merge(world.propose({POLICY_FILE: f"{POLICY}floors: {{push_recal: 0.1}}\n"}))
    mended = {POLICY_FILE: f"{POLICY}floors: {{push_recall: 0.1}}\n"}
    assert (1, "broken-base") == _verdict(world, mended, bless=True)
    head = world.propose(mended, bless="broken-base: the floor's name was misspelt")
    assert 0 == world.judge(head).code
    world.merge(head)
    assert next_passes(world)


@state(4)
def test_a_base_beyond_its_own_floor_leaves_a_way(tmp_path: Path) -> None:
    """As far as main is beyond it already it is a note; further is a regression."""
    world = World(tmp_path)
    world.merge(world.propose({POLICY_FILE: f"{POLICY}floors: {{push_recall: 0.9}}\n"}))
    found = world.judge(world.propose({"README.md": "a word"}))
    assert (0, "held") == (found.code, found.reason)
    assert "beyond a floor, as main is already" in found.lines
    worse = world.judge(world.propose(WORSE))
    assert (1, "floor") == (worse.code, worse.reason)


# 5: stale main


def merge_two_blessings(world: World) -> str:
    """Two pull requests that each add a case and bless are merged, one baseline is kept."""
    first = world.propose(asks("eve", "Eve Low"), bless=True, branch="first")
    second = world.propose(asks("fay", "Fay Orr"), bless=True, branch="second")
    world.merge(first)
    before = world.origin.id("main")
    world.origin.git("merge", "--quiet", "--no-ff", "-X", "theirs", "-m", "Merge second", second)
    return before


@state(5)
def test_a_push_run_fails_first_on_two_blessings(tmp_path: Path) -> None:
    """Before anybody's next pull request does."""
    world = World(tmp_path)
    found = world.judge_pushed(merge_two_blessings(world))
    assert 2 == found.code


@state(5)
def test_any_pull_request_leads_out_of_a_stale_main(tmp_path: Path) -> None:
    """With a baseline that equals its run, and a reason that names the state."""
    world = World(tmp_path)
    merge_two_blessings(world)
    culprit = world.origin.id("main")
    unblessed = world.judge(world.propose({"README.md": "a word"}), depth=None)
    assert (2, "stale-main") == (unblessed.code, unblessed.reason)
    assert f"since the merge {culprit[:12]}" in unblessed.lines
    bare = world.judge(world.propose({"README.md": "a word"}, bless=True))
    assert (1, "stale-main") == (bare.code, bare.reason)
    assert "effect of the code: not measured" in "".join(bare.verdict.notes)
    head = world.propose(
        {"README.md": "a word"}, bless="stale-main: two blessings were merged at once"
    )
    assert 0 == world.judge(head).code
    world.merge(head)
    assert next_passes(world)


@state(5)
def test_a_shallow_clone_names_the_merge_or_says_that_it_can_not(tmp_path: Path) -> None:
    """The history is fetched; where it can't be, the state is told all the same."""
    world = World(tmp_path)
    merge_two_blessings(world)
    culprit = world.origin.id("main")
    world.merge(world.propose({"README.md": "a word"}))
    head = world.propose({"README.md": "another"})
    found = world.judge(head, depth=2)
    assert (2, "stale-main") == (found.code, found.reason)
    assert f"since the merge {culprit[:12]}" in found.lines
    cut_off = world.judge(head, depth=2, environ={"GITHUB_SERVER_URL": "http://127.0.0.1:9"})
    assert (2, "stale-main") == (cut_off.code, cut_off.reason)
    assert "not in the history at hand" in cut_off.lines


@state(5)
@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (BASELINE, b'"gold_total": 8', b'"gold_total": 9'),
        (BASELINE, b'"gold_failed": 1', b'"gold_failed": 2'),
        (BASELINE, b'      "codex",\n', b""),
        (ITEMS, b"cyd#1", b"dan#1"),
        (ITEMS, b'"include_holdout": false', b'"include_holdout": true'),
    ],
)
def test_a_bypass_that_left_the_files_apart_is_seen(
    tmp_path: Path, path: str, old: bytes, new: bytes
) -> None:
    """Baseline, items file, corpus and policy of base have to agree."""
    world = World(tmp_path)
    text = f"{world.origin.git('show', f'main:{path}')}\n".encode()
    assert old in text
    world.merge(world.propose({path: text.replace(old, new, 1)}))
    found = world.judge(world.propose({"README.md": "a word"}, bless=True))
    assert (1, "stale-main") == (found.code, found.reason)
    head = world.propose({"README.md": "a word"}, bless="stale-main: a bypass left it apart")
    assert 0 == world.judge(head).code
    world.merge(head)
    assert next_passes(world)


# 6: blessed on older main


@state(6)
def test_a_baseline_of_an_older_main_is_made_again(tmp_path: Path) -> None:
    """One line says so; after bless on the updated branch it passes."""
    world = World(tmp_path)
    late = world.propose(asks("fay", "Fay Orr"), bless=True, branch="late")
    world.merge(world.propose(asks("eve", "Eve Low"), bless=True))
    world.origin.branch("late", late)
    world.origin.git("merge", "--quiet", "--no-ff", "-X", "ours", "-m", "Update", "main")
    found = world.judge(world.origin.head)
    assert (2, "blessed-on-older-main") == (found.code, found.reason)
    assert "update the branch, run `brainbench bless` again, and queue again" in found.lines
    again = world.origin.commit(world.blessed(base="main"))
    world.origin.checkout("main")
    assert 0 == world.judge(again).code


@state(6)
def test_a_merge_group_with_two_blessings_is_told_alike(tmp_path: Path) -> None:
    """Both were made for the same main, and together they hold for neither."""
    world = World(tmp_path)
    first = world.propose(asks("eve", "Eve Low"), bless=True, branch="first")
    second = world.propose(asks("fay", "Fay Orr"), bless=True, branch="second")
    world.origin.branch("queue", first)
    world.origin.git("merge", "--quiet", "--no-ff", "-X", "ours", "-m", "Queue", second)
    group = world.origin.head
    world.origin.checkout("main")
    found = world.judge(group, event="merge_group")
    assert (2, "blessed-on-older-main") == (found.code, found.reason)
    assert 0 == world.judge(first, event="merge_group").code


# 7: entry gone


@state(7)
def test_a_system_can_move(tmp_path: Path) -> None:
    """Base's entry starts no more; the tree's own is measured against main's baseline."""
    world = World(tmp_path)
    policy = POLICY.replace("[memory.json]", "[src/memory.json]")
    moved = {POLICY_FILE: policy, MEMORY: None, "src/memory.json": TREE[MEMORY]}
    unnamed = world.judge(world.propose(moved, bless="policy: the memory moves to src"))
    assert (1, "entry-gone") == (unnamed.code, unnamed.reason)
    head = world.propose(moved, bless="policy, system: the memory moves to src")
    assert 0 == world.judge(head).code
    worse = {**moved, "src/memory.json": WORSE[MEMORY]}
    found = world.judge(world.propose(worse, bless="policy, system: the memory moves to src"))
    assert "newly failed: bob#1 (codex/know-to-ask)" in found.lines
    world.merge(head)
    assert next_passes(world)


@state(7)
def test_a_corpus_may_change_along_with_a_system_that_moves(tmp_path: Path) -> None:
    """The tree's entry is measured on base's corpus all the same."""
    world = World(tmp_path)
    policy = POLICY.replace("[memory.json]", "[src/memory.json]")
    files = {
        POLICY_FILE: policy,
        MEMORY: None,
        "src/memory.json": WORSE[MEMORY],
        **asks("eve", "Eve Low"),
    }
    found = world.judge(world.propose(files, bless="policy, system: the memory moves to src"))
    assert 0 == found.code
    assert "newly failed: bob#1 (codex/know-to-ask)" in found.lines


@state(7)
def test_a_system_that_fails_on_both_grounds_is_not_gone(tmp_path: Path) -> None:
    """The entry is the same: it is the code that fails."""
    world = World(tmp_path)
    found = world.judge(world.propose({MEMORY: None, **asks("eve", "Eve Low")}))
    assert (2, "system") == (found.code, found.reason)


# 8: another release measures differently


@state(8)
def test_an_upgrade_that_measures_differently_is_blessed_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pull request that moves the pin names `measure`."""
    world = World(tmp_path)
    for module in ("baseline", "standing"):
        monkeypatch.setattr(f"brainbench_gate.{module}.MEASURE", 2)
    unblessed = world.judge(world.propose({"requirements.txt": "2"}))
    assert (2, "measure-changed") == (unblessed.code, unblessed.reason)
    bare = world.judge(world.propose({"requirements.txt": "2"}, bless=True))
    assert (1, "measure-changed") == (bare.code, bare.reason)
    head = world.propose({"requirements.txt": "2"}, bless="measure: the new release counts anew")
    assert 0 == world.judge(head).code
    world.merge(head)
    assert next_passes(world)


# 9: other bytes on the contributor's machine


@state(9)
def test_files_can_be_made_from_the_result_of_ci(tmp_path: Path) -> None:
    """What CI measured is blessed without measuring again, and a reason is one added line."""
    world = World(tmp_path)
    head = world.propose({**asks("eve", "Eve Low"), **WORSE})
    refused = world.judge(head)
    assert 2 == refused.code
    assert refused.judged is not None
    data = refused.judged.run.result.serialize()
    world.origin.branch("topic", head)
    files = world.blessed(base="main", bench=parse_documents({"result.json": data}))
    bare = world.origin.commit(files)
    assert 1 == world.judge(bare).code
    line = f'  "justification": {json.dumps(REASON)},\n  "cells"'
    reasoned = files[BASELINE].decode().replace('  "cells"', line, 1)
    assert 0 == world.judge(world.origin.commit({BASELINE: reasoned})).code


# 10: a memory without sources


@state(10)
def test_isolation_is_not_measured_without_sources(tmp_path: Path) -> None:
    """Those fixtures are skipped by name, and no cell says 0."""
    world = World(tmp_path, {"README.md": "a word"})
    bare = {**TREE, **memory(lacks=["sources"])}
    head = world.propose(bare, bless=True)
    found = world.judge(head)
    assert (0, "bootstrap") == (found.code, found.reason)
    assert "isolation: not measured" in found.lines
    assert "left out: apart" in found.lines
    assert found.judged is not None
    metrics = {name for cell in found.judged.run.result.cells for name in cell.metrics}
    assert "source_isolation_violations" not in metrics
    world.merge(head)
    assert next_passes(world)


@state(10)
def test_sources_can_be_added(tmp_path: Path) -> None:
    """More items are counted on the same corpus, which a reason explains."""
    world = World(tmp_path, {**TREE, **memory(lacks=["sources"])})
    world.origin.commit(world.blessed())
    bare = world.judge(world.propose(memory(), bless=True))
    assert {"gold_total"} == {breach.metric for breach in bare.verdict.breaches}
    head = world.propose(memory(), bless="gold_total: the memory knows sources from now on")
    assert 0 == world.judge(head).code
    world.merge(head)
    assert next_passes(world)


@state(10)
def test_withdrawing_a_capability_is_a_breach(tmp_path: Path) -> None:
    """Whatever else goes with it."""
    world = World(tmp_path)
    withdrawn = memory(deaf=["Cyd Moon"], lacks=["sources"])
    found = world.judge(world.propose(withdrawn, bless=True))
    assert 1 == found.code
    assert ("capabilities", "sources") in {
        (breach.cell, breach.metric) for breach in found.verdict.breaches
    }
    reason = "sources: the new store has none, gold_total shrinks with it"
    assert 0 == world.judge(world.propose(withdrawn, bless=reason)).code


def _verdict(
    world: World, files: Mapping[str, str | bytes | None], *, bless: str | bool
) -> tuple[int, str]:
    found = world.judge(world.propose(files, bless=bless))
    return found.code, found.reason
