"""The rule of each event, without any repository."""

from __future__ import annotations

from dataclasses import replace

import pytest

from brainbench_gate.base import (
    LOCAL,
    BaseChoice,
    Descent,
    Event,
    EventName,
    Facts,
    Found,
    choose_base,
    describe,
)
from brainbench_gate.base.choice import default_remote
from brainbench_gate.base.errors import (
    AncestryError,
    EventError,
    ForeignParentError,
    MissingRefError,
    NoMergeBaseError,
)

BASE, HEAD, FIRST, MERGE, ZERO = "b" * 40, "e" * 40, "f" * 40, "d" * 40, "0" * 40
PULL_REQUEST = Event(
    name=EventName.PULL_REQUEST, base_sha=BASE, base_ref="refs/heads/main", head_sha=HEAD
)
PUSH = Event(
    name=EventName.PUSH, ref="refs/heads/topic", before=BASE, default_ref="refs/heads/main"
)


def commit(event: Event, facts: Facts) -> str | None:
    """The commit chosen."""
    return choose_base(event, facts).commit


def test_merge_commit_gives_its_first_parent() -> None:
    """The base branch may have moved on since the event."""
    facts = Facts(head=MERGE, head_parents=(FIRST, HEAD), descent=Descent.SHOWN)
    assert commit(PULL_REQUEST, facts) == FIRST


@pytest.mark.parametrize(
    "parents", [(), (FIRST,), (HEAD,), (FIRST, BASE), (HEAD, FIRST), (FIRST, HEAD, BASE)]
)
def test_any_other_commit_gives_base_sha(parents: tuple[str, ...]) -> None:
    """The head itself, a commit on top of it, another merge, an octopus."""
    assert commit(PULL_REQUEST, Facts(head=MERGE, head_parents=parents)) == BASE


def test_pull_request_target_follows_the_same_rule() -> None:
    """Its HEAD is the base branch."""
    event = replace(PULL_REQUEST, name=EventName.PULL_REQUEST_TARGET)
    assert commit(event, Facts(head=BASE, head_parents=(FIRST,))) == BASE


def test_a_first_parent_of_unknown_descent_is_refused() -> None:
    """What stood in the way is told."""
    facts = Facts(head=MERGE, head_parents=(FIRST, HEAD), doubt="no network")
    with pytest.raises(AncestryError, match="no network") as caught:
        choose_base(PULL_REQUEST, facts)
    assert caught.value.reason == "ancestry-unknown"


def test_a_first_parent_from_elsewhere_is_refused() -> None:
    """It could carry any baseline."""
    facts = Facts(head=MERGE, head_parents=(FIRST, HEAD), descent=Descent.DISPROVED)
    with pytest.raises(ForeignParentError) as caught:
        choose_base(PULL_REQUEST, facts)
    assert caught.value.reason == "foreign-parent"


def test_merge_group_gives_its_base() -> None:
    """The queue has put it there."""
    event = Event(name=EventName.MERGE_GROUP, base_sha=BASE, base_ref="refs/heads/main")
    assert commit(event, Facts(head=HEAD, head_parents=(FIRST, HEAD))) == BASE


def test_push_on_the_default_branch_gives_what_was_before() -> None:
    """Whatever the merge base."""
    event = replace(PUSH, ref="refs/heads/main")
    assert commit(event, Facts(head=HEAD, merge_base=FIRST)) == BASE


def test_push_that_creates_the_default_branch_is_a_first_landing() -> None:
    """Nothing came before it."""
    choice = choose_base(replace(PUSH, ref="refs/heads/main", before=ZERO), Facts(head=HEAD))
    assert choice.commit is None
    assert "created" in choice.why


@pytest.mark.parametrize("before", [BASE, ZERO])
def test_push_on_another_branch_gives_the_merge_base(before: str) -> None:
    """Also for a new branch: `before` has no say."""
    assert commit(replace(PUSH, before=before), Facts(head=HEAD, merge_base=FIRST)) == FIRST


@pytest.mark.parametrize("ref", ["refs/tags/main", "refs/heads/x/main", "refs/heads/mains"])
def test_refs_that_look_like_the_default_branch_are_others(ref: str) -> None:
    """Only the full ref counts."""
    assert commit(replace(PUSH, ref=ref), Facts(head=HEAD, merge_base=FIRST)) == FIRST


def test_push_of_an_unrelated_history_is_refused() -> None:
    """There is nothing to compare with."""
    with pytest.raises(NoMergeBaseError):
        choose_base(PUSH, Facts(head=HEAD))


@pytest.mark.parametrize("name", [EventName.SCHEDULE, EventName.WORKFLOW_DISPATCH])
def test_schedule_and_dispatch_give_head(name: EventName) -> None:
    """Drift of the environment shows."""
    assert commit(Event(name=name), Facts(head=HEAD)) == HEAD


def test_schedule_without_a_commit_is_refused() -> None:
    """Nothing was checked out."""
    with pytest.raises(MissingRefError):
        choose_base(Event(name=EventName.SCHEDULE), Facts())


def test_workflow_run_gives_the_pull_requests_base() -> None:
    """Whatever is checked out."""
    event = replace(PULL_REQUEST, name=EventName.WORKFLOW_RUN)
    assert commit(event, Facts(head=MERGE, head_parents=(FIRST, HEAD))) == BASE


def test_workflow_run_without_its_pull_request_is_refused() -> None:
    """It was not found, or is closed."""
    with pytest.raises(EventError):
        choose_base(Event(name=EventName.WORKFLOW_RUN, head_sha=HEAD), Facts())


def test_local_run_gives_what_was_named() -> None:
    """Ref and reason are those found."""
    named = Found(ref="refs/heads/main", commit=BASE, why="refs/heads/main was asked for")
    assert choose_base(LOCAL, Facts(head=HEAD, named=named)) == BaseChoice(
        ref="refs/heads/main", commit=BASE, why="refs/heads/main was asked for"
    )


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        (Facts(), "no commits"),
        (Facts(head=HEAD), "no remote"),
        (Facts(head=HEAD, named=Found(ref="r", commit="", why="it is empty")), "no commits"),
    ],
)
def test_local_run_without_anything_to_compare_with_is_a_first_landing(
    facts: Facts, why: str
) -> None:
    """The reason is told."""
    choice = choose_base(LOCAL, facts)
    assert choice.commit is None
    assert why in choice.why


def test_upstream_goes_before_origin() -> None:
    """A fork is compared with what it was forked from."""
    assert default_remote(["origin", "upstream", "mine"]) == "upstream"
    assert default_remote(["mine", "origin"]) == "origin"
    assert default_remote([]) is None


def test_remotes_of_other_names_need_a_named_base() -> None:
    """Not a first landing: something could be compared with."""
    with pytest.raises(MissingRefError, match="only github, mine"):
        default_remote(["mine", "github"])


def test_describe_gives_texts() -> None:
    """A first landing has no commit."""
    choice = BaseChoice(ref="HEAD", commit=None, why="w")
    assert describe(choice) == {"ref": "HEAD", "commit": "", "why": "w"}
