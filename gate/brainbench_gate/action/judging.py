"""How the action comes to a verdict: by measuring, or from the documents of another job."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from brainbench_gate.action.artifact import RecordingBench, fetch_results
from brainbench_gate.action.inputs import Inputs, Job, refuse_contradictions
from brainbench_gate.action.origin import Origin, Pull, choose_origin, match_pulls
from brainbench_gate.action.publish import Target
from brainbench_gate.action.runner import CommandFiles
from brainbench_gate.base import EventName, Remote, Repository
from brainbench_gate.bench.recorded import (
    RecordedBench,
    is_foreign,
    parse_documents,
    read_documents,
)
from brainbench_gate.ground import CommitTree, read_ground
from brainbench_gate.judging import Judged, judge_folder, judge_sides
from brainbench_gate.sides import read_commits
from brainbench_schema.errors import Fault, GitError, InvalidInputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from brainbench_gate.action.github import GitHub
    from brainbench_gate.base import Event
    from brainbench_gate.measured import Bench, CorpusFiles, Measured, Survey
    from brainbench_gate.sides import Sides
    from brainbench_schema.policy import Policy


@dataclass(slots=True, kw_only=True)
class Action:
    """One run of the action.

    Attributes:
        payload: The event's document.
        make_bench: Makes what measures, once both sides are known.
        target: Where the verdict is published; None until it is known.
        sides: What is compared with what; None until it is known.
        kept: What was measured here.
    """

    inputs: Inputs
    environ: Mapping[str, str]
    event: Event
    payload: Mapping[str, object]
    github: GitHub
    make_bench: Callable[[Sides], Bench]
    target: Target | None = None
    sides: Sides | None = None
    judged: Judged | None = None
    kept: list[Measured] = field(default_factory=list)
    by_fork: bool = False

    @property
    def workspace(self) -> Path:
        """Where the repository is checked out."""
        return Path(self.environ["GITHUB_WORKSPACE"])

    @property
    def gate(self) -> str:
        """Name of the gate, as far as it is known."""
        policy = self.sides.tree.policy if self.sides else None
        return policy.name if policy else self.inputs.name or "main"

    @property
    def run_id(self) -> str:
        """The workflow run that holds the artifact."""
        return self.environ.get("GITHUB_RUN_ID", "")


def judge(action: Action) -> Judged:
    """Judge, as the event asks for it.

    Raises:
        BrainbenchError: There is no verdict.
    """
    refuse_foreign_code(action)
    if action.event.name is EventName.WORKFLOW_RUN:
        return judge_workflow_run(action)
    return judge_here(action)


def refuse_foreign_code(action: Action) -> None:
    """Stop where a pull request's code would run with the base repository's rights."""
    if action.event.name is EventName.PULL_REQUEST_TARGET and action.inputs.job is not Job.JUDGE:
        raise UsageError(
            "pull_request_target would run the pull request's code with write access",
            where="on: pull_request_target",
            advice="use pull_request, and for forks the workflow_run template",
        )


def judge_here(action: Action) -> Judged:
    """Judge this checkout, with what is measured here or was measured by the job before."""
    inputs = action.inputs
    return judge_folder(
        inputs.folder(action.workspace),
        lambda sides: choose_bench(action, sides),
        environ=action.environ,
        base_name=inputs.base or None,
        policy_file=inputs.config,
        compare=action.github.compare,
    )


def choose_bench(action: Action, sides: Sides) -> Bench:
    """Take documents where there are some for this job, else measure, guarded."""
    action.sides = sides
    refuse_contradictions(action.inputs, sides)
    refuse_other_head(action.event.head_sha, sides.provenance.head_commit, action.environ)
    folder = action.inputs.folder(action.workspace)
    if action.inputs.job is Job.JUDGE:
        name = f"brainbench-{action.gate}"
        bench = parse_documents(fetch_results(action.github, int(action.run_id), name))
        refuse_other_commit(bench, sides)
        return bench
    if action.inputs.results:
        return read_documents(folder / path for path in action.inputs.results)
    files = CommandFiles.remember(action.environ)
    guarded = GuardedBench(bench=action.make_bench(sides), files=files)
    return RecordingBench(bench=guarded, kept=action.kept)


class OtherHeadError(GitError):
    """Another commit is checked out than the one that the event is about."""

    reason = "other-head"


def refuse_other_head(wanted: str, head: str, environ: Mapping[str, str]) -> None:
    """Stop where the status would stand on a commit that nobody judged.

    A commit with the two parents of GitHub's merge any step of the job can make; which commit
    GitHub made for the event the runner says, and no step can change that.

    Args:
        wanted: The event's head; empty where it has none.
        head: The commit checked out.
        environ: GITHUB_SHA is read from it.

    Raises:
        OtherHeadError: It is neither the event's head nor GitHub's merge of it.
    """
    if wanted and head not in (wanted, environ.get("GITHUB_SHA")):
        raise OtherHeadError(
            f"{head} is checked out, the event is about {wanted}",
            where="HEAD",
            advice="check out the event's own ref, and let no step before the gate commit anything",
        )


def refuse_other_commit(bench: RecordedBench, sides: Sides) -> None:
    """Stop where the job before measured another commit than the one that is judged.

    A foreign runner need not know the commit.

    Raises:
        InvalidInputError: It did.
    """
    policy, head = sides.tree.policy, sides.provenance.head_commit
    if policy is not None and is_foreign(policy):
        return
    faults = [
        Fault(
            file=document.name,
            pointer="/receipt/harness_sha",
            message=f"{document.result.receipt.harness_sha} was measured, {head} is judged",
            advice="run all jobs of the workflow again",
        )
        for document in bench.documents
        if document.result.receipt.harness_sha != head
    ]
    if faults:
        raise InvalidInputError(faults)


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardedBench:
    """A bench that looks at the runner's command files after each measurement."""

    bench: Bench
    files: CommandFiles

    def measure(self, policy: Policy, corpus: CorpusFiles) -> Measured:
        """Replay a corpus as a policy says.

        Raises:
            RunnerFilesError: The system under test wrote to the runner's files.
        """
        try:
            return self.bench.measure(policy, corpus)
        finally:
            self.files.restore()

    def survey(self, policy: Policy, corpus: CorpusFiles) -> Survey:
        """Read a corpus without replaying it."""
        return self.bench.survey(policy, corpus)


