"""The real action where the policy asks for the second benchmark too: `nox -s action`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.action.acting import make_template
from tests.action.consumer import POLICY, WORSE
from tests.action.two_jobs import TWO_JOBS, judge_fork, measure_fork, read_artifact, write_artifact

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.action.acting import Files, World

DATASET = "evals/braincore.jsonl"
RECALL = "recall: {{dataset: {dataset}, adapter: {adapter}, baseline: baselines/braincore.json}}\n"
OWN, KEYWORD = '"lookup:Memory"', "keyword"
LOOKUP = """\
class Memory:
    def ingest(self, raw_memories):
        self.memories = raw_memories

    def retrieve(self, query, top_k=1):
        words = set(query.lower().strip("?").split())
        found = [one for one in self.memories if words & set(one["text"].lower().split())]
        return found[:top_k]

    def storage_bytes(self):
        return 0
"""
LOST = {"lookup.py": LOOKUP.replace("found[:top_k]", "found[:top_k] if 'weir' in query else []")}
LOST_QUERY = "Which kettle boils?"


def session(name: str, query: str, *texts: str) -> str:
    """A line of the dataset; the first memory is asked for."""
    memories = [
        {"memory_id": f"m{place}", "timestamp": f"2030-01-0{place}T00:00:00Z", "text": text}
        for place, text in enumerate(texts, 1)
    ]
    asked = {
        "query_id": "q1",
        "query_text": query,
        "expected_answer": texts[0],
        "query_type": "retrieval",
        "required_memory_ids": ["m1"],
    }
    return json.dumps({"session_id": name, "memories": memories, "queries": [asked]}) + "\n"


SESSIONS = (
    session("weir", "Where is the weir?", "The weir is in Oker.", "A heron sleeps.")
    + session("kettle", LOST_QUERY, "The red kettle boils.", "A window opens.")
)  # fmt: skip
MORE = SESSIONS + session("rope", "Who has the rope?", "Ada has the rope.", "Fog comes in.")
HARDER = SESSIONS + session(
    "tea", "What is drunk at dawn?", "Ivo likes cocoa.", "At dawn it rains."
)


def policy_with(adapter: str) -> str:
    """A policy that asks for both benchmarks."""
    return POLICY.format(name="main") + RECALL.format(dataset=DATASET, adapter=adapter)


@pytest.fixture
def recalling(make_world: Callable[..., World], tmp_path: Path) -> Callable[[str], World]:
    """Makes a world whose main branch has baselines of both benchmarks."""

    def make(adapter: str) -> World:
        files = {"brainbench.yml": policy_with(adapter), DATASET: SESSIONS, "lookup.py": LOOKUP}
        return make_world(start=make_template(tmp_path / "recalling", files=files))

    return make


@pytest.mark.parametrize("adapter", [KEYWORD, OWN])
def test_both_benchmarks_hold(recalling: Callable[[str], World], adapter: str) -> None:
    """One verdict and one status; the artifact holds the files of both."""
    world = recalling(adapter)
    run = world.judge(world.change({"README.md": "hello\n"}))
    assert run.verdict() == ("pass", "held"), run.log
    assert run.outputs["recall-mode"] == "same-hash"
    assert len(world.state.statuses) == 1
    assert sorted(read_artifact(world)) == [
        "braincore.items.json",
        "braincore.json",
        "main.items.json",
        "main.json",
        "result-2.json",
        "result.json",
    ]


def test_a_query_that_is_lost_blocks_and_is_named(recalling: Callable[[str], World]) -> None:
    """The first benchmark holds, and doesn't speak for the second."""
    world = recalling(OWN)
    run = world.judge(world.change(LOST))
    assert run.verdict() == ("regression", "regression"), run.log
    assert (run.outputs["newly-failed"], run.outputs["recall-mode"]) == ("1", "same-hash")
    [comment] = world.state.comments
    assert "kettle/q1" in comment["body"]
    assert LOST_QUERY in comment["body"]
    assert world.state.statuses[-1]["state"] == "failure"


def test_both_benchmarks_worse_are_told_in_one_comment(recalling: Callable[[str], World]) -> None:
    """What was lost of each."""
    world = recalling(OWN)
    run = world.judge(world.change({**LOST, **WORSE}))
    assert run.verdict() == ("regression", "regression"), run.log
    assert run.outputs["newly-failed"] == "2"
    [comment] = world.state.comments
    assert "kettle/q1" in comment["body"]
    assert "tiny-project" in comment["body"]


