"""The second benchmark under the gate: the same rules, the same refusals, one verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.gate.command_line import brainbench
from tests.gate.gitrepo import Repo

from brainbench_gate.recall_view import own_floors, view_recall
from brainbench_schema.policy import Policy, Recall

CORPUS = Path(__file__).parents[1] / "conformance" / "corpus"
POLICY = """schema_version: 1
system: silent
recall: {dataset: set.jsonl, adapter: "mem:Memory", baseline: baselines/braincore.json}
"""
MEMORY = """class Memory:
    def ingest(self, raw_memories):
        self.memories = raw_memories

    def retrieve(self, query, top_k=1):
        words = set(query.lower().strip("?").split())
        found = [m for m in self.memories if words & set(m["text"].lower().split())]
        return found[:top_k]

    def storage_bytes(self):
        return 0
"""


def session(number: int) -> str:
    memories = [
        {"memory_id": "m1", "timestamp": "2030-01-01T00:00:00Z", "text": f"kettle {number} boils"},
        {"memory_id": "m2", "timestamp": "2030-01-02T00:00:00Z", "text": f"window {number} opens"},
    ]
    query = {
        "query_id": "q1",
        "query_text": f"kettle {number}?",
        "expected_answer": f"kettle {number} boils",
        "query_type": "retrieval",
        "required_memory_ids": ["m1"],
    }
    return json.dumps({"session_id": f"s{number}", "memories": memories, "queries": [query]}) + "\n"


@pytest.fixture(scope="module")
def main(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A repository whose main gates both benchmarks."""
    repo = Repo(tmp_path_factory.mktemp("recall") / "main")
    files: dict[str, str | bytes | None] = {
        "brainbench.yml": POLICY,
        "mem.py": MEMORY,
        "set.jsonl": session(1) + session(2),
    }
    for name, kind in (("fixtures", "fixture"), ("gold", "gold")):
        path = CORPUS / name / f"silent-007.{kind}.json"
        files[f"evals/brainbench/{name}/{path.name}"] = path.read_bytes()
    repo.commit(files)
    blessed = brainbench("bless", cwd=repo.path)
    assert 0 == blessed.returncode, blessed.stderr
    repo.commit({}, "accept")
    return repo


def judge(main: Repo, folder: Path, files: dict[str, str | bytes | None]) -> tuple[int, Any, str]:
    """Exit code, verdict document and stderr of a change to main."""
    clone = main.clone(folder)
    clone.write(files)
    answer = brainbench("gate", "--json", cwd=folder)
    document = json.loads(answer.stdout) if answer.stdout else None
    return answer.returncode, document, answer.stderr


def braincore(document: Any) -> Any:
    return next(one for one in document["benchmarks"] if one["name"] == "braincore")


def test_both_benchmarks_hold(main: Repo, tmp_path: Path) -> None:
    """An unchanged tree passes, with one verdict over two benchmarks."""
    code, document, errors = judge(main, tmp_path / "c", {})

    assert 0 == code, errors
    assert ["brainbench", "braincore"] == [one["name"] for one in document["benchmarks"]]


def test_a_worse_adapter_is_a_regression(main: Repo, tmp_path: Path) -> None:
    """An adapter that finds less is exit 1, with the query that is lost."""
    worse = MEMORY.replace("found[:top_k]", "found[:top_k] if '1' in query else []")
    code, document, _ = judge(main, tmp_path / "c", {"mem.py": worse})

    assert 1 == code
    assert "regression" == braincore(document)["verdict"]
    assert ["s2/q1"] == [detail["item"] for detail in braincore(document)["details"]]
    assert "kettle 2?" == braincore(document)["details"][0]["text"]


def test_a_changed_dataset_can_not_hide_the_code(main: Repo, tmp_path: Path) -> None:
    """With another dataset the adapter is asked main's questions first."""
    worse = MEMORY.replace("found[:top_k]", "found[:top_k] if '1' in query else []")
    code, document, errors = judge(main, tmp_path / "c", {"mem.py": worse, "set.jsonl": session(1)})

    assert code in (1, 2), errors
    assert ["s2/q1"] == [detail["item"] for detail in braincore(document)["details"]]


def test_a_deleted_baseline_is_refused_by_name(main: Repo, tmp_path: Path) -> None:
    """The second benchmark's baseline can't be dropped."""
    code, _, errors = judge(main, tmp_path / "c", {"baselines/braincore.json": None})

    assert 2 == code
    assert "baselines/braincore.json" in errors


@pytest.mark.parametrize(
    ("dataset", "told"),
    [
        (None, "brainbench: set.jsonl: there is no dataset where the policy says\n"),
        ("no JSON\n", "brainbench: set.jsonl, line 1: not JSON"),
        ("", "brainbench: set.jsonl: holds no session\n"),
    ],
)
def test_a_dataset_goes_by_its_own_name(
    main: Repo, tmp_path: Path, dataset: str | None, told: str
) -> None:
    """Missing, no JSON Lines, empty: never by the place where it was put for a run."""
    code, _, errors = judge(main, tmp_path / "c", {"set.jsonl": dataset})

    assert 2 == code
    assert told in errors
    assert "/tmp" not in errors