def judge_workflow_run(action: Action) -> Judged:
    """Judge what an untrusted run measured, reading commits as objects and running nothing."""
    origin = Origin.from_payload(action.payload)
    pulls = match_pulls(action.github.list_open_pulls(origin.head), origin)
    if len(pulls) == 1:
        action.target = aim(pulls[0], action)
    remote = Remote(url=action.event.url, token=action.inputs.token)
    with Repository.open_remote(remote, action.workspace) as repository:
        repository.prefix = action.inputs.working_directory
        name = f"brainbench-{find_name(action, repository, pulls[0])}"
        documents = fetch_results(action.github, origin.run_id, name)
        bench = parse_documents(documents, needs_rows=True)
        measured = bench.documents[0].result.receipt.harness_sha
        pull, choice = choose_origin(pulls, measured, repository, action.github.compare)
        action.target, action.by_fork = aim(pull, action), True
        sides = read_commits(repository, measured, choice, action.inputs.config)
        action.sides = sides
        refuse_contradictions(action.inputs, sides)
        refuse_other_commit(bench, sides)
        return judge_sides(sides, bench)


def aim(pull: Pull, action: Action) -> Target:
    """Give the place of a pull request's verdict."""
    return Target(
        head_sha=pull.head_sha,
        base_branch=pull.base_branch,
        number=pull.number,
        run_url=find_run_url(action.environ),
    )


def find_name(action: Action, repository: Repository, pull: Pull) -> str:
    """Give the gate's name: of the base's policy, else as the input says."""
    files = CommitTree(repository=repository, commit=pull.base_sha)
    policy = read_ground(files, action.inputs.config).policy
    return policy.name if policy else action.inputs.name or "main"


def find_run_url(environ: Mapping[str, str]) -> str:
    """Give the address of this workflow run."""
    names = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")
    if not all(environ.get(name) for name in names):
        return ""
    server, repository, run_id = (environ[name] for name in names)
    return f"{server}/{repository}/actions/runs/{run_id}"
