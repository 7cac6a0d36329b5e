"""Attacks by the system under test, and by whoever hands in what was measured."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.attacks.rows import row
from tests.gate.memories import DescribedBench
from tests.gate.worlds import (
    BASELINE,
    FIXTURES,
    GOLD,
    ITEMS,
    POLICY,
    TREE,
    World,
    asks,
    memory,
)
from tests.systems.kinds import PROGRAMS, make_entry, talk_corpus

from brainbench_gate.bench.measuring import Plan, measure
from brainbench_gate.bench.recorded import parse_documents
from brainbench_gate.seal import find_own_folders, put_seal
from brainbench_replay.systems.surroundings import surround
from brainbench_schema.errors import BrainbenchError, MemorySystemError, UsageError
from brainbench_schema.policy import POLICY_FILE, SystemEntry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from brainbench_gate.measured import CorpusFiles, Measured, Survey
    from brainbench_schema.policy import Policy
    from brainbench_schema.result import Result

NEW = f"{FIXTURES}/new.fixture.json"


@row(21)
@pytest.mark.parametrize("path", [f"{GOLD}/bob.gold.json", NEW, BASELINE, ITEMS, POLICY_FILE])
def test_what_is_judged_by_may_not_change_during_the_run(tmp_path: Path, path: str) -> None:
    """Corpus, gold, policy and baselines are hashed before and after."""
    world = World(tmp_path)
    found = world.judge(world.propose(memory(deaf=["Cyd Moon"], touches={path: "{}"})))
    assert (2, "ground-changed") == (found.code, found.reason)
    assert path in found.text


@row(21)
def test_the_judge_is_sealed_too(tmp_path: Path) -> None:
    """A changed, a new and a vanished file of its packages break the seal."""
    own = tmp_path / "package"
    own.mkdir()
    (own / "rules.py").write_text("strict")
    (own / "link.py").symlink_to("rules.py")
    seal = put_seal([own])
    seal.require_unbroken()
    changes: list[Callable[[], object]] = [
        lambda: (own / "rules.py").write_text("lax"),
        lambda: (own / "extra.py").write_text(""),
        (own / "rules.py").unlink,
        lambda: (own / "link.py").rename(own / "other.py"),
    ]
    for change in changes:
        broken = put_seal([own])
        change()
        with pytest.raises(BrainbenchError, match="changed while the system under test ran"):
            broken.require_unbroken()
    assert {"brainbench_gate", "brainbench_schema", "brainbench_replay"} == {
        folder.name for folder in find_own_folders()
    }


@row(22)
@pytest.mark.parametrize("command", ["::error::x", "::add-mask::a", "::stop-commands::t"])
def test_a_printed_command_is_quoted(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    """The runner reads commands at the start of a line; none of the system's starts one."""
    shout = f"import sys\nprint({command!r}, file=sys.stderr, flush=True)\n"
    sound = (PROGRAMS / "memory.py").read_text("utf-8")
    (tmp_path / "memory.py").write_text(f"{shout}{sound}", encoding="utf-8")
    entry = SystemEntry(kind="command", command=(sys.executable, "memory.py"))
    plan = Plan(system="loud", systems={"loud": entry}, folder=tmp_path)
    measure(talk_corpus(), plan)
    said = capfd.readouterr()
    assert command in said.err
    assert not any(line.lstrip().startswith("::") for line in said.err.splitlines())
    assert "" == said.out


@row(23)
def test_gold_is_not_to_be_found_where_the_system_runs(tmp_path: Path) -> None:
    """Its folder shows everything but what is sealed, and the runner's variables stay out."""
    world = World(tmp_path)
    job = world.origin.path
    sealed = [job / path for path in (GOLD, FIXTURES, BASELINE, ITEMS)]
    runner = {"GITHUB_TOKEN": "secret", "GITHUB_EVENT_PATH": "event.json", "PATH": os.defpath}
    with surround(job, sealed=sealed, names=("PATH",), environ=runner) as around:
        seen = [path.relative_to(around.work).as_posix() for path in _walk(around.work)]
        assert "memory.json" in seen
        assert [] == [path for path in seen if path.endswith((".gold.json", "main.json"))]
        assert [] == [name for name in around.env if name.startswith("GITHUB_")]
    with (
        pytest.raises(UsageError),
        surround(job, sealed=sealed, names=("GITHUB_TOKEN",), environ=runner),
    ):
        pytest.fail("a variable of the runner was let through")


def _walk(folder: Path) -> Iterator[Path]:
    """Follow links as a program would."""
    for place, _, names in os.walk(folder, followlinks=True):
        yield from (Path(place, name) for name in names)


@row(24)
@pytest.mark.parametrize("fault", ["crash", "fork-and-die", "hang", "wrong-id", "late"])
def test_a_system_that_fails_as_a_program_is_never_scored(fault: str) -> None:
    """It is an error with its place, which is exit 2."""
    entry = make_entry("command", fault, timeout_s=1)
    plan = Plan(system="tested", systems={"tested": entry}, folder=PROGRAMS, harnesses=("codex",))
    with pytest.raises(MemorySystemError, match="turn 3"):
        measure(talk_corpus(), plan)


