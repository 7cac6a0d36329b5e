"""Attacks by way of what is published, and of what one job takes from another."""

from __future__ import annotations

import io
import re
import zipfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from tests.action.fake_github import serving_github
from tests.action.github_state import State
from tests.attacks.rows import row
from tests.gate.worlds import World, memory

from brainbench_gate.action.artifact import read_results
from brainbench_gate.action.github import GitHub
from brainbench_gate.action.inputs import Inputs, refuse_contradictions
from brainbench_gate.action.origin import Origin, OriginError, match_pulls
from brainbench_gate.action.publish import Published, Target, publish
from brainbench_gate.report.account import Account
from brainbench_gate.report.rendering import render_comment
from brainbench_gate.report.sections import marker
from brainbench_schema.errors import BrainbenchError, InvalidInputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from brainbench_gate.judging import Judged

HEAD, BASE = "9bd215e4" * 5, "3f0a77c1" * 5
WORSE = memory(deaf=["Cyd Moon", "Bob Ray"])
NASTY = [
    "a | b || c",
    "`code` ``` fence",
    "<img src=x onerror=alert(1)> <!-- hidden -->",
    "@team and @ada/all",
    "[link](https://example.org) ![image](https://example.org/x.png) https://example.org/y",
    "\u202etxt.exe \u2067rtl\u2069",
    "🎉 emoji \U0001f469\u200d\U0001f4bb",
    "line one\nline two\r\n\x1b[31mred",
]


def judged_with(tmp_path: Path, reason: str) -> Judged:
    """A regression that passes by a reason."""
    world = World(tmp_path)
    found = world.judge(world.propose(WORSE, bless=f"push_recall is traded for speed: {reason}"))
    assert found.judged is not None
    return found.judged


def comment_of(judged: Judged) -> str:
    """The comment on a verdict."""
    runs = tuple(judged.list_runs())
    account = Account(document=judged.document, version="1.0", runs=runs)
    return render_comment(account)


@contextmanager
def client(state: State) -> Iterator[GitHub]:
    """A client of a fake GitHub."""
    with serving_github(state) as server:
        github = GitHub(server.url, state.repository, state.token, pause=lambda seconds: None)
        try:
            yield github
        finally:
            github.close()


def put(state: State, judged: Judged, branch: str = "main", number: int = 7) -> Published:
    """Publish a verdict."""
    target = Target(head_sha=HEAD, base_branch=branch, number=number)
    with client(state) as github:
        return publish(judged.document, comment_of(judged), target, github, mode="always")


@row(25)
@pytest.mark.parametrize("text", NASTY)
def test_no_text_breaks_out_of_the_comment(tmp_path: Path, text: str) -> None:
    """The table stays whole, nobody is pinged, nothing is fetched."""
    body = comment_of(judged_with(tmp_path, f"{text} {marker('main')}"))
    assert body.startswith(marker("main"))
    assert 1 == body.count(marker("main"))
    outside = re.sub(r"(`+).+?\1", "", body, flags=re.DOTALL)
    assert not re.search(r"(^|[^\w&;])@\w|<img|\]\(http|!\[|[\u202e\u2067\x1b]", outside)
    tables = re.findall(r"(?:^\|.*\n)+", body, flags=re.MULTILINE)
    for table in tables:
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert 1 == len(widths)


@row(26)
def test_a_strangers_comment_is_left_alone(tmp_path: Path) -> None:
    """It carries the marker, and another author."""
    state = State()
    state.add_pull(7, head=HEAD, base=BASE)
    forged = state.add_comment(7, f"{marker('main')}\nall is well", login="mallory", kind="User")
    put(state, judged_with(tmp_path, "as agreed"))
    assert f"{marker('main')}\nall is well" == forged["body"]
    assert 2 == len(state.comments)


@row(28)
def test_an_artifact_of_another_head_is_not_matched() -> None:
    """Numbers come from the trusted event; head and repository have to agree."""
    origin = Origin(
        run_id=1, head_sha=HEAD, head_branch="topic", head_owner="ada", head_repository_id=5
    )
    pull = {
        "number": 7,
        "head": {"sha": HEAD, "repo": {"id": 5}},
        "base": {"sha": BASE, "ref": "main"},
    }
    assert [7] == [found.number for found in match_pulls([pull], origin)]
    for head in ({"sha": BASE, "repo": {"id": 5}}, {"sha": HEAD, "repo": {"id": 6}}):
        with pytest.raises(OriginError):
            match_pulls([{**pull, "head": head}], origin)


