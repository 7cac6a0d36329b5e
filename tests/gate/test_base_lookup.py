"""The base of a run in real repositories, one event after the other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.gate.githttp import serving
from tests.gate.gitrepo import Repo

from brainbench_gate.base import (
    LOCAL,
    BaseChoice,
    Event,
    EventName,
    Remote,
    Repository,
    find_base,
    of_pull_request,
)
from brainbench_gate.base.errors import (
    AncestryError,
    FetchError,
    ForeignParentError,
    MissingRefError,
    NoMergeBaseError,
)
from brainbench_schema.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ZERO = "0" * 40
BASELINE = "baselines/main.json"


class Hosted:
    """A repository on a server, with a pull request that was opened before main moved on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.origin = Repo(folder / "octo" / "memory")
        self.origin.git("config", "uploadpack.allowFilter", "true")
        self.root = self.origin.commit({BASELINE: "0"})
        self.opened_on = self.origin.commit({BASELINE: "1"})
        self.origin.branch("topic").commit({"code": "1"})
        self.head = self.origin.commit({"code": "2"})
        self.origin.checkout("main")

    def move_on(self) -> str:
        """Another commit on main."""
        return self.origin.commit({BASELINE: "2"})

    def event(self, name: EventName) -> Event:
        """An event of this repository."""
        return Event(name=name, server_url=self.folder.as_uri(), repository="octo/memory")

    def pull_request(self, name: EventName = EventName.PULL_REQUEST) -> Event:
        """The event of the pull request."""
        return replace(
            self.event(name),
            base_sha=self.opened_on,
            base_ref="refs/heads/main",
            head_sha=self.head,
            number=1,
        )

    def push(self, ref: str, before: str = ZERO) -> Event:
        """The event of a push of what stands at a ref now."""
        return replace(
            self.event(EventName.PUSH),
            ref=ref,
            before=before,
            head_sha=self.origin.id(ref),
            default_ref="refs/heads/main",
        )

    def job(self, ref: str, *, depth: int | None = 1) -> Repository:
        """A job's checkout of a ref, opened."""
        count = sum(path.name.startswith("job") for path in self.folder.iterdir())
        clone = self.origin.check_out_for_job(self.folder / f"job{count}", ref, depth=depth)
        return opened(clone.path)


@pytest.fixture
def hosted(tmp_path: Path) -> Hosted:
    """A repository on a server."""
    return Hosted(tmp_path)


def opened(folder: Path) -> Repository:
    """The repository of a folder that is in one."""
    repository = Repository.open(folder)
    assert repository is not None
    return repository


def baseline(repository: Repository, choice: BaseChoice) -> bytes:
    """The baseline that the chosen commit holds."""
    assert choice.commit
    return repository.require_file(choice.commit, BASELINE).data


# pull_request


@pytest.mark.parametrize("depth", [1, 2, None])
def test_pull_request_on_an_unmoved_branch(hosted: Hosted, depth: int | None) -> None:
    """The merge commit's first parent is the base commit itself."""
    hosted.origin.pull_request(1, hosted.head)
    with hosted.job("refs/pull/1/merge", depth=depth) as repository:
        choice = find_base(repository, hosted.pull_request())
        assert choice == BaseChoice(
            ref="refs/heads/main",
            commit=hosted.opened_on,
            why="it is the first parent of the pull request's merge commit",
        )
        assert baseline(repository, choice) == b"1"


@pytest.mark.parametrize("depth", [1, 2, None])
def test_pull_request_on_a_branch_that_moved_on(hosted: Hosted, depth: int | None) -> None:
    """GitHub merges into the branch's tip, which follows the event's base commit."""
    hosted.move_on()
    tip = hosted.move_on()
    hosted.origin.pull_request(1, hosted.head)
    hosted.move_on()
    with hosted.job("refs/pull/1/merge", depth=depth) as repository:
        choice = find_base(repository, hosted.pull_request())
        assert choice.commit == tip
        assert baseline(repository, choice) == b"2"


@pytest.mark.parametrize("depth", [1, None])
def test_pull_request_with_its_head_checked_out(hosted: Hosted, depth: int | None) -> None:
    """Attack 36: the parents of the head are the contributor's; the event's base applies."""
    hosted.origin.checkout("topic")
    hosted.origin.commit({BASELINE: "doctored"})
    doctored = hosted.origin.head
    hosted.head = hosted.origin.commit({"code": "worse"})
    assert hosted.origin.id("HEAD^") == doctored
    with hosted.job("refs/heads/topic", depth=depth) as repository:
        choice = find_base(repository, hosted.pull_request())
        assert choice.commit == hosted.opened_on
        assert baseline(repository, choice) == b"1"


