"""The four kinds as entries over the programs beside this file, and a corpus to ask them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brainbench_replay.corpus import parse_corpus
from brainbench_schema.policy import SystemEntry

if TYPE_CHECKING:
    from brainbench_replay.corpus import Corpus

PROGRAMS = Path(__file__).parent / "programs"
KINDS = ("command", "python", "hook", "mcp")
TEMPLATES: dict[str, Any] = {
    "store": {"tool": "store", "arguments": {"id": "{slug}", "text": "{title}"}},
    "search": {"tool": "search", "arguments": {"query": "{query}"}},
    "reset": {"tool": "forget", "arguments": {"ids": "{ids}"}},
    "forget": {"tool": "forget", "arguments": {"ids": ["{key}"]}},
    "write": {"tool": "write", "arguments": {"key": "{key}", "fact": "{fact_json}"}},
    "list": {"tool": "list", "arguments": {}},
    "facts": "$.facts[*]",
    "id": "$.hits[*].id",
    "text": "$.hits[*].text",
    "query": "names",
}


def make_entry(kind: str, fault: str = "", *, timeout_s: float = 10) -> SystemEntry:
    """Declare a program of a kind with a fault."""
    if kind == "python":
        factory = f"python_memory:make_{fault}".replace("-", "_").rstrip("_")
        interpreter = (sys.executable,)
        return SystemEntry(kind=kind, command=interpreter, factory=factory, timeout_s=timeout_s)
    command = (sys.executable, f"{kind}_memory.py", *([fault] if fault else []))
    if fault == "does-not-start":
        command = ("./no-such-program",)
    mcp = TEMPLATES if kind == "mcp" else {}
    return SystemEntry(kind=kind, command=command, timeout_s=timeout_s, mcp=mcp)


def talk_corpus() -> Corpus:
    """Build a corpus of one conversation of four user turns, the third of which strikes faults."""
    page = {"slug": "people/ines-valadao", "content": "---\ntitle: Ines Valadao\n---\nA keeper.\n"}
    texts = (
        "Where is Ines Valadao?",
        "Thanks.",
        "In the third turn and Third Turn: is Ines Valadao in?",
        "And Ines Valadao again?",
    )
    fixture = {
        "schema_version": 1,
        "fixture_id": "talk-001",
        "suites": ["know-to-ask"],
        "seed_pages": [page],
        "turns": [
            {"turn_id": number, "role": "user", "text": text}
            for number, text in enumerate(texts, 1)
        ],
    }
    asked = {"should_retrieve": True, "gold_slugs": [page["slug"]]}
    gold = {"fixture_id": "talk-001", "turns": {"1": asked, "2": {"should_retrieve": False}}}
    return parse_corpus(
        {"talk-001.fixture.json": json.dumps(fixture).encode()},
        {"talk-001.gold.json": json.dumps(gold).encode()},
    )
