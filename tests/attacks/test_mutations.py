"""Removing any single check lets an attack through: the row that guards it fails without it."""

from __future__ import annotations

from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.action import test_judging as action_judging
from tests.action import test_origin as origin
from tests.action import test_recount as recount
from tests.attacks import test_baselines as baselines
from tests.attacks import test_clones as clones
from tests.attacks import test_corpora as corpora
from tests.attacks import test_justifications as justifications
from tests.attacks import test_policies as policies
from tests.attacks import test_publishing as publishing
from tests.attacks import test_systems as systems
from tests.attacks import test_workflows as workflow_edits
from tests.gate import test_run as run
from tests.gate import test_standing as standing
from tests.gate.worlds import GOLD
from tests.states import test_own_faults as own_faults
from tests.states import test_without_sources as without_sources

from brainbench_gate.base import BaseChoice
from brainbench_gate.bench import recorded
from brainbench_gate.checks import CHECKS
from brainbench_schema.errors import MemorySystemError

if TYPE_CHECKING:
    from collections.abc import Callable

    from brainbench_gate.action.origin import Pull
    from brainbench_gate.base import Repository
    from brainbench_gate.findings import Comparison, Finding
    from brainbench_schema.errors import Fault

ODD = {"../evil.json": b"{}", "result.json": b"{}"}
served, measured, corpus = origin.served, recount.measured, recount.corpus
state, github = action_judging.state, action_judging.github
"""What some of the rows below ask for by name."""


class Row:
    """A test that guards something, with what of its arguments is no fixture."""

    def __init__(self, test: Callable[..., None], **given: object) -> None:
        self.test, self.given = test, given

    def run(self, request: pytest.FixtureRequest) -> None:
        """Run it with this test's own fixtures."""
        missing = [name for name in signature(self.test).parameters if name not in self.given]
        self.test(**self.given, **{name: request.getfixturevalue(name) for name in missing})

    def require_failure(self, request: pytest.FixtureRequest) -> None:
        """Run it where it has to fail, and by an assertion of its own, not of what helps it."""
        with pytest.raises((AssertionError, pytest.fail.Exception)) as caught:
            self.run(request)
        lines = [one for one in caught.traceback if "_pytest" not in Path(one.path).parts]
        assert self.test.__name__ == lines[-1].name, f"{lines[-1].path}: {caught.value}"


GUARDS: dict[str, Row] = {
    "isolation": Row(justifications.test_a_leak_can_not_be_justified),
    "same_system": Row(policies.test_the_result_of_another_system_is_not_taken),
    "vanished": Row(systems.test_a_gated_metric_may_not_go_missing),
    "flipped": Row(baselines.test_an_item_that_breaks_is_not_made_good_by_one_that_is_fixed),
    "capabilities": Row(without_sources.test_withdrawing_a_capability_is_a_breach),
    "changed_ground": Row(policies.test_a_lowered_floor_alone_passes_and_is_shown),
    "workflows": Row(workflow_edits.test_an_edited_workflow_is_shown, edit="never runs"),
    "named_states": Row(policies.test_narrowing_needs_a_reason_that_names_the_policy, key="suites"),
    "committed": Row(baselines.test_a_longer_list_of_failed_items_is_not_what_the_run_gives),
    "floors": Row(policies.test_a_lowered_floor_does_not_apply_yet),
    "dilution": Row(corpora.test_a_swap_at_an_equal_total_is_listed_item_by_item),
    "stale_baseline": Row(baselines.test_a_gain_has_to_be_banked_where_the_policy_says_so),
    "reproducible": Row(systems.test_two_replays_have_to_be_equal_where_that_is_asked),
}


def gives(answer: object) -> Callable[..., object]:
    """Stand in for a function: always the same answer."""
    return lambda *_, **__: answer


def forgets(pointer: str) -> Callable[[recorded.Document], list[Fault]]:
    """Stand in for what refuses documents: one refusal is left out."""
    refuse = recorded._refusals
    return lambda document: [
        fault for fault in refuse(document) if not fault.pointer.startswith(pointer)
    ]


def believe(
    pull: Pull, measured: str, repository: Repository, compare: Callable[[str, str], str | None]
) -> BaseChoice:
    """Stand in for the choice of a base: whatever was measured is a merge into it."""
    first = repository.commit(measured).parents[0]
    return BaseChoice(ref=f"refs/heads/{pull.base_branch}", commit=first, why="")


