"""The added checks, one by one: passing, failing, boundary, missing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.gate.documents import (
    ALL,
    BLOB,
    OLDER_BLOB,
    OTHER_FILES,
    POLICY,
    PUSH,
    TWO,
    baseline,
    compare,
    ground_of,
    items_of,
    leaking,
    run_of,
    survey,
)

from brainbench_gate.checks import (
    capabilities,
    changed_ground,
    committed,
    dilution,
    flipped,
    floors,
    isolation,
    named_states,
    reproducible,
    same_system,
    stale_baseline,
    vanished,
)
from brainbench_gate.findings import Status
from brainbench_gate.rules import ISOLATION, Verdict
from brainbench_schema.errors import InvalidInputError
from brainbench_schema.policy import SystemEntry
from brainbench_schema.result import Skipped

MAIN = run_of()
BETTER = run_of(
    baseline({PUSH: {"push_precision": 1, "push_recall": 1}}, {PUSH: (4, 0)}), {PUSH: ()}
)
WORSE = run_of(
    baseline({PUSH: {"push_precision": 1, "push_recall": 0.5}}, {PUSH: (4, 2)}),
    {PUSH: ("f#1:a", "f#2:b")},
)
NEW = run_of(
    baseline(fixtures_hash=TWO),
    {PUSH: ("g#1:a",)},
    surveyed=survey("f#2:b", "f#3:c", "f#4:d", "g#1:a", fixtures_hash=TWO),
)


# isolation


def test_isolation_holds_without_a_leak() -> None:
    """A memory that knows sources, and none of whose rows or numbers leaks."""
    assert Status.PASS is isolation.check(compare()).status


@pytest.mark.parametrize("where", ["rows", "numbers", "base"])
def test_isolation_fails_on_any_leak(where: str) -> None:
    """In rows or in numbers, on either ground."""
    leaky = {
        "rows": run_of(rows=(leaking(),)),
        "numbers": run_of(baseline({PUSH: {ISOLATION: 1}})),
        "base": run_of(rows=(leaking(),)),
    }[where]
    found = isolation.check(compare(run=leaky, new_run=NEW if where == "base" else None))
    assert (Verdict.REGRESSION, "isolation") == (found.verdict, found.reason)


def test_isolation_is_not_measured_without_sources() -> None:
    """What was left out is told by name, once."""
    reason = "isolation: not measured, mine knows no sources; left out: apart"
    skipped = tuple(
        Skipped(suite="push", harness=harness, reason=reason) for harness in ("codex", "openclaw")
    )
    bare = run_of(capabilities=frozenset({"push"}), skipped=skipped)
    found = isolation.check(compare(run=bare))
    assert (Status.NOTE, (reason,)) == (found.status, found.lines)


# same system


def test_the_agreed_system_was_measured() -> None:
    """Its name and version are told."""
    found = same_system.check(compare())
    assert (Status.PASS, "measured was mine 1") == (found.status, found.text)


def test_another_system_is_inconclusive() -> None:
    """Policy and items file are both named."""
    found = same_system.check(compare(run=run_of(system="stub")))
    assert (Verdict.INCONCLUSIVE, "other-system") == (found.verdict, found.reason)
    assert 3 == len(found.lines)


def test_without_mains_items_the_policy_alone_names_it() -> None:
    """And without main nothing of base's is asked for."""
    other = run_of(system="stub")
    assert 2 == len(same_system.check(compare(run=other, forget_items=True)).lines)
    assert 1 == len(
        same_system.check(compare(run=other, forget_items=True, forget_main=True)).lines
    )


def test_a_system_that_stands_in_is_held_to_the_trees_policy() -> None:
    """Base's entry is gone; its name is not asked for."""
    moved = replace(POLICY, system="new")
    tree = ground_of(run_of(system="new"), policy=moved)
    stand_in = run_of(system="new")
    gone = compare(run=stand_in, tree=tree, tokens={"system": "gone"})
    assert Status.PASS is same_system.check(gone).status


# nothing vanishes


def test_a_vanished_metric_is_a_breach() -> None:
    """Of the cell that carried it; others may go."""
    less = run_of(baseline({PUSH: {"push_precision": 1}}))
    found = vanished.check(compare(run=less))
    assert [(PUSH, "push_recall", 0.75, None)] == [
        (breach.cell, breach.metric, breach.baseline, breach.current) for breach in found.breaches
    ]
    tokens = run_of(baseline({PUSH: {"avg_injected_tokens": 3}}))
    assert () == vanished.check(compare(main=tokens, run=run_of(baseline({PUSH: {}})))).breaches