def packed(**files: bytes) -> bytes:
    """A ZIP file of these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


@row(28)
@pytest.mark.parametrize(
    "data",
    [
        packed(**{"../result.json": b"{}"}),
        packed(**{"/etc/passwd": b"{}"}),
        packed(**{"comment.md": b"**all is well**"}),
        packed(**{f"result-{number}.json": b"{}" for number in range(200)}),
        b"PK is no archive",
    ],
)
def test_an_odd_archive_is_refused(data: bytes) -> None:
    """Names that lead elsewhere, files of another kind, too many of them."""
    with pytest.raises(InvalidInputError):
        read_results(data, "brainbench-main")


@row(28)
def test_a_bomb_is_not_inflated() -> None:
    """What it says of its size is believed, and checked."""
    with pytest.raises(InvalidInputError, match=r".*"):
        read_results(packed(**{"result.json": b"\0" * (65 * 1024 * 1024)}), "brainbench-main")


@row(30)
def test_an_older_run_does_not_overwrite_a_newer_heads_comment(tmp_path: Path) -> None:
    """The pull request is asked for its head before anything is posted."""
    state = State()
    state.add_pull(7, head=BASE, base=BASE)
    newer = state.add_comment(7, f"{marker('main')}\nof the newer head")
    done = put(state, judged_with(tmp_path, "as agreed"))
    assert f"{marker('main')}\nof the newer head" == newer["body"]
    assert "newer head" in done.remarks[0]


@row(33)
@pytest.mark.parametrize(
    "given",
    [
        {"BRAINBENCH_INPUT_SYSTEM": "stub"},
        {"BRAINBENCH_INPUT_SUITES": "push"},
        {"BRAINBENCH_INPUT_HARNESSES": "codex"},
        {"BRAINBENCH_INPUT_RESULT": "mine.json"},
        {"BRAINBENCH_INPUT_INCLUDE_HOLDOUT": "true"},
        {"BRAINBENCH_INPUT_NAME": "other"},
    ],
)
def test_inputs_may_not_contradict_the_policy(tmp_path: Path, given: dict[str, str]) -> None:
    """The workflow file may come from the pull request."""
    world = World(tmp_path)
    sides = world.judge(world.propose(WORSE)).judged
    assert sides is not None
    refuse_contradictions(Inputs(), sides.sides)
    with pytest.raises(BrainbenchError) as caught:
        refuse_contradictions(Inputs.from_environ(given), sides.sides)
    assert "input-contradicts-policy" == caught.value.reason


@row(29)
@pytest.mark.parametrize("value", ['"; rm -rf /', "${{ secrets.TOKEN }}", "a\nb", "../up", "/abs"])
def test_an_odd_input_stays_a_value(value: str) -> None:
    """A place that leaves the checkout is refused; any other text is only ever compared."""
    inputs = Inputs.from_environ({"BRAINBENCH_INPUT_SYSTEM": value})
    assert value == inputs.system
    for name in ("CONFIG", "WORKING_DIRECTORY"):
        if value.startswith(("/", "..")) or "\n" in value:
            with pytest.raises(UsageError):
                Inputs.from_environ({f"BRAINBENCH_INPUT_{name}": value})
        else:
            assert value in vars_of(Inputs.from_environ({f"BRAINBENCH_INPUT_{name}": value}))


def vars_of(inputs: Inputs) -> list[str]:
    """The values of all inputs."""
    return [str(getattr(inputs, name)) for name in inputs.__dataclass_fields__]


@row(45)
def test_a_status_is_of_one_base_branch(tmp_path: Path) -> None:
    """The same head proposed for another branch turns another status green."""
    state = State()
    state.add_pull(7, head=HEAD, base=BASE)
    judged = judged_with(tmp_path, "as agreed")
    put(state, judged, "main")
    put(state, judged, "release")
    contexts = [status["context"] for status in state.statuses]
    assert ["brainbench/main/main", "brainbench/main/release"] == contexts