EDITED = f"{GOLD}/bob.gold.json"
SAFEGUARDS: dict[str, tuple[object, Row]] = {
    "run.refuse_broken": (
        gives(None),
        Row(own_faults.test_a_first_baseline_that_can_not_be_read_does_not_get_to_main),
    ),
    "run.refuse_deleted": (
        gives(None),
        Row(baselines.test_a_deleted_file_is_named, gone=["baselines/main.json"]),
    ),
    "run.refuse_own_floors": (
        gives(None),
        Row(own_faults.test_a_floor_above_the_own_baseline_does_not_get_to_main),
    ),
    "run.measure_on_base": (
        gives(None),
        Row(corpora.test_a_touched_corpus_hides_no_regression_of_the_code),
    ),
    "run.SystemStartError": (
        MemorySystemError,
        Row(run.test_only_an_entry_that_can_not_start_is_gone),
    ),
    "run.is_fresh": (gives(True), Row(justifications.test_the_reason_of_main_does_not_serve_twice)),
    "justification.is_substantial": (
        gives(True),
        Row(justifications.test_a_placeholder_is_no_reason, text="fix"),
    ),
    "sides.has_stood": (gives(False), Row(justifications.test_a_revert_brings_back_no_reason)),
    "judging.refuse_allowance": (
        gives(None),
        Row(justifications.test_the_flag_is_refused_in_ci, environ={}),
    ),
    "sides.refuse_sidestep": (
        gives(None),
        Row(policies.test_the_top_does_not_take_a_deeper_gate_over),
    ),
    "sides.refuse_taken_name": (
        gives(None),
        Row(policies.test_a_gate_does_not_take_the_name_of_another_one),
    ),
    "sides._refuse_edited": (
        gives(None),
        Row(clones.test_an_earlier_step_may_not_edit_what_is_judged, path=EDITED),
    ),
    "seal.Seal.require_unbroken": (
        gives(None),
        Row(systems.test_what_is_judged_by_may_not_change_during_the_run, path=EDITED),
    ),
    "standing._covers_other": (
        gives(False),
        Row(
            standing.test_a_baseline_of_other_cells_than_the_policy_asks_for_is_stale,
            main={},
            policy={"harnesses": ("codex", "openclaw")},
        ),
    ),
    "bench.recorded._refusals held out": (
        forgets("/receipt/include_holdout"),
        Row(recount.test_lie_is_refused, lie="held-out fixtures"),
    ),
    "bench.recorded._refusals seeds": (
        forgets("/seed_failures"),
        Row(recount.test_lie_is_refused, lie="a failed seed"),
    ),
    "bench.recorded._is_of_entry": (
        gives(True),
        Row(recount.test_result_of_another_entry_is_missing),
    ),
    "bench.recorded.find_contradictions": (
        gives([]),
        Row(systems.test_cells_have_to_follow_from_their_rows),
    ),
    "action.judging.refuse_contradictions": (
        gives(None),
        Row(
            action_judging.test_an_input_against_the_bases_policy_stops_everything,
            given={"suites": "know-to-ask"},
        ),
    ),
    "action.judging.refuse_other_head": (
        gives(None),
        Row(
            action_judging.test_another_commit_than_the_events_is_not_measured,
            merge=action_judging.MERGE,
        ),
    ),
    "action.judging.refuse_other_commit": (
        gives(None),
        Row(action_judging.test_what_another_job_measured_has_to_be_this_commit),
    ),
    "action.origin._find_choice": (
        believe,
        Row(origin.test_a_merge_that_github_did_not_make_is_not_believed),
    ),
    "action.artifact._odd_entries": (
        gives([]),
        Row(publishing.test_an_odd_archive_is_refused, data=publishing.packed(**ODD)),
    ),
    "action.inputs._refuse_leaving": (
        gives(None),
        Row(publishing.test_an_odd_input_stays_a_value, value="../up"),
    ),
}
"""By what is taken away, and a word where that is a part of it: what stands in, and the row."""


def name_check(check: Callable[[Comparison], Finding]) -> str:
    """A check goes by its module."""
    return check.__module__.rpartition(".")[2]


def test_every_check_has_a_row_that_guards_it() -> None:
    """A new check brings its row along."""
    assert {name_check(check) for check in CHECKS} == set(GUARDS)


@pytest.mark.parametrize("name", [*GUARDS, *SAFEGUARDS])
def test_with_everything_in_place_each_row_passes(
    request: pytest.FixtureRequest, name: str
) -> None:
    """So that what makes it fail below is what is missing there."""
    (GUARDS.get(name) or SAFEGUARDS[name][1]).run(request)


def test_a_helper_that_fails_proves_nothing(request: pytest.FixtureRequest) -> None:
    """The row's own assertion has to be the one."""

    def help_out() -> None:
        raise AssertionError("no world")

    def guard() -> None:
        help_out()

    with pytest.raises(AssertionError, match=r"test_mutations\.py: no world"):
        Row(guard).require_failure(request)


@pytest.mark.parametrize("name", GUARDS)
def test_without_a_check_its_row_fails(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The attack gets through, or is not shown."""
    rest = tuple(check for check in CHECKS if name_check(check) != name)
    monkeypatch.setattr("brainbench_gate.run.CHECKS", rest)
    GUARDS[name].require_failure(request)


@pytest.mark.parametrize("name", SAFEGUARDS)
def test_without_a_safeguard_its_row_fails(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The same for what is refused before any check sees it."""
    stand_in, row = SAFEGUARDS[name]
    monkeypatch.setattr(f"brainbench_gate.{name.partition(' ')[0]}", stand_in)
    row.require_failure(request)