def test_a_metric_of_a_vanished_cell_is_the_rules_to_tell() -> None:
    """They say it once."""
    gone = run_of(baseline({}, {}), {})
    assert () == vanished.check(compare(run=gone)).breaches


def test_a_metric_may_vanish_between_the_grounds_neither() -> None:
    """The tree's run is held to the one on base's ground."""
    less = run_of(baseline({PUSH: {"push_precision": 1}}, fixtures_hash=TWO))
    assert ["push_recall"] == [
        breach.metric for breach in vanished.check(compare(new_run=less)).breaches
    ]


def test_a_value_of_an_empty_denominator_may_vanish() -> None:
    """It was no measurement."""
    empty = run_of(baseline({PUSH: {"push_precision": 1, "push_recall": 0}}))
    rest = run_of(baseline({PUSH: {"push_recall": 0}}))
    assert () == vanished.check(compare(main=empty, run=rest)).breaches


def test_without_main_nothing_can_vanish() -> None:
    """It is told as not measured."""
    assert Status.NOTE is vanished.check(compare(forget_main=True)).status


@pytest.mark.parametrize(
    ("metric", "metrics", "empty", "was"),
    [
        ("provenance_accuracy", {"write_back_fidelity": 0, "provenance_accuracy": 1}, (), True),
        ("provenance_accuracy", {"write_back_fidelity": 0.5, "provenance_accuracy": 1}, (), False),
        ("push_precision", {"push_precision": 1, "push_recall": 0}, (), True),
        ("push_precision", {"push_precision": 0.9, "push_recall": 0}, (), False),
        ("push_precision", {"push_precision": 1, "push_recall": 0.1}, (), False),
        ("push_recall", {"push_recall": 1}, ("push_recall",), True),
        ("push_recall", {"push_recall": 1}, (), False),
    ],
)
def test_an_empty_denominator_is_no_value(
    metric: str, metrics: dict[str, float], empty: tuple[str, ...], was: bool
) -> None:
    """The formula's convention may go."""
    assert was == vanished.was_empty(metric, metrics, survey(empty=empty))
    if metric == "push_recall":
        assert not vanished.was_empty(metric, metrics, None)


# items


def test_a_flipped_item_is_a_breach_at_level_counts() -> None:
    """One fixed, another broken."""
    flipped_run = run_of(failed={PUSH: ("f#2:b",)})
    found = flipped.check(compare(run=flipped_run))
    assert ("1 newly failed, 1 newly fixed", 1) == (found.text, len(found.breaches))
    assert ("newly failed: f#2:b (codex/push)",) == found.lines
    assert Status.PASS is flipped.check(compare()).status


def test_an_item_that_fails_on_the_new_ground_is_a_breach() -> None:
    """It passed on base's, and both corpora ask for it."""
    new = replace(NEW, failed={PUSH: ("f#2:b",)})
    found = flipped.check(compare(new_run=new))
    assert ("fails on the new ground: f#2:b (codex/push)",) == found.lines
    assert () == flipped.check(compare(new_run=NEW)).breaches


def test_without_mains_list_nothing_is_told() -> None:
    """The grounds can be compared all the same."""
    assert Status.NOTE is flipped.check(compare(forget_items=True)).status
    new = replace(NEW, failed={PUSH: ("f#2:b",)})
    assert 1 == len(flipped.check(compare(new_run=new, forget_items=True)).breaches)


# capabilities


def test_a_withdrawn_capability_is_a_breach() -> None:
    """On either ground; a new one is none."""
    less = run_of(capabilities=frozenset({"push"}))
    assert ["sources"] == [b.metric for b in capabilities.check(compare(run=less)).breaches]
    new = replace(NEW, capabilities=frozenset({"push"}))
    assert ["sources"] == [b.metric for b in capabilities.check(compare(new_run=new)).breaches]
    more = run_of(capabilities=ALL | {"write-back"})
    assert Status.PASS is capabilities.check(compare(run=more)).status
    assert Status.NOTE is capabilities.check(compare(forget_items=True)).status


# changed ground


def test_an_unchanged_ground_has_no_lines() -> None:
    """Neither policy nor corpus differ."""
    assert Status.PASS is changed_ground.check(compare()).status


def test_a_stricter_policy_is_shown_and_does_not_apply() -> None:
    """Key by key, nested ones too."""
    policy = replace(POLICY, floors={"push_recall": 0.1, PUSH: {"push_recall": 0.2}})
    tree = replace(ground_of(MAIN), policy=policy)
    found = changed_ground.check(compare(tree=tree))
    assert "main's applies" in found.text
    assert ("policy floors.codex/push: nothing → {'push_recall': 0.2}",) == found.lines[:1]


