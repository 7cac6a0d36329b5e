"""A user's repository with a corpus of its own, of a page, a person and a few turns."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.gate.gitrepo import Repo

if TYPE_CHECKING:
    from pathlib import Path

POLICY = """\
# What this repository gates.
schema_version: 1
system: reflex
floors:
  push_recall: 0.1     # low, for a start
"""
PAGES = [("people/ada-lind", "Ada Lind"), ("people/bo-berg", "Bo Berg")]


def make_project(folder: Path, *, second: str = "Ask Bo Berg.", policy: str = POLICY) -> Repo:
    """A repository with a policy and a corpus, committed.

    Args:
        second: The second of its two user turns; the first one always finds its page.
    """
    repo = Repo(folder)
    write_corpus(folder, second)
    repo.commit({"brainbench.yml": policy}, "Start")
    return repo


def write_corpus(folder: Path, second: str) -> None:
    """Write the corpus, with another second turn if need be."""
    fixture: dict[str, Any] = {
        "schema_version": 1,
        "fixture_id": "talk",
        "suites": ["know-to-ask", "push"],
        "seed_pages": [
            {"slug": slug, "content": f"---\ntitle: {title}\n---\nBody.\n"} for slug, title in PAGES
        ],
        "turns": [
            {"turn_id": 1, "role": "user", "text": "I met Ada Lind."},
            {"turn_id": 2, "role": "user", "text": second},
        ],
    }
    gold = {
        "fixture_id": "talk",
        "turns": {
            str(place): {"should_retrieve": True, "gold_slugs": [slug]}
            for place, (slug, _) in enumerate(PAGES, 1)
        },
    }
    for kind, document in (("fixture", fixture), ("gold", gold)):
        place = folder / "evals" / "brainbench" / ("gold" if kind == "gold" else "fixtures")
        place.mkdir(parents=True, exist_ok=True)
        place.joinpath(f"talk.{kind}.json").write_text(json.dumps(document), encoding="utf-8")
