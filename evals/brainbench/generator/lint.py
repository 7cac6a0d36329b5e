"""Authoring mistakes that the corpus format alone would not show."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assembly import Json, Pair


def check_pairs(pairs: list[Pair]) -> None:
    """Raise ValueError that lists every authoring mistake."""
    faults = [fault for pair in pairs for fault in (*_slug_faults(pair), *_fact_faults(pair))]
    if faults:
        raise ValueError("\n".join(faults))


def _slug_faults(pair: Pair) -> list[str]:
    """Retrieval gold must name a page that the active source holds."""
    fixture = pair.fixture
    if not {"know-to-ask", "push"} & set(fixture["suites"]):
        return []
    active = fixture.get("active_source", "default")
    held = {
        page["slug"] for page in fixture["seed_pages"] if page.get("source_id", "default") == active
    }
    return [
        f"{fixture['fixture_id']} turn {turn_id}: {slug} is not in source {active}"
        for turn_id, turn in pair.gold["turns"].items()
        for slug in (*turn.get("gold_slugs", ()), *turn.get("acceptable_slugs", ()))
        if slug not in held
    ]


def _fact_faults(pair: Pair) -> list[str]:
    """Each gold fact must hold its own keywords, and no other fact all of them."""
    facts = [fact for turn in pair.gold["turns"].values() for fact in turn.get("gold_facts", ())]
    name = pair.fixture["fixture_id"]
    faults = [
        f"{name}: keywords missing in {fact['fact']!r}"
        for fact in facts
        if not _matches(fact, fact)
    ]
    faults += [
        f"{name}: {fact['gist']!r} is matched by {other['fact']!r}"
        for fact in facts
        for other in facts
        if other["fact"] != fact["fact"] and _matches(fact, other)
    ]
    return faults


def _matches(gold: Json, stored: Json) -> bool:
    text = stored["fact"].lower()
    return gold["entity_slug"] in (None, stored["entity_slug"]) and all(
        keyword.lower() in text for keyword in gold["match_keywords"]
    )