def test_a_system_and_a_corpus_that_change_are_shown() -> None:
    """Entries of the policy, and files by name."""
    entry = SystemEntry(kind="command", command=("x",))
    policy = replace(POLICY, systems={"mine": entry})
    corpus = replace(OTHER_FILES, gold={**OTHER_FILES.gold, "c.gold.json": b""})
    tree = ground_of(NEW, policy=policy, corpus=corpus)
    found = changed_ground.check(compare(tree=tree, new_run=NEW))
    assert "judged on main's ground" in found.text
    assert "policy systems.mine" in found.lines[0]
    assert [
        "removed a.fixture.json",
        "added b.fixture.json",
        "added c.gold.json",
        "changed a.gold.json",
    ] == list(found.lines[1:])


def test_a_corpus_that_can_not_be_read_is_not_listed() -> None:
    """Base's, here."""
    base = replace(ground_of(MAIN), corpus=None)
    assert () == changed_ground.check(compare(base=base, tree=ground_of(MAIN))).lines


# named states


def test_states_have_to_be_named() -> None:
    """Each is a breach of its own."""
    assert Status.PASS is named_states.check(compare()).status
    found = named_states.check(compare(tokens={"measure": "m", "broken-base": "b"}))
    assert ["broken-base", "measure"] == [breach.cell for breach in found.breaches]
    assert ("broken-base: b", "measure: m") == found.lines


# committed files


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


WORSE_BASELINE = baseline({PUSH: {"push_precision": 1, "push_recall": 0.5}}, {PUSH: (4, 2)})


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


# floors


@pytest.mark.parametrize(
    ("bounds", "crossed"),
    [
        ({"push_recall": 0.75}, 0),
        ({"push_recall": 0.7501}, 1),
        ({PUSH: {"push_recall": 0.75}}, 0),
        ({PUSH: {"push_recall": 0.76, "push_precision": 1}}, 1),
        ({"false_fire_rate": 0.2}, 0),
        ({"false_fire_rate": 0.1999}, 1),
        ({"unknown_metric": 0.4}, 0),
        ({"unknown_metric": 0.6}, 1),
    ],
)
def test_a_floor_holds_up_to_its_bound(
    bounds: dict[str, float | dict[str, float]], crossed: int
) -> None:
    """For what is better lower it is a ceiling; what nobody declared is better higher."""
    metrics = {"push_precision": 1, "push_recall": 0.75, "false_fire_rate": 0.2}
    document = baseline({PUSH: {**metrics, "unknown_metric": 0.5}})
    policy = replace(POLICY, floors=bounds)
    assert crossed == len(list(floors.find_crossed(policy, document)))


def test_a_floor_follows_the_direction_of_the_policy() -> None:
    """More metrics can be gated, lower ones too."""
    policy = replace(POLICY, floors={"cost": 1}, gated={"cost": "lower"})
    [found] = floors.find_crossed(policy, baseline({PUSH: {"cost": 2}}))
    assert (True, 2, 1) == (found.lower_is_better, found.value, found.bound)


@pytest.mark.parametrize(
    "bounds", [{"nope": 1}, {"codex/nope": {"push_recall": 1}}, {PUSH: {"x": 1}}]
)
def test_a_floor_that_bounds_nothing_is_refused(
    bounds: dict[str, float | dict[str, float]],
) -> None:
    """By file and pointer."""
    policy = replace(POLICY, floors=bounds)
    assert [] == list(floors.find_crossed(policy, baseline()))
    with pytest.raises(InvalidInputError, match=r"brainbench\.yml#/floors/"):
        floors.check(compare(policy=policy))


def test_crossing_a_floor_is_a_regression() -> None:
    """As far as main is beyond it already it is a note."""
    policy = replace(POLICY, floors={"push_recall": 0.75})
    assert "every bound holds" == floors.check(compare(policy=policy)).text
    assert "the policy sets none" == floors.check(compare()).text
    found = floors.check(compare(run=WORSE, policy=policy))
    assert (Verdict.REGRESSION, "floor") == (found.verdict, found.reason)
    same = floors.check(compare(main=WORSE, run=WORSE, policy=policy))
    assert Status.NOTE is same.status
    assert (
        Verdict.REGRESSION
        is floors.check(compare(run=WORSE, policy=policy, forget_main=True)).verdict
    )


