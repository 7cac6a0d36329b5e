"""Attacks on the corpus: what is asked, and what is counted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.attacks.rows import row
from tests.gate.worlds import (
    BASELINE,
    FIXTURES,
    GOLD,
    TREE,
    World,
    asks,
    case,
    memory,
    removed,
)

if TYPE_CHECKING:
    from pathlib import Path

WORSE = memory(deaf=["Cyd Moon", "Bob Ray"])
REASON = "gold_total: the case of Cyd Moon asks for what nobody ever said"


@row(5)
def test_deleting_failing_fixtures_needs_a_reason(tmp_path: Path) -> None:
    """The smaller total is a breach, and the failing items are listed."""
    world = World(tmp_path)
    bare = world.judge(world.propose(removed("cyd"), bless=True))
    assert (1, "regression") == (bare.code, bare.reason)
    assert "gold_total" in {breach.metric for breach in bare.verdict.breaches}
    told = world.judge(world.propose(removed("cyd"), bless=REASON))
    assert 0 == told.code
    assert "removed while failing: cyd#1 (codex/know-to-ask)" in told.lines


@row(5)
def test_deleting_fixtures_without_a_baseline_for_it_is_not_judged(tmp_path: Path) -> None:
    """Main's baseline does not hold for another corpus."""
    world = World(tmp_path)
    found = world.judge(world.propose(removed("cyd")))
    assert (2, "baseline-not-backed") == (found.code, found.reason)


@row(6)
def test_flipping_failing_fixtures_to_holdout_needs_a_reason(tmp_path: Path) -> None:
    """What is held out is counted no more."""
    world = World(tmp_path)
    hidden = asks("cyd", "Cyd Moon", holdout=True)
    assert 1 == world.judge(world.propose(hidden, bless=True)).code
    told = world.judge(world.propose(hidden, bless=REASON))
    assert 0 == told.code
    assert "removed while failing: cyd#1 (codex/know-to-ask)" in told.lines


@row(7)
def test_a_swap_at_an_equal_total_is_listed_item_by_item(tmp_path: Path) -> None:
    """No number gets worse; the reviewer sees what was swapped."""
    world = World(tmp_path)
    swapped = {**removed("cyd"), **asks("eve", "Eve Low")}
    found = world.judge(world.propose(swapped, bless=True))
    assert 0 == found.code
    assert "removed while failing: cyd#1 (codex/know-to-ask)" in found.lines
    assert "codex/know-to-ask: the 2 items that replace them all pass" in found.lines
    assert "added: eve#1 (codex/know-to-ask)" in found.lines


@row(8)
def test_a_touched_corpus_hides_no_regression_of_the_code(tmp_path: Path) -> None:
    """The code is measured on base's corpus too."""
    world = World(tmp_path)
    path = f"{GOLD}/ada.gold.json"
    text = TREE[path]
    assert isinstance(text, str)
    touched = {path: text + "\n", **WORSE}
    found = world.judge(world.propose(touched, bless=True))
    assert (1, "regression") == (found.code, found.reason)
    assert "newly failed: bob#1 (codex/know-to-ask)" in found.lines
    assert 2 == world.judge(world.propose(touched)).code


@row(8)
def test_a_deleted_case_hides_no_regression_of_the_code(tmp_path: Path) -> None:
    """The case that would show it stands on base."""
    world = World(tmp_path)
    found = world.judge(world.propose({**WORSE, **removed("bob")}, bless=True))
    assert 1 == found.code
    assert "newly failed: bob#1 (codex/know-to-ask)" in found.lines


@row(19)
def test_a_rate_that_moves_beyond_the_4th_decimal_is_seen_by_counts(tmp_path: Path) -> None:
    """One failure in thirty thousand leaves the rounded rate as it is."""
    world = World(tmp_path)
    found = world.judge(world.propose(_lose_one_of_many(world), bless=False))
    assert (1, "regression") == (found.code, found.reason)
    assert {"gold_failed", "items"} == {breach.metric for breach in found.verdict.breaches}


def _lose_one_of_many(world: World) -> dict[str, str | bytes | None]:
    """A write-back case of many facts on main; a memory that forgets one of them."""
    count = 20_001
    facts = [f"I own {number} red boats" for number in range(count)]
    told = [
        {"gist": fact, "fact": fact, "entity_slug": None, "match_keywords": ["boats"]}
        for fact in facts
    ]
    turn = {"turn_id": 1, "role": "user", "text": "I own boats.", "ts": "2026-01-01T10:00:00Z"}
    fixture = {
        "schema_version": 1,
        "fixture_id": "boats",
        "suites": ["write-back"],
        "turns": [turn],
    }
    gold = {"1": {"should_retrieve": False, "gold_facts": told}}
    world.merge(world.propose(case(fixture, gold), bless=True))
    before = json.loads(world.origin.git("show", f"main:{BASELINE}"))
    assert 1 == before["cells"]["codex/write-back"]["write_back_fidelity"]
    return memory(deaf=["Cyd Moon"], forgets=[facts[0]])


@row(31)
def test_line_ends_of_a_checkout_do_not_count(tmp_path: Path) -> None:
    """CRLF is read as LF from files and from git alike."""
    world = World(tmp_path)

    def rewrite(job: Path) -> None:
        for path in job.rglob("*.json"):
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))

    found = world.judge(world.propose({"README.md": "a word"}), meddle=rewrite)
    assert (0, "held") == (found.code, found.reason)


@row(31)
@pytest.mark.parametrize(("one", "other"), [("twin", "TWIN"), ("caf\u00e9", "cafe\u0301")])
def test_names_that_some_disks_mix_up_are_refused(tmp_path: Path, one: str, other: str) -> None:
    """Which of the two a checkout has would be chance."""
    world = World(tmp_path)
    text = TREE[f"{FIXTURES}/ada.fixture.json"]
    twins = {f"{FIXTURES}/{name}.fixture.json": text for name in (one, other)}
    found = world.judge(world.propose(twins))
    assert 2 == found.code
    assert "differ only in case or Unicode form" in found.text


@row(31)
def test_a_fixture_that_is_a_link_is_refused(tmp_path: Path) -> None:
    """What it leads to is another file on each machine."""
    world = World(tmp_path)
    world.origin.branch("topic")
    (world.origin.path / FIXTURES / "shadow.fixture.json").symlink_to("/etc/passwd")
    found = world.judge(world.origin.commit({}))
    assert 2 == found.code
    assert "shadow.fixture.json: is a symbolic link" in found.text