def test_pull_request_whose_head_is_a_merge(hosted: Hosted) -> None:
    """Attack 36 with two parents: the second one is not the head."""
    hosted.origin.branch("doctored").commit({BASELINE: "doctored"})
    hosted.origin.merge("topic")
    hosted.head = hosted.origin.head
    with hosted.job("refs/heads/doctored") as repository:
        assert find_base(repository, hosted.pull_request()).commit == hosted.opened_on


@pytest.mark.parametrize("depth", [1, None])
def test_a_forged_merge_commit_is_refused(hosted: Hosted, depth: int | None) -> None:
    """Its second parent is the head, its first parent was never on the base branch."""
    hosted.origin.branch("doctored").commit({BASELINE: "doctored"})
    hosted.origin.pull_request(1, hosted.head, base="doctored")
    hosted.origin.checkout("main")
    with (
        hosted.job("refs/pull/1/merge", depth=depth) as repository,
        pytest.raises(ForeignParentError),
    ):
        find_base(repository, hosted.pull_request())


def test_an_older_first_parent_is_refused(hosted: Hosted) -> None:
    """It is on the base branch, but before the event's base commit: a replayed baseline."""
    hosted.origin.pull_request(1, hosted.head, base=hosted.root)
    with hosted.job("refs/pull/1/merge") as repository, pytest.raises(ForeignParentError):
        find_base(repository, hosted.pull_request())


@pytest.mark.parametrize(
    ("answers", "error"),
    [
        ({"ahead"}, None),
        ({"ahead", "identical"}, None),
        ({"ahead", "diverged"}, ForeignParentError),
        ({"behind"}, ForeignParentError),
        ({"ahead", None}, AncestryError),
    ],
)
def test_the_compare_api_is_asked_where_the_history_can_not_be_fetched(
    hosted: Hosted, answers: set[str | None], error: type[Exception] | None
) -> None:
    """The base branch was deleted; only what the API says is left."""
    tip = hosted.move_on()
    hosted.origin.pull_request(1, hosted.head)
    hosted.origin.git("branch", "-m", "main", "renamed")
    asked: list[tuple[str, str]] = []
    left = sorted(answers, key=str)

    def compare(base: str, head: str) -> str | None:
        asked.append((base, head))
        return left[len(asked) % len(left)]

    with hosted.job("refs/pull/1/merge", depth=2) as repository:
        if error is None:
            assert find_base(repository, hosted.pull_request(), compare=compare).commit == tip
        else:
            with pytest.raises(error):
                find_base(repository, hosted.pull_request(), compare=compare)
    assert sorted(asked) == sorted([(hosted.opened_on, tip), (tip, "main")])


def test_ancestry_that_nothing_shows_is_refused(hosted: Hosted) -> None:
    """No history, no API: the reason is told."""
    hosted.move_on()
    hosted.origin.pull_request(1, hosted.head)
    with hosted.job("refs/pull/1/merge") as repository:
        event = replace(hosted.pull_request(), server_url=f"{hosted.folder.as_uri()}/none")
        with pytest.raises(AncestryError, match="could not be fetched") as caught:
            find_base(repository, event)
    assert caught.value.reason == "ancestry-unknown"


def test_pull_request_target_checks_the_base_branch_out(hosted: Hosted) -> None:
    """Its HEAD has no part in the choice."""
    hosted.move_on()
    with hosted.job("refs/heads/main") as repository:
        event = hosted.pull_request(EventName.PULL_REQUEST_TARGET)
        assert find_base(repository, event).commit == hosted.opened_on


# Other events


def test_merge_group(hosted: Hosted) -> None:
    """The group's base, which may itself be a queued merge."""
    base = hosted.origin.branch("gh-readonly-queue/main/pr-1").merge("topic")
    hosted.origin.branch("gh-readonly-queue/main/pr-2").commit({"code": "3"})
    event = replace(
        hosted.event(EventName.MERGE_GROUP),
        base_sha=base,
        base_ref="refs/heads/main",
        head_sha=hosted.origin.head,
    )
    with hosted.job("refs/heads/gh-readonly-queue/main/pr-2") as repository:
        choice = find_base(repository, event)
        assert choice.commit == base
        assert baseline(repository, choice) == b"1"


