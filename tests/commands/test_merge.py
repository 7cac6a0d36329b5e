"""A run dealt out to shards and put together again is the run itself; anything less is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from brainbench_replay.corpus import read_corpus
from brainbench_replay.sharding import Shard, parse_shard, select_shard
from brainbench_schema.errors import UsageError

if TYPE_CHECKING:
    from tests.commands.conftest import Brainbench

CORPUS = Path(__file__).parents[1] / "conformance" / "corpus"
FOLDERS = ("--fixtures", str(CORPUS / "fixtures"), "--gold", str(CORPUS / "gold"))


def numbers(path: Path) -> Any:
    """The document without what tells one run of the same thing from another."""
    document = json.loads(path.read_bytes())
    document["receipt"]["ts"] = document["receipt"]["cmd_args"] = ""
    for row in document["turn_rows"]:
        row["latency_ms"] = 0
    return document


@pytest.fixture
def shards(tmp_path: Path, brainbench: Brainbench) -> list[Path]:
    """Three shards of the edge-case corpus."""
    paths = [tmp_path / f"{one}.json" for one in (1, 2, 3)]
    for one, path in enumerate(paths, 1):
        assert brainbench("run", *FOLDERS, "--shard", f"{one}/3", "--out", path, "-q").code == 0
    return paths


def test_merged_shards_equal_a_whole_run(
    shards: list[Path], brainbench: Brainbench, tmp_path: Path
) -> None:
    """Cells, rows, their order and all that is told of them, whatever order the shards come in."""
    whole, merged = tmp_path / "whole.json", tmp_path / "merged.json"
    brainbench("run", *FOLDERS, "--out", whole, "-q")
    assert brainbench("merge", *reversed(shards), "--out", merged, *FOLDERS).code == 0
    assert json.dumps(numbers(whole)) == json.dumps(numbers(merged))
    assert not {"--shard", "1/3"} & set(json.loads(merged.read_bytes())["receipt"]["cmd_args"])


def test_a_shard_says_what_it_is(shards: list[Path], brainbench: Brainbench) -> None:
    """Its document and its scoreboard name the part."""
    assert "2/3" == json.loads(shards[1].read_bytes())["_meta"]["shard"]
    assert "- shard 2/3 of a run" in brainbench("show", shards[1]).out


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ([0], "of 3 shards these are missing: 2, 3"),
        ([0, 1, 1, 2], "is shard 2/3, as is"),
        ([0, 0], "is shard 1/3, as is"),
    ],
)
def test_each_shard_exactly_once(
    shards: list[Path], brainbench: Brainbench, tmp_path: Path, chosen: list[int], told: str
) -> None:
    """A missing one and one that stands twice are named, and nothing is written."""
    out = tmp_path / "merged.json"
    ran = brainbench("merge", *(shards[one] for one in chosen), "--out", out, *FOLDERS)
    assert (2, True, False) == (ran.code, told in ran.err, out.exists())


def test_shards_of_another_run_are_refused(
    shards: list[Path], brainbench: Brainbench, tmp_path: Path
) -> None:
    """Seed, system, commit and corpus must be the same."""
    document = json.loads(shards[2].read_bytes())
    document["receipt"]["seed"] = 7
    shards[2].write_text(json.dumps(document), encoding="utf-8")
    ran = brainbench("merge", *shards, "--out", tmp_path / "merged.json", *FOLDERS)
    assert (2, True) == (ran.code, "seed differ" in ran.err)
    other = brainbench("merge", *shards, "--out", tmp_path / "m.json", "--repo", tmp_path)
    assert (2, True) == (other.code, "was measured on another corpus" in other.err)


def test_a_whole_run_is_no_shard(brainbench: Brainbench, tmp_path: Path) -> None:
    """Only what `--shard` wrote can be merged."""
    path = tmp_path / "whole.json"
    brainbench("run", *FOLDERS, "--system", "silent", "--out", path, "-q")
    ran = brainbench("merge", path, "--out", tmp_path / "merged.json", *FOLDERS)
    assert (2, True) == (ran.code, "is no shard" in ran.err)


def test_the_gate_refuses_a_lone_shard(
    shards: list[Path], brainbench: Brainbench, tmp_path: Path
) -> None:
    """With the way out in the error, and exit 2."""
    repo = tmp_path / "repo"
    policy = "schema_version: 1\nsystem: reflex\nfixtures: fixtures\ngold: gold\n"
    repo.mkdir()
    (repo / "brainbench.yml").write_text(policy, encoding="utf-8")
    for name in ("fixtures", "gold"):
        (repo / name).mkdir()
        for file in (CORPUS / name).iterdir():
            (repo / name / file.name).write_bytes(file.read_bytes())
    for command in ("gate", "bless"):
        ran = brainbench(command, "--result", shards[0], "--repo", repo)
        assert (2, True) == (ran.code, "can't be judged alone" in ran.err)


def test_jobs_give_what_one_process_gives(brainbench: Brainbench, tmp_path: Path) -> None:
    """The same document, with the command line that was typed."""
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    brainbench("run", *FOLDERS, "--system", "everything", "--out", one, "-q")
    ran = brainbench("run", *FOLDERS, "--system", "everything", "--jobs", "2", "--out", two, "-q")
    assert ran.code == 0
    assert json.dumps(numbers(one)) == json.dumps(numbers(two))
    assert "--shard" not in json.loads(two.read_bytes())["receipt"]["cmd_args"]


def test_a_job_that_fails_ends_the_run(brainbench: Brainbench, tmp_path: Path) -> None:
    """What the process said is said again, once, and nothing is written."""
    out = tmp_path / "out.json"
    ran = brainbench("run", *FOLDERS, "--system", "nonsense", "--jobs", "2", "--out", out)
    assert (2, 1, False) == (ran.code, ran.err.count("no memory system"), out.exists())


@pytest.mark.parametrize(
    "arguments",
    [
        ["--shard", "0/2"],
        ["--shard", "3/2"],
        ["--shard", "2"],
        ["--shard", "500/500"],
        ["--jobs", "0"],
        ["--shard", "1/2", "--jobs", "2"],
        ["--shard", "1/2", "--update-baseline"],
        ["--jobs", "2", "--update-baseline"],
    ],
)
def test_parts_that_cannot_be(brainbench: Brainbench, arguments: list[str]) -> None:
    """Exit 2, before anything is replayed."""
    assert 2 == brainbench("run", *FOLDERS, "--system", "silent", *arguments).code


@pytest.mark.parametrize("count", [1, 2, 5, 16])
def test_every_case_is_in_one_shard(count: int) -> None:
    """None is lost, none doubled, and pairs stay together."""
    cases = read_corpus(CORPUS / "fixtures", CORPUS / "gold").cases
    dealt = [select_shard(cases, Shard(index=one, count=count)) for one in range(1, count + 1)]
    names = [case.fixture.fixture_id for shard in dealt for case in shard]
    assert sorted(case.fixture.fixture_id for case in cases) == sorted(names)
    for shard in dealt:
        pairs = [case.fixture.continuity.pair_id for case in shard if case.fixture.continuity]
        assert all(pairs.count(pair) == 2 for pair in pairs)


def test_a_shard_is_read() -> None:
    """`I/N` and nothing else."""
    assert Shard(index=2, count=4) == parse_shard("2/4")
    for text in ("", "1", "1/0", "a/2", "01/2", "1/2/3", " 1/2"):
        with pytest.raises(UsageError):
            parse_shard(text)