@pytest.mark.parametrize(
    ("lower", "value", "bound", "same", "no_worse"),
    [
        (False, 0.5, 0.7, True, True),
        (False, 0.6, 0.7, True, True),
        (False, 0.4, 0.7, True, False),
        (False, 0.5, 0.8, True, False),
        (True, 0.5, 0.7, True, True),
        (True, 0.6, 0.7, True, False),
        (True, 0.5, 0.6, True, False),
        (False, 0.5, 0.7, False, False),
    ],
)
def test_no_worse_than_what_is_known(
    lower: bool, value: float, bound: float, same: bool, no_worse: bool
) -> None:
    """Neither the value nor the bound moved for the worse, in the same place."""
    known = floors.Crossing(cell=PUSH, metric="m", value=0.5, bound=0.7, lower_is_better=lower)
    found = replace(known, value=value, bound=bound, metric="m" if same else "n")
    assert no_worse == found.is_no_worse(known)


# dilution


def test_a_failing_item_that_leaves_is_listed() -> None:
    """With those that came in its place, where they all pass."""
    new = replace(NEW, failed={PUSH: ()})
    found = dilution.check(compare(new_run=new))
    assert (
        "removed while failing: f#1:a (codex/push)",
        "codex/push: the 1 items that replace them all pass",
        "added: g#1:a (codex/push)",
    ) == found.lines
    assert 1 == len(dilution.check(compare(new_run=NEW)).lines)
    assert Status.PASS is dilution.check(compare()).status


def test_an_item_that_failed_on_main_counts_though_the_code_fixed_it() -> None:
    """And without main's list what fails here counts."""
    found = dilution.check(compare(run=BETTER, new_run=replace(NEW, failed={PUSH: ()})))
    assert "removed while failing: f#1:a (codex/push)" in found.lines
    assert 1 == len(dilution.check(compare(new_run=NEW, forget_items=True)).lines)


# stale baseline


def test_a_gain_is_noted_or_fails() -> None:
    """In numbers and in items, against what is committed."""
    found = stale_baseline.check(compare(run=BETTER))
    assert Status.NOTE is found.status
    assert ("codex/push push_recall 0.75 → 1", "fixed: f#1:a (codex/push)") == found.lines
    strict = replace(POLICY, stale_baseline="fail")
    failing = stale_baseline.check(compare(run=BETTER, policy=strict))
    assert (Verdict.INCONCLUSIVE, "stale-baseline") == (failing.verdict, failing.reason)
    assert Status.PASS is stale_baseline.check(compare(run=WORSE)).status


def test_a_banked_gain_is_none() -> None:
    """The committed files hold it."""
    banked = ground_of(BETTER, against=BLOB)
    assert Status.PASS is stale_baseline.check(compare(run=BETTER, tree=banked)).status


def test_without_a_committed_baseline_main_is_compared_with() -> None:
    """On the same corpus only."""
    bare = replace(ground_of(MAIN), baseline=None, items=None)
    lines = stale_baseline.check(compare(run=BETTER, tree=bare)).lines
    assert ("codex/push push_recall 0.75 → 1",) == lines
    assert () == stale_baseline.check(compare(tree=bare, new_run=NEW)).lines
    assert () == stale_baseline.check(compare(run=BETTER, tree=bare, forget_main=True)).lines


def test_ungated_and_new_metrics_are_no_gain() -> None:
    """Nor is a lower value of what is better higher."""
    main = run_of(baseline({PUSH: {"avg_injected_tokens": 5, "false_fire_rate": 0.5}}))
    run = run_of(
        baseline({PUSH: {"avg_injected_tokens": 1, "false_fire_rate": 0.4, "push_recall": 1}})
    )
    lines = stale_baseline.check(compare(main=main, run=run)).lines
    assert ("codex/push false_fire_rate 0.5 → 0.4",) == lines


def test_on_changed_ground_items_are_not_asked_for() -> None:
    """They are of another corpus."""
    new = run_of(
        baseline({PUSH: {"push_precision": 1, "push_recall": 1}}, {PUSH: (4, 0)}), {PUSH: ()}
    )
    lines = stale_baseline.check(compare(run=BETTER, new_run=new)).lines
    assert ("codex/push push_recall 0.75 → 1",) == lines


# reproducible


def test_two_replays_that_differ_are_inconclusive() -> None:
    """Only where it was asked for; an unstable system is labelled."""
    assert "not asked for" in reproducible.check(compare()).text
    equal = replace(MAIN, differing=())
    assert "two replays were equal" == reproducible.check(compare(run=equal)).text
    found = reproducible.check(compare(run=replace(MAIN, differing=("cells/0",))))
    assert (Verdict.INCONCLUSIVE, "not-reproducible") == (found.verdict, found.reason)
    unstable = reproducible.check(compare(run=replace(MAIN, unstable=("x",)), new_run=NEW))
    assert (Status.NOTE, ("x",)) == (unstable.status, unstable.lines)