def test_push_on_the_default_branch(hosted: Hosted) -> None:
    """What it was before, also behind several commits."""
    hosted.move_on()
    hosted.move_on()
    with hosted.job("refs/heads/main") as repository:
        choice = find_base(repository, hosted.push("refs/heads/main", hosted.opened_on))
        assert choice.commit == hosted.opened_on
        assert baseline(repository, choice) == b"1"


def test_push_that_creates_the_default_branch(hosted: Hosted) -> None:
    """A first landing."""
    with hosted.job("refs/heads/main") as repository:
        assert find_base(repository, hosted.push("refs/heads/main")).commit is None


@pytest.mark.parametrize("depth", [1, 2, None])
def test_push_on_another_branch(hosted: Hosted, depth: int | None) -> None:
    """Attack 42: a doctored baseline lands first, the regression second; neither is the base."""
    hosted.move_on()
    hosted.origin.checkout("topic")
    doctored = hosted.origin.commit({BASELINE: "doctored"})
    hosted.origin.commit({"code": "worse"})
    with hosted.job("refs/heads/topic", depth=depth) as repository:
        choice = find_base(repository, hosted.push("refs/heads/topic", doctored))
        assert choice.commit == hosted.opened_on
        assert choice.ref == "refs/heads/main"
        assert baseline(repository, choice) == b"1"


def test_push_of_a_tag(hosted: Hosted) -> None:
    """Any ref but the default branch."""
    hosted.origin.git("tag", "v1", "topic")
    with hosted.job("refs/tags/v1") as repository:
        assert find_base(repository, hosted.push("refs/tags/v1")).commit == hosted.opened_on


def test_push_of_an_unrelated_branch(hosted: Hosted) -> None:
    """No base, and no first landing either."""
    hosted.origin.git("checkout", "--quiet", "--orphan", "alone")
    hosted.origin.commit({"code": "1"})
    with hosted.job("refs/heads/alone") as repository, pytest.raises(NoMergeBaseError):
        find_base(repository, hosted.push("refs/heads/alone"))


def test_push_without_the_default_branch_on_the_server(hosted: Hosted) -> None:
    """The clone's own refs have no say."""
    event = hosted.push("refs/heads/topic")
    with hosted.job("refs/heads/topic", depth=None) as repository:
        hosted.origin.git("branch", "-m", "main", "renamed")
        with pytest.raises(MissingRefError):
            find_base(repository, event)


@pytest.mark.parametrize("name", [EventName.SCHEDULE, EventName.WORKFLOW_DISPATCH])
def test_schedule_and_dispatch(hosted: Hosted, name: EventName) -> None:
    """HEAD's own commit, nothing fetched."""
    tip = hosted.move_on()
    event = replace(hosted.event(name), server_url="file:///nowhere")
    with hosted.job("refs/heads/main") as repository:
        assert find_base(repository, event).commit == tip


@pytest.mark.parametrize("checked_out", [True, False])
def test_workflow_run(hosted: Hosted, checked_out: bool) -> None:
    """The pull request's base; with the default branch checked out or nothing at all."""
    hosted.move_on()
    event = replace(hosted.event(EventName.WORKFLOW_RUN), head_sha=hosted.head)
    event = of_pull_request(event, number=1, base_sha=hosted.opened_on, base_ref="main")
    remote = Remote(url=hosted.origin.url)
    with (
        hosted.job("refs/heads/main")
        if checked_out
        else Repository.open_remote(remote, hosted.folder)
    ) as repository:
        choice = find_base(repository, event)
        assert choice.commit == hosted.opened_on
        assert baseline(repository, choice) == b"1"
        assert repository.require_file(event.head_sha, "code").data == b"2"


def test_a_named_base_is_refused_in_ci(hosted: Hosted) -> None:
    """The event decides."""
    with hosted.job("refs/heads/main") as repository, pytest.raises(UsageError):
        find_base(repository, hosted.pull_request(), name="refs/heads/main")


# Fetching


@pytest.mark.parametrize(
    "act",
    [
        lambda hosted: (hosted.pull_request(), "refs/heads/topic"),
        lambda hosted: (hosted.push("refs/heads/topic"), "refs/heads/topic"),
    ],
)
def test_a_failed_fetch_is_an_error(
    hosted: Hosted, act: Callable[[Hosted], tuple[Event, str]]
) -> None:
    """Attack 17: the shallow clone lacks the base and the server does not answer."""
    event, ref = act(hosted)
    event = replace(event, server_url=f"{hosted.folder.as_uri()}/none")
    with hosted.job(ref) as repository, pytest.raises(FetchError) as caught:
        find_base(repository, event)
    assert caught.value.reason == "fetch-failed"


