"""A system that looks around finds no gold: not in its environment, arguments, folder or files."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import pytest
from tests.systems.kinds import PROGRAMS

from brainbench_gate.bench.measuring import Plan, measure, seal
from brainbench_replay.corpus import read_corpus
from brainbench_schema.errors import UsageError
from brainbench_schema.policy import Policy, SystemEntry

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "zanthoxylum"
SNOOP = r"""
import json, os, sys
from pathlib import Path

def look():
    yield from os.environ.items()
    yield from enumerate(sys.argv)
    yield "cwd", os.getcwd()
    for entry in Path("/proc/self/fd").iterdir():
        try:
            yield entry.name, os.readlink(entry)
        except OSError:
            pass
    for place, folders, files in os.walk(os.getcwd(), followlinks=True):
        for name in files:
            path = Path(place, name)
            yield str(path), path.read_bytes().decode("utf-8", "replace")

seen = [[str(key), str(value)] for key, value in look()]
Path(os.environ["SNOOP_OUT"]).write_text(json.dumps(seen))
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with corpus, gold, baseline and a memory that looks around as it starts."""
    folder = tmp_path / "repository"
    for name in ("evals/fixtures", "evals/gold", "evals/generator", "baselines", ".git", "src"):
        (folder / name).mkdir(parents=True)
    page = {"slug": "people/ana", "content": "---\ntitle: Ana\n---\nA keeper.\n"}
    turn = {"turn_id": 1, "role": "user", "text": "Where is Ana?"}
    fixture = {"schema_version": 1, "fixture_id": "gold-one", "suites": ["know-to-ask"]}
    gold = {
        "fixture_id": "gold-one",
        "turns": {"1": {"should_retrieve": True, "gold_slugs": [SECRET]}},
    }
    document = {**fixture, "seed_pages": [page], "turns": [turn]}
    (folder / "evals/fixtures/one.fixture.json").write_text(json.dumps(document))
    (folder / "evals/gold/one.gold.json").write_text(json.dumps(gold))
    (folder / "evals/generator/scene.py").write_text(SECRET)
    (folder / "evals/notes.txt").write_text("free to see")
    (folder / "baselines/main.json").write_text(SECRET)
    (folder / "baselines/main.items.json").write_text(SECRET)
    (folder / ".git/packed").write_text(SECRET)
    (folder / "brainbench.yml").write_text("gold: evals/gold")
    source = (PROGRAMS / "memory.py").read_text("utf-8")
    (folder / "src/memory.py").write_text(source.replace("\nALL", f"{SNOOP}\nALL", 1))
    return folder


def test_nothing_leads_to_gold(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither gold nor a path to it is reachable; what the policy lets through is."""
    out = tmp_path / "seen.json"
    monkeypatch.setenv("SNOOP_OUT", str(out))
    monkeypatch.setenv("GITHUB_TOKEN", SECRET)
    monkeypatch.setenv("SOME_API_KEY", SECRET)
    monkeypatch.setenv("PWD", str(repository / "evals/gold"))
    monkeypatch.chdir(repository)
    policy = Policy(
        system="snoop",
        fixtures="evals/fixtures",
        gold="evals/gold",
        systems={
            "snoop": SystemEntry(
                kind="command",
                command=(sys.executable, "src/memory.py"),
                env=("SNOOP_OUT",),
            )
        },
    )
    plan = Plan(
        system="snoop",
        systems=policy.systems,
        folder=repository,
        sealed=seal(repository, policy),
        harnesses=("codex",),
    )
    measure(read_corpus(repository / "evals/fixtures", repository / "evals/gold"), plan)
    seen: list[tuple[str, str]] = json.loads(out.read_text("utf-8"))
    own = [place for place, text in seen if SECRET in text and not place.endswith("memory.py")]
    assert own == []
    assert [place for place, text in seen if "evals/gold" in text or "gold-one" in text] == []
    assert any(place.endswith("evals/notes.txt") for place, _ in seen)
    assert any(place == "SNOOP_OUT" for place, _ in seen)


def test_fixture_ids_do_not_cross(repository: Path, tmp_path: Path) -> None:
    """Nothing that is sent carries the fixture's id."""
    log = tmp_path / "sent.jsonl"
    source, asked = (PROGRAMS / "memory.py").read_text("utf-8"), "        send(answer("
    logged = source.replace(asked, f"        open({os.fspath(log)!r}, 'a').write(line)\n{asked}", 1)
    (repository / "src/memory.py").write_text(logged)
    entry = SystemEntry(kind="command", command=(sys.executable, "src/memory.py"))
    plan = Plan(system="logged", systems={"logged": entry}, folder=repository)
    measure(read_corpus(repository / "evals/fixtures", repository / "evals/gold"), plan)
    sent = log.read_text("utf-8")
    assert "Where is Ana?" in sent
    assert "gold-one" not in sent
    assert SECRET not in sent


@pytest.mark.parametrize("name", ["GITHUB_TOKEN", "ACTIONS_RUNTIME_TOKEN", "RUNNER_TEMP"])
def test_the_runner_s_variables_are_never_let_through(repository: Path, name: str) -> None:
    """A policy that names one is refused."""
    entry = SystemEntry(kind="command", command=("true",), env=(name,))
    plan = Plan(system="asks", systems={"asks": entry}, folder=repository)
    corpus = read_corpus(repository / "evals/fixtures", repository / "evals/gold")
    with pytest.raises(UsageError, match="never handed"):
        measure(corpus, plan)
