"""Inputs, origin, artifact and annotations: the action's pure parts, without a workflow."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.action import payloads
from tests.action.github_state import State
from tests.gate.gitrepo import Repo
from tests.report.accounts import baseline, details, regression

from brainbench_gate.action.annotations import annotate, find_line
from brainbench_gate.action.artifact import read_results
from brainbench_gate.action.dispatch import find_number
from brainbench_gate.action.inputs import Inputs
from brainbench_gate.action.judging import OtherHeadError, refuse_other_head
from brainbench_gate.action.origin import Origin, OriginError, Pull, choose_origin, match_pulls
from brainbench_gate.action.runner import CommandFiles, Runner, RunnerFilesError
from brainbench_gate.base import Remote, Repository
from brainbench_gate.escape import command_property, command_value, log_line
from brainbench_gate.ground import Ground
from brainbench_gate.measured import CorpusFiles
from brainbench_schema.errors import InvalidInputError, UsageError
from brainbench_schema.policy import Policy

HEAD, BASE = "a" * 40, "b" * 40


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("JOB", "both"),
        ("COMMENT", "yes"),
        ("INCLUDE_HOLDOUT", "maybe"),
        ("CONFIG", "/etc/passwd"),
        ("CONFIG", "a\nb"),
        ("WORKING_DIRECTORY", "../other"),
        ("WORKING_DIRECTORY", "..\\other"),
    ],
)
def test_input_that_cannot_be_is_refused(name: str, value: str) -> None:
    """Before anything else is looked at."""
    with pytest.raises(UsageError):
        Inputs.from_environ({f"BRAINBENCH_INPUT_{name}": value})


def test_only_the_events_head_or_its_merge_is_judged() -> None:
    """The status would stand there, whatever commit was measured."""
    head, merge, forged = HEAD, BASE, "c" * 40
    refuse_other_head(head, head, {})
    refuse_other_head(head, merge, {"GITHUB_SHA": merge})
    refuse_other_head("", forged, {"GITHUB_SHA": merge})
    for environ in ({"GITHUB_SHA": merge}, {}):
        with pytest.raises(OtherHeadError):
            refuse_other_head(head, forged, environ)


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A pull request on a server: base, head, and what GitHub made of them."""

    repo: Repo
    base: str
    head: str
    merge: str

    def choose(
        self, measured: str, *, pulls: tuple[int, ...] = (7,), stands: str | None = "ahead"
    ) -> tuple[int, str]:
        """Number and base commit of what a measured commit belongs to."""
        listed = [
            Pull(number=number, head_sha=self.head, base_sha=self.base, base_branch="main")
            for number in pulls
        ]
        remote = Remote(url=self.repo.path.as_uri())
        with Repository.open_remote(remote, self.repo.path) as repository:
            pull, choice = choose_origin(listed, measured, repository, lambda base, head: stands)
        assert choice.commit is not None
        return pull.number, choice.commit


@pytest.fixture
def served(tmp_path: Path) -> Served:
    """Main has moved on since the pull request was opened."""
    repo = Repo(tmp_path / "server")
    repo.git("config", "uploadpack.allowAnySHA1InWant", "true")
    base = repo.commit({"a": "1"})
    head = repo.branch("change").commit({"a": "2"})
    repo.checkout("main").commit({"b": "1"})
    return Served(repo=repo, base=base, head=head, merge=repo.pull_request(7, head))


def test_the_head_and_githubs_merge_of_it_are_believed(served: Served) -> None:
    """Each with the base that belongs to it."""
    assert (7, served.base) == served.choose(served.head)
    assert (7, served.repo.id("main")) == served.choose(served.merge)


def test_a_merge_that_github_did_not_make_is_not_believed(served: Served) -> None:
    """It has the right parents, and a tree of its author's choice."""
    main, head = served.repo.id("main"), served.head
    forged = served.repo.git("commit-tree", f"{main}^{{tree}}", "-p", main, "-p", head, "-m", "x")
    with pytest.raises(OriginError, match="of 0 of 1 open pull requests"):
        served.choose(forged)


