"""Small corpora with one fault planted in each, replayed on the built-in memory."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tests.gate.memories import RUN_FACTS

from brainbench_replay.corpus import Case, parse_corpus
from brainbench_replay.explain.investigation import Investigation
from brainbench_replay.explain.item_ids import find_item
from brainbench_replay.explain.watching import WatchedSystem
from brainbench_replay.harness import replay
from brainbench_replay.result import build_result
from brainbench_replay.seams import choose_seams
from brainbench_replay.systems.reflex.memory import Reflex
from brainbench_schema.fixture import SUITES
from brainbench_schema.policy import HARNESSES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import psycopg

    from brainbench_replay.explain.causes import Cause
    from brainbench_replay.systems.protocol import MemorySystem


def page(slug: str, title: str, aliases: Sequence[str] = (), source: str = "default") -> Any:
    """A seed page."""
    front = json.dumps({"title": title, "aliases": list(aliases)})
    return {"slug": slug, "content": f"---\n{front}\n---\nBody.\n", "source_id": source}


def fact(text: str, *keywords: str, entity: str | None = None) -> Any:
    """A gold fact."""
    return {"gist": text, "fact": text, "entity_slug": entity, "match_keywords": list(keywords)}


def asked(*slugs: str, acceptable: Sequence[str] = ()) -> Any:
    """Gold of a turn that needs pages."""
    return {
        "should_retrieve": True,
        "gold_slugs": list(slugs),
        "acceptable_slugs": list(acceptable),
    }


def stated(*facts: Any) -> Any:
    """Gold of a turn that states facts."""
    return {"should_retrieve": False, "gold_facts": list(facts)}


SILENT = {"should_retrieve": False}


def turns(texts: Iterable[str], minutes: Sequence[int] | None = None) -> list[Any]:
    """Turns of the user and the assistant in turn, by default a minute apart."""
    return [
        {
            "turn_id": place,
            "role": "user" if place % 2 else "assistant",
            "text": text,
            "ts": _at(minutes[place - 1] if minutes else place),
        }
        for place, text in enumerate(texts, 1)
    ]


def _at(minute: int) -> str:
    return f"2026-01-01T{10 + minute // 60:02}:{minute % 60:02}:00Z"


def case(
    texts: Sequence[str], gold: dict[str, Any], *, fixture_id: str = "one", **fixture: Any
) -> Case:
    """One case of know-to-ask and push unless told otherwise."""
    minutes = fixture.pop("minutes", None)
    decisions = fixture.pop("decisions", None)
    suites = fixture.pop("suites", ["know-to-ask", "push"])
    document = {
        "schema_version": 1,
        "fixture_id": fixture_id,
        "suites": suites,
        "turns": turns(texts, minutes),
        **fixture,
    }
    golden: dict[str, Any] = {"fixture_id": fixture_id, "turns": gold}
    pair = fixture.get("continuity")
    if pair and pair["pair_role"] == "reader":
        golden["continuity"] = {"pair_id": pair["pair_id"], "decisions": decisions}
    return _load(document, golden)


def _load(document: dict[str, Any], golden: dict[str, Any]) -> Case:
    """Read a case as a corpus does; half of a pair is read beside a stand-in for the rest."""
    fixtures = {"a.fixture.json": document}
    golds = {"a.gold.json": golden}
    if pair := document.get("continuity"):
        role = "writer" if pair["pair_role"] == "reader" else "reader"
        other = {**document, "fixture_id": "other", "continuity": {**pair, "pair_role": role}}
        fixtures["b.fixture.json"] = other
        golds["b.gold.json"] = {"fixture_id": "other", "turns": {}}
        if role == "reader":
            decision = {"decision_id": "d", "expected_slugs": [], "match_keywords": ["k"]}
            probes = {"pair_id": pair["pair_id"], "decisions": [decision]}
            golds["b.gold.json"]["continuity"] = probes
    corpus = parse_corpus(_dump(fixtures), _dump(golds))
    return corpus.cases[0]


def _dump(documents: dict[str, Any]) -> dict[str, bytes]:
    return {name: json.dumps(document).encode() for name, document in documents.items()}


def unreadable(planted: Case, turn_id: int, ts: str) -> Case:
    """Give a turn a time that no corpus would be read with."""
    changed = tuple(
        replace(turn, ts=ts) if turn.turn_id == turn_id else turn for turn in planted.fixture.turns
    )
    return replace(planted, fixture=replace(planted.fixture, turns=changed))


def look_into(system: MemorySystem, *cases: Case) -> Investigation:
    """Replay cases under watch, through all seams and for all suites."""
    from brainbench_replay.corpus import Corpus

    watched = WatchedSystem(system)
    seams = choose_seams(HARNESSES)
    seen = replay(cases, watched, seams=seams, suites=SUITES)
    result = build_result(
        seen,
        Corpus(cases=cases, fixtures_hash="0" * 64),
        seams=seams,
        suites=SUITES,
        system=watched.info,
        unsupported=frozenset(),
        facts=RUN_FACTS,
    )
    return Investigation(cases, result, watched)


def find_cause(
    database: psycopg.Connection, item: str, *cases: Case, harness: str = "openclaw"
) -> tuple[Cause, str, bool]:
    """Give cause and sentence of an item on the built-in memory, and whether it passed."""
    seen = look_into(Reflex(database, "PostgreSQL"), *cases)
    found = find_item(item, cases)
    diagnosis = seen.diagnose(found, harness)
    return diagnosis.cause, diagnosis.sentence, seen.passed(found, harness)
