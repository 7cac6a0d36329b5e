"""A corpus of six cases for authors: one of each kind of question, all within easy reach."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from brainbench_replay.corpus import parse_corpus

if TYPE_CHECKING:
    from brainbench_replay.corpus import Corpus

JSON = dict[str, Any]

_HEDDA = ("people/hedda-thornqvist", "Hedda Thornqvist", "Hedda runs the river survey.")
_WEIR = ("projects/granite-weir", "Granite Weir", "The weir is rebuilt in spring.")
_OTHER = ("people/basil-okonjo", "Basil Okonjo", "Basil keeps the boats.")


def tiny_corpus() -> Corpus:
    """Build the corpus."""
    fixtures, golds = zip(*_cases(), strict=True)
    return parse_corpus(_files(fixtures, "fixture"), _files(golds, "gold"))


def example_cases() -> list[tuple[JSON, JSON]]:
    """Give two fixtures with their gold, to be copied: one that is asked, one written back."""
    asked, suites = "Where does Hedda Thornqvist stand on the survey?", ["know-to-ask", "push"]
    return [
        _asks("example-asked", suites, asked, _HEDDA),
        _written("example-written", ["write-back"], "I prefer the copper sextant.", "sextant"),
    ]


def _files(documents: tuple[JSON, ...], kind: str) -> dict[str, bytes]:
    return {
        f"{document['fixture_id']}.{kind}.json": json.dumps(document).encode()
        for document in documents
    }


def _cases() -> list[tuple[JSON, JSON]]:
    return [
        _asks("tiny-named", ["know-to-ask", "push"], "Where does Hedda Thornqvist stand?", _HEDDA),
        _asks("tiny-silent", ["know-to-ask"], "Thanks, that is all for today.", None),
        _asks("tiny-project", ["push"], "Give me the state of Granite Weir.", _WEIR),
        _sources(),
        _written("tiny-written", ["write-back"], "I prefer the copper sextant.", "copper sextant"),
        *_pair(),
    ]


def _asks(
    fixture_id: str, suites: list[str], prompt: str, page: tuple[str, str, str] | None
) -> tuple[JSON, JSON]:
    turn = {"should_retrieve": page is not None, "gold_slugs": [page[0]] if page else []}
    fixture = {
        **_head(fixture_id, suites),
        "seed_pages": [_page(one) for one in (_HEDDA, _WEIR, _OTHER)],
        "turns": [{"turn_id": 1, "role": "user", "text": prompt}],
    }
    return fixture, {**_gold(fixture_id), "turns": {"1": turn}}


def _sources() -> tuple[JSON, JSON]:
    fixture, gold = _asks(
        "tiny-sources", ["know-to-ask"], "Has Basil Okonjo met Hedda Thornqvist?", _HEDDA
    )
    pages = [_page(_HEDDA), {**_page(_OTHER), "source_id": "elsewhere"}]
    return {**fixture, "sources": ["elsewhere"], "seed_pages": pages}, gold


def _written(fixture_id: str, suites: list[str], text: str, keyword: str) -> tuple[JSON, JSON]:
    fact = {
        "gist": keyword,
        "fact": text,
        "entity_slug": None,
        "match_keywords": [keyword],
        "kind": "preference",
    }
    fixture = {
        **_head(fixture_id, suites),
        "turns": [
            {"turn_id": 1, "role": "user", "text": text, "ts": "2026-03-02T10:00:00Z"},
            {"turn_id": 2, "role": "assistant", "text": "Noted.", "ts": "2026-03-02T10:01:00Z"},
        ],
    }
    turn = {"should_retrieve": False, "gold_facts": [fact]}
    return fixture, {**_gold(fixture_id), "turns": {"1": turn}}


def _pair() -> list[tuple[JSON, JSON]]:
    writer, writer_gold = _written(
        "tiny-writer", ["continuity"], "We ship the heron build on Friday.", "heron build"
    )
    reader = {
        **_head("tiny-reader", ["continuity"]),
        "continuity": {"pair_id": "tiny", "pair_role": "reader"},
        "turns": [{"turn_id": 1, "role": "user", "text": "When do we ship the heron build?"}],
    }
    decision = {"decision_id": "day", "expected_slugs": [], "match_keywords": ["heron build"]}
    reader_gold = {
        **_gold("tiny-reader"),
        "turns": {},
        "continuity": {"pair_id": "tiny", "decisions": [decision]},
    }
    pair = {"pair_id": "tiny", "pair_role": "writer"}
    return [({**writer, "continuity": pair}, writer_gold), (reader, reader_gold)]


def _head(fixture_id: str, suites: list[str]) -> JSON:
    return {"schema_version": 1, "fixture_id": fixture_id, "suites": suites}


def _gold(fixture_id: str) -> JSON:
    return {"fixture_id": fixture_id}


def _page(page: tuple[str, str, str]) -> JSON:
    slug, title, text = page
    return {"slug": slug, "content": f"---\ntitle: {title}\n---\n# {title}\n\n{text}\n"}
