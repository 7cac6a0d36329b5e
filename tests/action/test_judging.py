"""What the action judges by: the base's policy, this commit, and what was measured of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.action.fake_github import serving_github
from tests.action.github_state import State
from tests.action.test_origin import pack
from tests.gate.documents import POLICY, FixedBench, ground_of, run_of
from tests.report.accounts import result

from brainbench_gate.action.github import GitHub
from brainbench_gate.action.inputs import ContradictionError, Inputs, Job
from brainbench_gate.action.judging import Action, OtherHeadError, choose_bench
from brainbench_gate.base import Event, EventName
from brainbench_gate.sides import Sides
from brainbench_gate.verdict import Provenance
from brainbench_schema.errors import BrainbenchError, InvalidInputError
from brainbench_schema.policy import SystemEntry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_gate.measured import Bench
    from brainbench_schema.policy import Policy

HEAD, MERGE, OTHER = "a" * 40, "b" * 40, "c" * 40
RUN = 4711
FOREIGN = replace(POLICY, systems={"mine": SystemEntry(kind="result", command=("run",))})


def sides_of(*, base: Policy = POLICY, tree: Policy = POLICY, head: str = MERGE) -> Sides:
    """Both sides of a pull request, checked out at a commit."""
    provenance = Provenance(
        base_ref="refs/heads/main", base_commit="d" * 40, why="", head_commit=head, fixtures_hash=""
    )
    run = run_of()
    return Sides(
        tree=ground_of(run, policy=tree),
        base=ground_of(run, policy=base),
        provenance=provenance,
    )


@pytest.fixture
def state() -> State:
    """A repository on a server."""
    return State()


@pytest.fixture
def github(state: State) -> Iterator[GitHub]:
    """Its API."""
    with serving_github(state) as api:
        github = GitHub(api.url, state.repository, state.token)
        yield github
        github.close()


def choose(
    github: GitHub, sides: Sides, inputs: Inputs | None = None, *, merge: str = MERGE
) -> Bench:
    """Choose what measures for an event about HEAD, which GitHub merged as it says."""
    made: list[Sides] = []

    def make_bench(sides: Sides) -> FixedBench:
        made.append(sides)
        return FixedBench()

    action = Action(
        inputs=inputs or Inputs(),
        environ={"GITHUB_SHA": merge, "GITHUB_WORKSPACE": ".", "GITHUB_RUN_ID": str(RUN)},
        event=Event(name=EventName.PULL_REQUEST, head_sha=HEAD),
        payload={},
        github=github,
        make_bench=make_bench,
    )
    try:
        return choose_bench(action, sides)
    except BrainbenchError:
        assert not made
        raise


@pytest.mark.parametrize(
    "given",
    [{"suites": "know-to-ask"}, {"harnesses": "openclaw"}, {"system": "silent"}, {"name": "lax"},
     {"include_holdout": "true"}, {"result": "result.json"}],
    ids=str,
)  # fmt: skip
def test_an_input_against_the_bases_policy_stops_everything(
    github: GitHub, given: dict[str, str]
) -> None:
    """Also where the head's own policy says the same."""
    lax = replace(FOREIGN, suites=("know-to-ask",), harnesses=("openclaw",), name="lax")
    with pytest.raises(ContradictionError):
        choose(github, sides_of(tree=lax), Inputs(**given))  # type: ignore[arg-type]


def test_an_input_that_agrees_is_no_contradiction(github: GitHub) -> None:
    """In any order, or as `all`."""
    both = replace(POLICY, suites=("push", "know-to-ask"))
    for suites in ("know-to-ask, push", "all", ""):
        choose(github, sides_of(base=both, tree=both), Inputs(suites=suites, system="mine"))


@pytest.mark.parametrize("merge", [MERGE, OTHER])
def test_another_commit_than_the_events_is_not_measured(github: GitHub, merge: str) -> None:
    """The status would stand on a head that nobody measured."""
    choose(github, sides_of(head=HEAD), merge=merge)
    choose(github, sides_of(head=merge), merge=merge)
    with pytest.raises(OtherHeadError):
        choose(github, sides_of(head="e" * 40), merge=merge)


def test_what_another_job_measured_has_to_be_this_commit(state: State, github: GitHub) -> None:
    """A result of another commit may be as good as it likes."""
    judge = Inputs(job=Job.JUDGE)
    put_result(state, MERGE)
    choose(github, sides_of(), judge)
    put_result(state, OTHER)
    with pytest.raises(InvalidInputError) as caught:
        choose(github, sides_of(), judge)
    assert [fault.pointer for fault in caught.value.faults] == ["/receipt/harness_sha"]


def test_a_foreign_runner_need_not_know_the_commit(state: State, github: GitHub) -> None:
    """The policy says that it is one."""
    put_result(state, "unknown")
    choose(github, sides_of(base=FOREIGN, tree=FOREIGN), Inputs(job=Job.JUDGE))


def put_result(state: State, commit: str) -> None:
    """Upload what a job measured of a commit."""
    measured = result()
    document = replace(measured, receipt=replace(measured.receipt, harness_sha=commit))
    data = pack({"result.json": document.serialize()})
    state.add_artifact(RUN, "brainbench-main", data)