def test_a_worse_adapter_with_a_reason_passes_and_is_shown(
    recalling: Callable[[str], World],
) -> None:
    """The reason stands in the first benchmark's baseline, for both."""
    world = recalling(OWN)
    reason = "lookup:Memory/retrieval: kettles are out of scope from this month on"
    run = world.judge(world.change(LOST, "--justification", reason))
    assert run.verdict()[0] == "pass", run.log
    assert "kettles are out of scope" in world.state.comments[0]["body"]


def test_a_dataset_change_needs_its_baseline(recalling: Callable[[str], World]) -> None:
    """Without one nothing is judged; with one it passes as what it is."""
    world = recalling(KEYWORD)
    run = world.judge(world.change({DATASET: MORE}))
    assert run.verdict()[0] == "inconclusive", run.log
    assert "braincore" in world.state.comments[0]["body"]
    run = world.judge(world.change({DATASET: MORE}, ""))
    assert run.verdict()[0] == "pass", run.log
    assert run.outputs["recall-mode"] == "corpus-bless"


def test_a_harder_dataset_needs_a_reason(recalling: Callable[[str], World]) -> None:
    """CI's own files, committed without one, don't let it pass; rates fall."""
    world = recalling(KEYWORD)
    world.judge(world.change({DATASET: HARDER}))
    files = {f"baselines/{name}": data for name, data in read_artifact(world).items()}
    own = {name: data for name, data in files.items() if "result" not in name}
    run = world.judge(world.change({DATASET: HARDER, **own}))
    assert run.verdict()[0] == "regression", run.log
    assert "keyword/retrieval" in world.state.comments[0]["body"]
    reason = "keyword/retrieval: questions whose words differ from the answer's are new here"
    run = world.judge(world.change({DATASET: HARDER}, "--justification", reason))
    assert run.verdict()[0] == "pass", run.log
    assert "are new here" in world.state.comments[0]["body"]


def test_a_dataset_change_does_not_hide_the_code(recalling: Callable[[str], World]) -> None:
    """Main's own questions are asked first."""
    world = recalling(OWN)
    easier = "".join(SESSIONS.splitlines(keepends=True)[:1])
    run = world.judge(world.change({**LOST, DATASET: easier}))
    assert run.verdict()[0] in ("regression", "inconclusive"), run.log
    assert "kettle/q1" in world.state.comments[0]["body"]


def test_another_adapter_is_a_change_of_policy(recalling: Callable[[str], World]) -> None:
    """Refused without a baseline; with one it needs a reason that names the policy."""
    world = recalling(KEYWORD)
    worse: Files = {"brainbench.yml": policy_with("empty")}
    assert world.judge(world.change(worse)).verdict()[0] == "inconclusive"
    reason = "policy: the second benchmark measures the anchor until the new index is there"
    run = world.judge(world.change(worse, "--justification", reason))
    assert run.verdict()[0] == "pass", run.log
    assert "keyword" in world.state.comments[0]["body"]


@pytest.mark.parametrize(
    ("files", "verdict"), [({"README.md": "hello\n"}, "pass"), (LOST, "regression")]
)
def test_two_jobs_hand_over_both_benchmarks(
    recalling: Callable[[str], World], files: Files, verdict: str
) -> None:
    """The judge counts the rows of both again."""
    world = recalling(OWN)
    run = world.judge(world.change(files), workflow=TWO_JOBS)
    assert run.jobs == {"measure", "judge"}
    assert (run.verdict()[0], run.outputs["recall-mode"]) == (verdict, "same-hash"), run.log


@pytest.mark.parametrize(
    ("files", "verdict"), [({"README.md": "hello\n"}, "pass"), (LOST, "regression")]
)
def test_a_fork_is_judged_on_both_benchmarks(
    recalling: Callable[[str], World], files: Files, verdict: str
) -> None:
    """By the trusted workflow, from the dataset as git has it."""
    world = recalling(OWN)
    head = world.change(files)
    measure_fork(world, head)
    run = judge_fork(world, head)
    assert (run.verdict()[0], run.outputs["recall-mode"]) == (verdict, "same-hash"), run.log
    assert ("kettle/q1" in str(world.state.comments)) == (verdict == "regression")


def test_a_fork_that_leaves_the_second_result_out_is_not_judged(
    recalling: Callable[[str], World],
) -> None:
    """What main gates has to be measured."""
    world = recalling(OWN)
    head = world.change(LOST)
    measure_fork(world, head)
    files = read_artifact(world)
    write_artifact(world, {"result.json": files["result.json"]})
    run = judge_fork(world, head)
    assert run.verdict()[0] == "inconclusive", run.log