@row(24)
def test_a_system_that_does_not_answer_is_exit_2(tmp_path: Path) -> None:
    """Neither a pass nor a regression."""
    world = World(tmp_path)
    found = world.judge(world.propose({"memory.json": None}))
    assert (2, "system") == (found.code, found.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedBench:
    """Hands in what was measured, with the document changed."""

    bench: DescribedBench
    edit: Callable[[Result], Result]

    def measure(self, policy: Policy, corpus: CorpusFiles) -> Measured:
        """Measure, then change."""
        run = self.bench.measure(policy, corpus)
        return replace(run, result=self.edit(run.result))

    def survey(self, policy: Policy, corpus: CorpusFiles) -> Survey:
        """Read a corpus."""
        return self.bench.survey(policy, corpus)


@row(34)
def test_a_gated_metric_may_not_go_missing(tmp_path: Path) -> None:
    """What main carries has to be there still."""
    world = World(tmp_path)

    def drop(result: Result) -> Result:
        cells = [
            replace(cell, metrics={k: v for k, v in cell.metrics.items() if k != "push_recall"})
            for cell in result.cells
        ]
        return replace(result, cells=tuple(cells))

    found = world.judge(
        world.propose({"README.md": "a word"}),
        make_bench=lambda sides: EditedBench(bench=DescribedBench(folder=sides.folder), edit=drop),
    )
    assert (1, "regression") == (found.code, found.reason)
    assert "codex/push push_recall" in found.lines
    assert {None} == {breach.current for breach in found.verdict.breaches}


def measured(world: World, head: str) -> Any:
    """The result document of a head, as JSON."""
    judged = world.judge(head).judged
    assert judged is not None
    return json.loads(judged.run.result.serialize())


def judge_document(world: World, head: str, document: Any) -> tuple[int, str, str]:
    """Judge a head by a document that somebody hands in."""
    data = json.dumps(document).encode()
    found = world.judge(head, make_bench=lambda sides: parse_documents({"result.json": data}))
    return found.code, found.reason, found.text


@row(35)
def test_cells_have_to_follow_from_their_rows(tmp_path: Path) -> None:
    """Counts and metrics are computed again."""
    world = World(tmp_path)
    head = world.propose(memory(deaf=["Cyd Moon", "Bob Ray"]))
    document = measured(world, head)
    assert 1 == judge_document(world, head, document)[0]
    for cell in document["cells"]:
        if cell["suite"] == "push":
            cell["gold_failed"] = 1
            cell["metrics"]["push_recall"] = 0.75
    code, reason, text = judge_document(world, head, document)
    assert (2, "bad-input") == (code, reason)
    assert "contradicts its rows" in text


@row(9)
def test_a_result_without_rows_does_not_hide_which_items_fail(tmp_path: Path) -> None:
    """Where main's items are known, a foreign runner has to go on telling them."""
    foreign = POLICY.replace("kind: command", "kind: result")
    world = World(tmp_path, {**TREE, POLICY_FILE: foreign, **asks("eve", "Eve Oak")})
    world.origin.commit(world.blessed())
    head = world.propose(memory(deaf=["Eve Oak"]))
    document = measured(world, head) | {"turn_rows": [], "item_rows": []}
    code, reason, text = judge_document(world, head, document)
    assert (1, "regression") == (code, reason)
    assert "no rows tell the items of codex/push" in text


@row(38)
def test_a_part_is_not_judged_as_the_whole(tmp_path: Path) -> None:
    """Each turn that the corpus asks for needs its row."""
    world = World(tmp_path)
    head = world.propose(memory(deaf=["Cyd Moon", "Bob Ray"]))
    document = measured(world, head)
    rows = document["turn_rows"]
    document["turn_rows"] = [entry for entry in rows if entry["fixture_id"] != "bob"]
    code, reason, text = judge_document(world, head, document)
    assert (2, "bad-input") == (code, reason)
    assert "no row for turn 1 of 'bob'" in text
    document["turn_rows"] = [*rows, rows[0]]
    assert 2 == judge_document(world, head, document)[0]


@row(48)
def test_two_replays_have_to_be_equal_where_that_is_asked(tmp_path: Path) -> None:
    """A system that answers otherwise each time can't be verified."""
    world = World(tmp_path)
    head = world.propose(memory(deaf=["Cyd Moon"], moody=["Bob Ray"]))
    assert 0 == world.judge(head).code
    found = world.judge(head, verify=True)
    assert (2, "not-reproducible") == (found.code, found.reason)
    assert "turn_rows/" in found.lines
    assert 0 == world.judge(world.propose({"README.md": "a word"}), verify=True).code


@row(48)
def test_several_replays_are_settled_and_the_system_is_called_unstable(tmp_path: Path) -> None:
    """What lies within the spread keeps main's value; a real loss does not."""
    world = World(tmp_path)
    world.merge(
        world.propose(
            {POLICY_FILE: f"{POLICY}repeats: 3\n"}, bless="policy: three replays from now on"
        )
    )
    moody = world.judge(world.propose(memory(deaf=["Cyd Moon"], moody=["Bob Ray"])))
    assert (0, "held") == (moody.code, moody.reason)
    assert "unstable" in moody.lines
    assert "bob#1 (codex/know-to-ask): fails in 1 of 3" in moody.lines
    lost = world.judge(world.propose(memory(deaf=["Cyd Moon", "Ada Byron"], moody=["Bob Ray"])))
    assert (1, "regression") == (lost.code, lost.reason)