def test_a_base_that_the_server_lacks_is_an_error(hosted: Hosted) -> None:
    """Attack 17: the event names a commit that is nowhere."""
    event = replace(hosted.pull_request(), base_sha="1" * 40)
    with hosted.job("refs/heads/topic") as repository, pytest.raises(MissingRefError) as caught:
        find_base(repository, event)
    assert caught.value.reason == "missing-ref"


@pytest.mark.parametrize("job", ["pull_request", "push"])
def test_a_private_repository_is_read_with_the_token(hosted: Hosted, job: str) -> None:
    """No credential in the clone; the token reaches neither an argument nor the disk."""
    tip = hosted.move_on()
    hosted.origin.pull_request(1, hosted.head)
    with serving(hosted.folder, "t0ken") as server:
        merge = job == "pull_request"
        event = hosted.pull_request() if merge else hosted.push("refs/heads/topic")
        event = replace(event, server_url=server.url)
        with hosted.job("refs/pull/1/merge" if merge else "refs/heads/topic") as repository:
            choice = find_base(repository, event, token="t0ken")
            assert choice.commit == (tip if merge else hosted.opened_on)
            assert baseline(repository, choice) == (b"2" if merge else b"1")


def test_a_private_repository_refuses_another_token(hosted: Hosted) -> None:
    """A failed fetch, at once: nobody is asked for a password."""
    with serving(hosted.folder, "t0ken") as server:
        event = replace(hosted.push("refs/heads/topic"), server_url=server.url)
        for token in ("other", ""):
            with hosted.job("refs/heads/topic") as repository:
                with pytest.raises(FetchError) as caught:
                    find_base(repository, event, token=token)
                assert "other" not in str(caught.value)