@pytest.mark.parametrize("stands", ["behind", "diverged", None])
def test_a_merge_into_another_branch_is_not_believed(served: Served, stands: str | None) -> None:
    """Its first parent has to follow the base commit on the base branch."""
    with pytest.raises(OriginError):
        served.choose(served.merge, stands=stands)
    assert 7 == served.choose(served.merge, stands="identical")[0]


def test_a_merge_of_an_older_base_is_not_believed_any_more(served: Served) -> None:
    """Nobody can tell it from a forged one; updating the branch runs the gate again."""
    served.repo.checkout("main").commit({"c": "1"})
    served.repo.pull_request(7, served.head)
    with pytest.raises(OriginError) as caught:
        served.choose(served.merge)
    assert "update the branch" in caught.value.advice


def test_a_head_of_two_pull_requests_is_told_by_its_merge_alone(served: Served) -> None:
    """The head itself could be either's."""
    assert 7 == served.choose(served.merge, pulls=(7, 8))[0]
    with pytest.raises(OriginError, match="of 2 of 2"):
        served.choose(served.head, pulls=(7, 8))


def test_origin_is_read_from_the_trusted_event() -> None:
    """The list of pull requests in it is empty for forks, and not used."""
    origin = Origin.from_payload(payloads.workflow_run(head=HEAD, run_id=5))
    assert (origin.head, origin.head_repository_id, origin.run_id) == ("forker:change", 2002, 5)


def test_run_that_no_pull_request_started_is_refused() -> None:
    """A push's run has nobody to tell."""
    payload = payloads.workflow_run(head=HEAD, run_id=5)
    payload["workflow_run"]["event"] = "push"
    with pytest.raises(OriginError):
        Origin.from_payload(payload)


@pytest.mark.parametrize(
    ("head", "fork", "fits"), [(HEAD, 2002, True), ("c" * 40, 2002, False), (HEAD, 3003, False)]
)
def test_pull_request_is_kept_only_where_head_and_repository_agree(
    head: str, fork: int, fits: bool
) -> None:
    """The number in an artifact is never looked at."""
    origin = Origin.from_payload(payloads.workflow_run(head=HEAD, run_id=5))
    pull = State().add_pull(7, head=head, base=BASE, fork_id=fork)
    if fits:
        assert match_pulls([pull], origin)[0].number == 7
    else:
        with pytest.raises(OriginError):
            match_pulls([pull], origin)


def test_deleted_fork_is_no_match() -> None:
    """GitHub gives null for its repository."""
    origin = Origin.from_payload(payloads.workflow_run(head=HEAD, run_id=5))
    pull = State().add_pull(7, head=HEAD, base=BASE, fork_id=2002)
    pull["head"]["repo"] = None
    with pytest.raises(OriginError):
        match_pulls([pull], origin)


@pytest.mark.parametrize(("named", "number"), [("", None), ("  ", None), ("7", 7), (" 42 ", 42)])
def test_button_may_name_a_pull_request(named: str, number: int | None) -> None:
    """Without a number it is a run of its own branch."""
    payload = payloads.workflow_dispatch(pull_request=named)
    assert find_number("workflow_dispatch", payload) == number
    assert find_number("push", payload) is None


@pytest.mark.parametrize("named", ["-1", "7; rm", "٧", "refs/pull/7"])
def test_button_that_names_something_else_is_refused(named: str) -> None:
    """A number is digits and nothing more."""
    with pytest.raises(UsageError):
        find_number("workflow_dispatch", payloads.workflow_dispatch(pull_request=named))


