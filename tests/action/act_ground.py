"""The real action where baseline, corpus or policy change: `nox -s action`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.action.consumer import LEAKY, POLICY, WORSE, add_case, write_json
from tests.action.two_jobs import read_artifact

if TYPE_CHECKING:
    from tests.action.acting import Files, World

REASON = "push and know-to-ask: the page of the weir was retired on purpose, nobody asks for it"
LEAK = (
    "openclaw/know-to-ask, claude-code/know-to-ask: source_isolation_violations rise, because "
    "pages of every source are meant to be read from everywhere now"
)


def test_blessed_with_a_reason_passes_and_is_shown(world: World) -> None:
    """A reviewer sees the reason and what it covers."""
    names = ", ".join(f"{harness}/push" for harness in ("openclaw", "claude-code", "codex"))
    head = world.change(WORSE, "--justification", f"{names}: {REASON}")
    run = world.judge(head)
    assert run.verdict()[0] == "pass", run.log
    [comment] = world.state.comments
    assert "Worse, with a reason to review" in comment["body"]
    assert "the page of the weir was retired on purpose" in comment["body"]


def test_blessed_without_a_reason_is_a_regression(world: World) -> None:
    """The artifact's own files, committed without a reason, don't let it pass."""
    world.judge(world.change(WORSE))
    files = read_artifact(world)
    assert sorted(files) == ["main.items.json", "main.json", "result.json"]
    baseline = {f"baselines/{name}": files[name] for name in ("main.json", "main.items.json")}
    run = world.judge(world.change({**WORSE, **baseline}))
    assert run.verdict()[0] == "regression", run.log


def test_leak_blocks_whatever_is_recorded(world: World) -> None:
    """A fresh reason that names number and cells doesn't lift it; `bless` would not write it."""
    first = world.judge(world.change({"memory.py": LEAKY}))
    assert first.verdict() == ("regression", "isolation"), first.log
    leaks = int(first.outputs["isolation-violations"])
    made = read_artifact(world)
    document = json.loads(made["main.json"]) | {"justification": LEAK}
    files: Files = {
        "memory.py": LEAKY,
        "baselines/main.json": write_json(document),
        "baselines/main.items.json": made["main.items.json"],
    }
    run = world.judge(world.change(files))
    assert run.verdict() == ("regression", "isolation"), run.log
    assert not run.ok
    assert "both files equal this run" in world.state.comments[0]["body"]
    assert int(run.outputs["isolation-violations"]) == leaks > 0
    assert world.state.statuses[-1]["state"] == "failure"


def test_corpus_change_needs_its_baseline(world: World) -> None:
    """Without one nothing is judged; with one it passes as what it is."""
    assert world.judge(world.change(add_case(1))).verdict()[0] == "inconclusive"
    run = world.judge(world.change(add_case(1), ""))
    assert run.verdict()[0] == "pass", run.log
    assert (run.outputs["mode"], run.outputs["corpus-changed"]) == ("corpus-bless", "true")
    assert "more-1.fixture.json" in world.state.comments[0]["body"]
    assert "result-2.json" in read_artifact(world)


def test_policy_change_needs_baseline_and_reason(world: World) -> None:
    """Fewer suites: refused without, shown with a reason that names the policy."""
    narrow = {"brainbench.yml": POLICY.format(name="main") + "suites: [know-to-ask, push]\n"}
    assert world.judge(world.change(narrow)).verdict()[0] == "inconclusive"
    reason = "policy: the two suites about conversations move to a gate of their own next week"
    run = world.judge(world.change(narrow, "--justification", reason))
    assert run.verdict()[0] == "pass", run.log
    assert "suites" in world.state.comments[0]["body"]


def test_deleted_baseline_is_refused_by_name(world: World) -> None:
    """Deleting what blocks does not unblock."""
    run = world.judge(world.change({"baselines/main.json": None}))
    assert run.verdict()[0] == "inconclusive", run.log
    assert "baselines/main.json" in world.state.comments[0]["body"]


def test_files_that_ci_made_can_be_blessed(world: World) -> None:
    """The way out for a contributor without Python, or with other numbers than CI."""
    world.judge(world.change(add_case(1)))
    folder = world.folder / "ci-run"
    folder.mkdir()
    for name, data in read_artifact(world).items():
        (folder / name).write_bytes(data)
    head = world.change(add_case(1), "--result", str(folder))
    run = world.judge(head)
    assert run.verdict()[0] == "pass", run.log