def test_the_token_is_not_written_or_shown(hosted: Hosted, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in the gate's own repository, not in a command line, not in a repr."""
    scratch = hosted.folder / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    remote = Remote(url="https://example.org/a/b", token="t0ken")
    assert "t0ken" not in repr(remote)
    hosted.move_on()
    with serving(hosted.folder, "t0ken") as server:
        event = replace(hosted.push("refs/heads/topic"), server_url=server.url)
        with hosted.job("refs/heads/topic") as repository:
            find_base(repository, event, token="t0ken")
            files = [path for path in scratch.rglob("*") if path.is_file()]
            assert [p for p in files if p.suffix == ".pack"]
            assert not [p for p in files if b"t0ken" in p.read_bytes()]
            assert not [p for p in files if b"Authorization" in p.read_bytes()]


# Local runs


def test_local_default_is_origins_default_branch(hosted: Hosted) -> None:
    """As last fetched, whatever it is called and whatever is checked out."""
    hosted.origin.git("branch", "-m", "main", "trunk")
    clone = hosted.origin.clone(hosted.folder / "clone")
    hosted.origin.commit({BASELINE: "2"})
    clone.branch("work").commit({"code": "1"})
    with opened(clone.path) as repository:
        choice = find_base(repository)
    assert choice == BaseChoice(
        ref="refs/remotes/origin/trunk",
        commit=hosted.opened_on,
        why="it is the default branch of the remote origin",
    )


def test_local_default_is_upstreams_where_there_is_one(hosted: Hosted) -> None:
    """It was never fetched: the remote is asked, and its commit fetched beside the clone."""
    fork = hosted.origin.clone(hosted.folder / "fork")
    tip = hosted.move_on()
    fork.git("remote", "add", "upstream", hosted.origin.url)
    with opened(fork.path) as repository:
        choice = find_base(repository)
        assert (choice.ref, choice.commit) == ("refs/remotes/upstream/main", tip)
        assert baseline(repository, choice) == b"2"


@pytest.mark.parametrize("lost", ["refs/remotes/origin/HEAD", "refs/remotes/origin/main"])
def test_a_lost_default_branch_is_asked_for_again(hosted: Hosted, lost: str) -> None:
    """The stored name is gone, or what it stands for is: a branch renamed and pruned."""
    clone = hosted.origin.clone(hosted.folder / "clone")
    clone.git("symbolic-ref" if lost.endswith("HEAD") else "update-ref", "-d", lost)
    with opened(clone.path) as repository:
        choice = find_base(repository)
        assert choice.ref == "refs/remotes/origin/main"
        assert choice.commit == hosted.opened_on


def test_a_stored_default_branch_that_is_another_remotes_is_not_used(hosted: Hosted) -> None:
    """The remote is asked instead."""
    clone = hosted.origin.clone(hosted.folder / "clone")
    other = clone.commit({BASELINE: "mine"})
    clone.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/heads/main")
    with opened(clone.path) as repository:
        assert find_base(repository).commit == hosted.opened_on != other


def test_a_remote_that_does_not_answer_is_no_first_landing(hosted: Hosted) -> None:
    """The default branch is not known and can't be asked for."""
    clone = hosted.origin.clone(hosted.folder / "clone")
    clone.git("symbolic-ref", "-d", "refs/remotes/origin/HEAD")
    clone.git("remote", "set-url", "origin", str(hosted.folder / "none"))
    with opened(clone.path) as repository, pytest.raises(FetchError):
        find_base(repository)


def test_an_address_relative_to_the_clone_is_understood(hosted: Hosted) -> None:
    """As git itself does, from the top of the work tree."""
    clone = hosted.origin.clone(hosted.folder / "clone")
    clone.git("symbolic-ref", "-d", "refs/remotes/origin/HEAD")
    clone.git("remote", "set-url", "origin", "../octo/memory")
    with opened(clone.path) as repository:
        assert find_base(repository).commit == hosted.opened_on


@pytest.mark.parametrize("commits", [0, 1])
def test_a_repository_without_remotes_is_a_first_landing(tmp_path: Path, commits: int) -> None:
    """With commits and without."""
    repo = Repo(tmp_path)
    for _ in range(commits):
        repo.commit({"a": "1"})
    with opened(tmp_path) as repository:
        choice = find_base(repository)
    assert choice.commit is None
    assert choice.why.startswith("the repository has no")


def test_an_empty_remote_is_a_first_landing(tmp_path: Path) -> None:
    """Nothing was pushed yet."""
    origin = Repo(tmp_path / "origin")
    repo = Repo(tmp_path / "repo")
    repo.commit({"a": "1"})
    repo.git("remote", "add", "origin", origin.url)
    with opened(repo.path) as repository:
        choice = find_base(repository)
    assert choice.commit is None
    assert choice.why == "it is the default branch of the remote origin, which has no commits"


def test_a_remote_with_branches_and_no_default_is_refused(hosted: Hosted) -> None:
    """Something could be compared with; which one has to be said."""
    clone = hosted.origin.clone(hosted.folder / "clone")
    clone.git("symbolic-ref", "-d", "refs/remotes/origin/HEAD")
    hosted.origin.checkout("topic").git("symbolic-ref", "HEAD", "refs/heads/none")
    with opened(clone.path) as repository, pytest.raises(MissingRefError, match="no default"):
        find_base(repository)


def test_remotes_of_other_names_are_not_guessed(hosted: Hosted) -> None:
    """The base has to be named."""
    clone = hosted.origin.clone(hosted.folder / "clone")
    clone.git("remote", "rename", "origin", "github")
    with opened(clone.path) as repository:
        with pytest.raises(MissingRefError, match="--base REMOTE/BRANCH"):
            find_base(repository)
        assert find_base(repository, LOCAL, name="github/main").commit == hosted.opened_on


def test_a_named_base_is_used(hosted: Hosted) -> None:
    """Each form; a full id that the clone lacks is fetched from its remote."""
    clone = hosted.origin.clone(hosted.folder / "clone", depth=1)
    mine = clone.commit({"a": "1"})
    with opened(clone.path) as repository:
        for name, commit in {
            "refs/heads/main": mine,
            "origin/main": hosted.opened_on,
            mine[:9]: mine,
            hosted.root: hosted.root,
        }.items():
            choice = find_base(repository, name=name)
            assert (choice.commit, choice.why) == (commit, f"{name} was asked for")
        assert baseline(repository, choice) == b"0"


def test_a_named_base_that_is_missing_is_refused(hosted: Hosted) -> None:
    """Also where there would be a default."""
    clone = hosted.origin.clone(hosted.folder / "clone")
    with opened(clone.path) as repository, pytest.raises(MissingRefError):
        find_base(repository, name="origin/none")
