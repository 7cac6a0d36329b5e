"""Removing any single check lets an attack through: the row that guards it fails without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.attacks import (
    test_baselines as baselines,
)
from tests.attacks import (
    test_clones as clones,
)
from tests.attacks import (
    test_corpora as corpora,
)
from tests.attacks import (
    test_justifications as justifications,
)
from tests.attacks import (
    test_policies as policies,
)
from tests.attacks import (
    test_systems as systems,
)
from tests.attacks import (
    test_workflows as workflow_edits,
)
from tests.gate.worlds import GOLD
from tests.states import test_own_faults as own_faults
from tests.states import test_without_sources as without_sources

from brainbench_gate.checks import CHECKS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from brainbench_gate.findings import Comparison, Finding

    Row = Callable[[Path], None]

GUARDS: dict[str, Row] = {
    "isolation": justifications.test_a_leak_can_not_be_justified,
    "same_system": policies.test_the_result_of_another_system_is_not_taken,
    "vanished": systems.test_a_gated_metric_may_not_go_missing,
    "flipped": baselines.test_an_item_that_breaks_is_not_made_good_by_one_that_is_fixed,
    "capabilities": without_sources.test_withdrawing_a_capability_is_a_breach,
    "changed_ground": policies.test_a_lowered_floor_alone_passes_and_is_shown,
    "workflows": lambda place: workflow_edits.test_an_edited_workflow_is_shown(place, "never runs"),
    "named_states": lambda place: policies.test_narrowing_needs_a_reason_that_names_the_policy(
        place, "suites"
    ),
    "committed": baselines.test_a_longer_list_of_failed_items_is_not_what_the_run_gives,
    "floors": policies.test_a_lowered_floor_does_not_apply_yet,
    "dilution": corpora.test_a_swap_at_an_equal_total_is_listed_item_by_item,
    "stale_baseline": baselines.test_a_gain_has_to_be_banked_where_the_policy_says_so,
    "reproducible": systems.test_two_replays_have_to_be_equal_where_that_is_asked,
}

SAFEGUARDS: dict[str, tuple[object, Row]] = {
    "run.refuse_broken": (
        None,
        own_faults.test_a_first_baseline_that_can_not_be_read_does_not_get_to_main,
    ),
    "run.refuse_deleted": (
        None,
        lambda place: baselines.test_a_deleted_file_is_named(place, ["baselines/main.json"]),
    ),
    "run.refuse_own_floors": (
        None,
        own_faults.test_a_floor_above_the_own_baseline_does_not_get_to_main,
    ),
    "run.measure_on_base": (
        None,
        corpora.test_a_touched_corpus_hides_no_regression_of_the_code,
    ),
    "run.is_fresh": (True, justifications.test_the_reason_of_main_does_not_serve_twice),
    "justification.is_substantial": (
        True,
        lambda place: justifications.test_a_placeholder_is_no_reason(place, "fix"),
    ),
    "sides.has_stood": (False, justifications.test_a_revert_brings_back_no_reason),
    "judging.refuse_allowance": (
        None,
        lambda place: justifications.test_the_flag_is_refused_in_ci(place, {}),
    ),
    "sides.refuse_sidestep": (
        None,
        policies.test_the_top_does_not_take_a_deeper_gate_over,
    ),
    "sides.refuse_taken_name": (
        None,
        policies.test_a_gate_does_not_take_the_name_of_another_one,
    ),
    "sides._refuse_edited": (
        None,
        lambda place: clones.test_an_earlier_step_may_not_edit_what_is_judged(
            place, f"{GOLD}/bob.gold.json"
        ),
    ),
    "seal.Seal.require_unbroken": (
        None,
        lambda place: systems.test_what_is_judged_by_may_not_change_during_the_run(
            place, f"{GOLD}/bob.gold.json"
        ),
    ),
}


def name_check(check: Callable[[Comparison], Finding]) -> str:
    """A check goes by its module."""
    return check.__module__.rpartition(".")[2]


def test_every_check_has_a_row_that_guards_it() -> None:
    """A new check brings its row along."""
    assert {name_check(check) for check in CHECKS} == set(GUARDS)


@pytest.mark.parametrize("name", GUARDS)
def test_without_a_check_its_row_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The attack gets through, or is not shown."""
    rest = tuple(check for check in CHECKS if name_check(check) != name)
    monkeypatch.setattr("brainbench_gate.run.CHECKS", rest)
    with pytest.raises(AssertionError):
        GUARDS[name](tmp_path)


@pytest.mark.parametrize("name", SAFEGUARDS)
def test_without_a_safeguard_its_row_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The same for what is refused before any check sees it."""
    answer, row = SAFEGUARDS[name]
    monkeypatch.setattr(f"brainbench_gate.{name}", lambda *_, **__: answer)
    with pytest.raises(AssertionError):
        row(tmp_path)