def pack(files: dict[str, bytes]) -> bytes:
    """A ZIP file."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def test_results_are_given_in_order() -> None:
    """Repeats and grounds follow one another."""
    names = ["result.json", "result-10.json", "result-2.json", "main.json"]
    found = read_results(pack(dict.fromkeys(names, b"{}")), "brainbench-main")
    assert list(found) == [
        f"brainbench-main/{n}" for n in ("result.json", *sorted(names[1:3])[::-1])
    ]


@pytest.mark.parametrize(
    "data",
    [b"", b"PK", pack({}), pack({"../x.json": b"{}"}), pack({"a/result.json": b"{}"}),
     pack({"result.json": b"{}", "run.sh": b""})],
)  # fmt: skip
def test_odd_artifact_is_refused(data: bytes) -> None:
    """No ZIP file, no result, names that lead elsewhere, other kinds of files."""
    with pytest.raises(InvalidInputError):
        read_results(data, "brainbench-main")


def test_runner_files_are_put_back(tmp_path: Path) -> None:
    """What the memory wrote there is undone, and told."""
    environ = {"GITHUB_ENV": str(tmp_path / "env"), "GITHUB_PATH": str(tmp_path / "path")}
    Path(environ["GITHUB_ENV"]).write_text("kept", encoding="utf-8")
    files = CommandFiles.remember(environ)
    files.restore()
    Path(environ["GITHUB_ENV"]).write_text("LD_PRELOAD=/evil.so", encoding="utf-8")
    Path(environ["GITHUB_PATH"]).write_text("/evil", encoding="utf-8")
    with pytest.raises(RunnerFilesError, match="env, path"):
        files.restore()
    assert Path(environ["GITHUB_ENV"]).read_text("utf-8") == "kept"
    assert not Path(environ["GITHUB_PATH"]).exists()


@pytest.mark.parametrize("kept", [b"kept", None])
@pytest.mark.parametrize("kind", ["folder", "closed folder", "link", "link to nothing"])
def test_what_stands_in_a_runner_files_place_is_taken_away(
    tmp_path: Path, kind: str, kept: bytes | None
) -> None:
    """Also a link to a file that says the same: what is written next would land there."""
    path, other = tmp_path / "env", tmp_path / "other"
    if kept is not None:
        path.write_bytes(kept)
        other.write_bytes(kept)
    files = CommandFiles.remember({"GITHUB_ENV": str(path)})
    path.unlink(missing_ok=True)
    if kind.endswith("folder"):
        path.mkdir()
        (path / "inside").write_text("", encoding="utf-8")
        path.chmod(0 if kind.startswith("closed") else 0o700)
    else:
        path.symlink_to(other if kind == "link" else tmp_path / "nothing")
    with pytest.raises(RunnerFilesError, match="env"):
        files.restore()
    assert not path.is_symlink()
    assert (path.read_bytes() if path.exists() else None) == kept


def test_outputs_are_one_line_each(tmp_path: Path) -> None:
    """A value can't end its own heredoc."""
    runner = Runner(environ={"GITHUB_OUTPUT": str(tmp_path / "out")})
    runner.set_outputs({"reason": "a\nverdict=pass\r\nb"})
    text = (tmp_path / "out").read_text("utf-8")
    assert "a verdict=pass b\n" in text
    assert text.count("\n") == 3


def test_log_lines_are_no_commands() -> None:
    """Neither form of workflow command stands at the start of a line."""
    for line in log_line("::error::x\r::set-output name=a::b\n##[error]x").splitlines():
        assert line.startswith("| ")
        assert "##[" not in line
    assert command_value("50%\n::error::") == "50%25%0A::error::"
    assert command_property("a:b,c") == "a%3Ab%2Cc"


def test_annotation_points_to_the_turn() -> None:
    """File below the policy's folder, line of the turn."""
    fixture = b'{\n "turns": [\n  {"turn_id": 1},\n  {"turn_id": 3}\n ]\n}\n'
    corpus = CorpusFiles(fixtures={"push-007.fixture.json": fixture}, gold={})
    tree = Ground(policy=Policy(system="x"), corpus=corpus)
    [first] = annotate(regression(1), tree, "services/a")
    assert first.file == "services/a/evals/brainbench/fixtures/push-007.fixture.json"
    assert (first.line, first.level) == (4, "error")
    assert details(1)[0].item in first.title


def test_annotations_leave_room_for_the_baseline() -> None:
    """Forty items would push the numbers out; ten are all that GitHub shows."""
    corpus = CorpusFiles(
        fixtures={f"push-{number}.fixture.json": b"{}" for number in ("007", "011", "019")},
        gold={},
    )
    tree = Ground(policy=Policy(system="x"), corpus=corpus, baseline=baseline())
    found = annotate(regression(40), tree, ".")
    places = [one.file.split("/")[0] for one in found]
    assert ["evals"] * 8 + ["baselines"] * 2 == places


def test_line_that_is_not_found_is_the_first() -> None:
    """An annotation without a line would stand nowhere."""
    assert find_line("a\nb\n", "z") == 1