def test_the_benchmark_can_not_be_dropped_unnamed(main: Repo, tmp_path: Path) -> None:
    """A policy without `recall` needs a justification that names the policy."""
    policy = "schema_version: 1\nsystem: silent\n"
    code, document, _ = judge(main, tmp_path / "c", {"brainbench.yml": policy})

    assert 1 == code
    assert "policy" in {breach["cell"] for breach in document["benchmarks"][0]["breaches"]}
    assert "pass" == braincore(document)["verdict"]


def test_dropping_the_benchmark_does_not_hide_the_code(main: Repo, tmp_path: Path) -> None:
    """Code that finds less is a regression, also where the policy drops what would show it."""
    worse = MEMORY.replace("found[:top_k]", "found[:top_k] if '1' in query else []")
    files: dict[str, str | bytes | None] = {
        "brainbench.yml": "schema_version: 1\nsystem: silent\n",
        "mem.py": worse,
    }
    code, document, _ = judge(main, tmp_path / "c", files)

    assert 1 == code
    assert "regression" == braincore(document)["verdict"]


def test_the_benchmark_can_be_dropped_with_its_adapter(main: Repo, tmp_path: Path) -> None:
    """Where the adapter is gone too, naming the policy is enough: nobody is stuck."""
    folder = tmp_path / "c"
    clone = main.clone(folder)
    clone.write(
        {
            "brainbench.yml": "schema_version: 1\nsystem: silent\n",
            "mem.py": None,
            "set.jsonl": None,
            "baselines/braincore.json": None,
            "baselines/braincore.items.json": None,
        }
    )
    reason = "policy: the second benchmark moves to a repository of its own"
    blessed = brainbench("bless", "--justification", reason, cwd=folder)

    assert 0 == blessed.returncode, blessed.stderr
    assert 0 == brainbench("gate", cwd=folder).returncode


def test_a_result_that_was_measured_elsewhere_is_recounted(main: Repo, tmp_path: Path) -> None:
    """Rows that the dataset contradicts are exit 2."""
    folder = tmp_path / "c"
    main.clone(folder)
    dataset = ("--dataset", "set.jsonl", "--adapter", "mem:Memory", "--module-dir", ".")
    assert 0 == brainbench("recall", *dataset, "--output", "r.json", cwd=folder).returncode
    assert 0 == brainbench("run", "--out", "b.json", cwd=folder).returncode
    right = brainbench("judge", "b.json", "r.json", "--json", cwd=folder)
    document = json.loads((folder / "r.json").read_text("utf-8"))
    document["item_rows"].pop()
    (folder / "r.json").write_text(json.dumps(document))
    wrong = brainbench("judge", "b.json", "r.json", "--json", cwd=folder)

    assert 0 == right.returncode, right.stderr
    assert 2 == wrong.returncode
    assert "has no row" in wrong.stderr


def test_each_benchmark_has_its_own_floors() -> None:
    """A floor is about the benchmark whose metric or cell it names."""
    policy = Policy(
        system="reflex",
        floors={"push_recall": 0.5, "exact_match": 0.3, "keyword/temporal": {"exact_match": 0.1}},
        recall=Recall(dataset="d", adapter="keyword", baseline="b.json"),
    )
    recall = view_recall(policy)
    assert recall is not None

    assert {"push_recall"} == set(own_floors(policy))
    assert {"exact_match", "keyword/temporal"} == set(own_floors(recall))
    assert "b.items.json" == recall.items


def test_a_policy_without_recall_has_no_second_view() -> None:
    """Nothing is measured that nobody asked for."""
    assert view_recall(Policy(system="reflex")) is None


def test_a_benchmark_that_is_dropped_while_it_gets_worse_leaves_a_way(
    main: Repo, tmp_path: Path
) -> None:
    """What the output says to type leads out, and what got worse is the headline."""
    folder = tmp_path / "c"
    worse = MEMORY.replace("found[:top_k]", "found[:top_k] if '1' in query else []")
    dropped = {"mem.py": worse, "brainbench.yml": "schema_version: 1\nsystem: silent\n"}
    assert 1 == judge(main, folder, {**dropped})[0]
    reason = "policy, mem:Memory/retrieval: the second benchmark is too slow for us"
    assert 0 == brainbench("bless", "--justification", reason, cwd=folder).returncode
    told = brainbench("gate", "--json", cwd=folder)
    document = json.loads(told.stdout)

    assert (0, "Worse, with a reason to review") == (told.returncode, document["headline"])
    assert ["s2/q1"] == [detail["item"] for detail in braincore(document)["details"]]
