"""The corpus generator and the corpus it wrote."""

from __future__ import annotations

import hashlib
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from brainbench_replay.corpus import read_corpus

CORPUS = Path(__file__).parents[2] / "evals" / "brainbench"
GENERATOR = CORPUS / "generator"
PARTS = ("fixtures", "gold", "_ledger.json")
FAMILIES = {
    "know-to-ask": 40,
    "push": 20,
    "write-back": 20,
    "continuity": 30,
    "multi-source": 10,
    "adversarial": 15,
    "spike": 8,
}
# fmt: off
REAL_NAMES = [
    "altman", "amazon", "andreessen", "anthropic", "apple", "benioff", "bezos", "blackrock",
    "blackstone", "buffett", "citadel", "cohere", "collison", "databricks", "doordash",
    "facebook", "figma", "gates", "github", "goldman", "google", "greylock", "horowitz",
    "instacart", "intel", "kleiner", "meta", "microsoft", "mistral", "musk", "nadella",
    "netflix", "nvidia", "openai", "oracle", "palantir", "paypal", "pichai", "sequoia",
    "shopify", "snowflake", "softbank", "spacex", "spotify", "stripe", "tesla", "thiel",
    "twitter", "uber", "walmart", "zuckerberg",
]
# fmt: on


def run_generator(*arguments: str, hash_seed: str = "0") -> subprocess.CompletedProcess[str]:
    """Run the generator as its README says."""
    return subprocess.run(
        [sys.executable, str(GENERATOR), *arguments],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )


def read_tree(root: Path) -> dict[str, bytes]:
    """The corpus files under a folder, by relative path."""
    paths = [path for part in PARTS for path in (root / part, *(root / part).rglob("*"))]
    return {
        path.relative_to(root).as_posix(): path.read_bytes() for path in paths if path.is_file()
    }


def read_documents(folder: str) -> list[dict[str, Any]]:
    """The documents of one folder, by file name."""
    return [json.loads(path.read_bytes()) for path in sorted((CORPUS / folder).iterdir())]


def copy_corpus(target: Path) -> Path:
    """A copy of the committed corpus files."""
    for part in ("fixtures", "gold"):
        shutil.copytree(CORPUS / part, target / part)
    shutil.copy(CORPUS / "_ledger.json", target)
    return target


@pytest.fixture(scope="module")
def fixtures() -> list[dict[str, Any]]:
    return read_documents("fixtures")


@pytest.fixture(scope="module")
def ledger() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((CORPUS / "_ledger.json").read_bytes())
    return document


@pytest.fixture(scope="module")
def roster() -> dict[str, Any]:
    return runpy.run_path(str(GENERATOR / "roster.py"))


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_a_rebuild_gives_the_committed_bytes(tmp_path: Path, hash_seed: str) -> None:
    done = run_generator("--root", str(tmp_path), hash_seed=hash_seed)

    assert (done.returncode, done.stderr) == (0, "")
    assert read_tree(tmp_path) == read_tree(CORPUS)


def test_a_rebuild_removes_files_that_do_not_belong(tmp_path: Path) -> None:
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "old.gold.json").write_text("{}")
    (tmp_path / "README.md").write_text("kept")

    run_generator("--root", str(tmp_path))

    assert not (tmp_path / "gold" / "old.gold.json").exists()
    assert (tmp_path / "README.md").read_text() == "kept"


def test_check_passes_on_the_committed_corpus() -> None:
    done = run_generator("--check")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_check_names_changed_missing_and_extra_files_and_writes_nothing(tmp_path: Path) -> None:
    root = copy_corpus(tmp_path)
    (root / "gold" / "kta-pos-001.gold.json").unlink()
    (root / "fixtures" / "spike-log-paste.fixture.json").write_text("{}\n")
    (root / "fixtures" / "extra.txt").write_text("")
    before = read_tree(root)

    done = run_generator("--check", "--root", str(root))

    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "extra: fixtures/extra.txt",
        "different: fixtures/spike-log-paste.fixture.json",
        "missing: gold/kta-pos-001.gold.json",
    ]
    assert read_tree(root) == before


def test_check_reads_crlf_as_lf(tmp_path: Path) -> None:
    root = copy_corpus(tmp_path)
    path = root / "gold" / "push-001.gold.json"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))

    assert run_generator("--check", "--root", str(root)).returncode == 0


def test_check_detects_a_changed_ledger(tmp_path: Path) -> None:
    root = copy_corpus(tmp_path)
    (root / "_ledger.json").write_text("{}\n")

    done = run_generator("--check", "--root", str(root))

    assert (done.returncode, done.stderr) == (1, "different: _ledger.json\n")


def test_the_loader_accepts_the_corpus_and_agrees_on_its_hash(ledger: dict[str, Any]) -> None:
    corpus = read_corpus(CORPUS / "fixtures", CORPUS / "gold")

    assert corpus.fixtures_hash == ledger["fixtures_hash"]
    assert len(corpus.cases) == ledger["fixtures"]


