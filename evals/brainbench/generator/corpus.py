"""The whole corpus as files: names and bytes, nothing written yet."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import TYPE_CHECKING

from families import (
    adversarial,
    continuity,
    know_to_ask,
    multi_source,
    push,
    spikes,
    write_back,
)
from lint import check_pairs
from universe import build_universe

if TYPE_CHECKING:
    from assembly import Json, Pair

VERSION = "1.0.0"
SEED = 20260
REBUILD = "python evals/brainbench/generator"

Files = dict[str, bytes]


def build_files(seed: int = SEED) -> Files:
    """Every file of the corpus, as bytes by path relative to `evals/brainbench`."""
    universe = build_universe(seed)
    families = {
        "know-to-ask": know_to_ask.build(universe, seed),
        "push": push.build(universe, seed),
        "write-back": write_back.build(universe, seed),
        "continuity": continuity.build(universe, seed),
        "multi-source": multi_source.build(universe, seed),
        "adversarial": adversarial.build(universe, seed),
        "spike": spikes.build(),
    }
    check_pairs([pair for pairs in families.values() for pair in pairs])
    files = _documents(families)
    files["_ledger.json"] = encode(_ledger(families, files, seed))
    return files


def encode(document: Json) -> bytes:
    """Pretty JSON: two spaces, unescaped UTF-8, LF, a final newline."""
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


def hash_fixtures(files: Files) -> str:
    """SHA-256 over gold, then fixtures, each sorted by name: `<folder>/<name>`, LF, content."""
    digest = hashlib.sha256()
    for folder in ("gold/", "fixtures/"):
        for path in sorted(path for path in files if path.startswith(folder)):
            digest.update(f"{path}\n".encode())
            digest.update(files[path])
    return digest.hexdigest()


def _documents(families: dict[str, list[Pair]]) -> Files:
    files: Files = {}
    for pair in (pair for pairs in families.values() for pair in pairs):
        name = pair.fixture["fixture_id"]
        if f"fixtures/{name}.fixture.json" in files:
            raise ValueError(f"two fixtures are called {name}")
        files[f"fixtures/{name}.fixture.json"] = encode(pair.fixture)
        files[f"gold/{name}.gold.json"] = encode(pair.gold)
    return files


def _ledger(families: dict[str, list[Pair]], files: Files, seed: int) -> Json:
    pairs = [pair for family in families.values() for pair in family]
    categories = Counter(pair.fixture["category"] for pair in pairs)
    strata = Counter(stratum for pair in pairs for stratum in pair.strata)
    return {
        "version": VERSION,
        "seed": seed,
        "rebuild": REBUILD,
        "fixtures_hash": hash_fixtures(files),
        "fixtures": len(pairs),
        "families": {name: len(members) for name, members in families.items()},
        "categories": dict(sorted(categories.items())),
        "holdout": sum(bool(pair.fixture.get("holdout")) for pair in pairs),
        "user_turns": sum(_count_user_turns(pair) for pair in pairs),
        "strata": dict(sorted(strata.items())),
        "hand_written": {
            pair.fixture["fixture_id"]: hashlib.sha256(
                files[f"fixtures/{pair.fixture['fixture_id']}.fixture.json"]
                + files[f"gold/{pair.fixture['fixture_id']}.gold.json"]
            ).hexdigest()
            for pair in families["spike"]
        },
    }


def _count_user_turns(pair: Pair) -> int:
    return sum(turn["role"] == "user" for turn in pair.fixture["turns"])