def test_families_have_their_counts(fixtures: list[dict[str, Any]], ledger: dict[str, Any]) -> None:
    counted = Counter(fixture["category"] for fixture in fixtures)
    adversarial = {name: count for name, count in counted.items() if name.startswith("adv")}

    assert ledger["families"] == FAMILIES
    assert ledger["categories"] == dict(sorted(counted.items()))
    assert (counted["know-to-ask-positive"], counted["know-to-ask-negative"]) == (25, 15)
    assert set(adversarial.values()) == {3}
    assert len(adversarial) == 5


def test_user_turns_stay_within_what_a_quick_replay_allows(
    fixtures: list[dict[str, Any]], ledger: dict[str, Any]
) -> None:
    turns = sum(turn["role"] == "user" for fixture in fixtures for turn in fixture["turns"])

    assert turns == ledger["user_turns"]
    assert 450 <= turns <= 700


def test_the_corpus_is_small() -> None:
    assert sum(map(len, read_tree(CORPUS).values())) < 1_500_000


def test_about_one_fixture_in_seven_is_held_out_in_every_family(
    fixtures: list[dict[str, Any]], ledger: dict[str, Any]
) -> None:
    held_out = [fixture["category"] for fixture in fixtures if fixture.get("holdout")]
    families = {name for name in FAMILIES for category in held_out if category.startswith(name)}

    assert len(held_out) == ledger["holdout"]
    assert 0.13 <= len(held_out) / len(fixtures) <= 0.17
    assert families == set(FAMILIES)


def test_pairs_are_complete_and_held_out_together(fixtures: list[dict[str, Any]]) -> None:
    pairs = defaultdict(list)
    for fixture in fixtures:
        if block := fixture.get("continuity"):
            pairs[block["pair_id"]].append((block["pair_role"], fixture.get("holdout", False)))

    assert len(pairs) == 15
    assert all({role for role, _ in members} == {"writer", "reader"} for members in pairs.values())
    assert all(len({held_out for _, held_out in members}) == 1 for members in pairs.values())


def test_some_fixtures_have_another_active_source(fixtures: list[dict[str, Any]]) -> None:
    moved = Counter(
        fixture["category"]
        for fixture in fixtures
        if fixture.get("active_source", "default") != "default"
    )

    assert moved["multi-source"] >= 3
    assert moved["spike"] >= 1
    assert moved["continuity"] >= 2


def test_the_universe_is_large_and_its_names_are_unique(roster: dict[str, Any]) -> None:
    names = [
        row[0] for part in ("PEOPLE", "COMPANIES", "FUNDS", "PROJECTS") for row in roster[part]
    ]

    assert len(roster["PEOPLE"]) >= 40
    assert len(roster["COMPANIES"]) >= 30
    assert len(roster["FUNDS"]) >= 12
    assert len({name.lower() for name in names}) == len(names)


def test_everybody_works_somewhere_that_exists(roster: dict[str, Any]) -> None:
    employers = {row[0] for part in ("COMPANIES", "FUNDS") for row in roster[part]}

    assert {row[3] for row in roster["PEOPLE"]} <= employers


def test_everybody_plays(fixtures: list[dict[str, Any]], roster: dict[str, Any]) -> None:
    titles = {
        match[1].strip('"')
        for fixture in fixtures
        for page in fixture["seed_pages"]
        if (match := re.search(r"^title: (.*)$", page["content"], re.MULTILINE))
    }
    people = {row[0] for row in roster["PEOPLE"]}

    assert people <= titles


def test_no_well_known_name_stands_in_the_corpus() -> None:
    words = {
        word
        for content in read_tree(CORPUS).values()
        for word in re.findall(r"\w+", content.decode())
    }

    assert {word for word in words if word[0].isupper() and word.lower() in REAL_NAMES} == set()


def test_no_user_turn_is_said_twice_outside_of_filler(fixtures: list[dict[str, Any]]) -> None:
    said = Counter(
        turn["text"] for fixture in fixtures for turn in fixture["turns"] if turn["role"] == "user"
    )

    assert [text for text, count in said.items() if count > 1 and len(text) > 25] == []


def test_a_page_is_the_same_wherever_it_is_seeded_alone(fixtures: list[dict[str, Any]]) -> None:
    contents = defaultdict(set)
    for fixture in fixtures:
        plain = fixture["category"] in {"push", "write-back", "know-to-ask-positive"}
        for page in fixture["seed_pages"] if plain else ():
            contents[page["slug"]].add(page["content"])

    assert {slug for slug, versions in contents.items() if len(versions) > 1} == set()


def test_the_ledger_hashes_each_spike(ledger: dict[str, Any]) -> None:
    hashed = {
        path.name.removesuffix(".fixture.json"): hashlib.sha256(
            path.read_bytes()
            + (CORPUS / "gold" / path.name.replace(".fixture.", ".gold.")).read_bytes()
        ).hexdigest()
        for path in sorted((CORPUS / "fixtures").glob("spike-*"))
    }

    assert ledger["hand_written"] == hashed
    assert {path.stem for path in (GENERATOR / "spikes").iterdir()} == set(hashed)


def test_the_readme_states_the_strata_of_the_ledger(ledger: dict[str, Any]) -> None:
    text = (CORPUS / "README.md").read_text(encoding="utf-8")
    stated = {
        row[1]: int(row[2]) for row in re.finditer(r"^\| `([a-z-]+)` \| (\d+) \|", text, re.M)
    }

    assert stated == ledger["strata"]
