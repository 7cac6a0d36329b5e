"""Ids of items: what they name, and what is said of one that names nothing."""

from __future__ import annotations

import pytest
from tests.explain.planting import asked, case, fact, stated

from brainbench_replay.explain.item_ids import Kind, find_item, find_partners
from brainbench_schema.errors import UsageError

ONE = case(["I met One.", "Good."], {"1": asked("a/one")}, fixture_id="one")
TWO = case(
    ["Ada moves.", "Noted."],
    {"1": stated(fact("Ada moves", "Ada"))},
    fixture_id="two",
    suites=["write-back"],
)
PAIR = {"pair_id": "p/1", "pair_role": "writer"}
WRITER = case(["Hi.", "Ho."], {}, fixture_id="w", suites=["continuity"], continuity=PAIR)
READER = case(
    ["Hi."],
    {},
    fixture_id="r",
    suites=["continuity"],
    continuity={**PAIR, "pair_role": "reader"},
    decisions=[{"decision_id": "region", "expected_slugs": [], "match_keywords": ["x"]}],
)
CASES = (ONE, TWO, WRITER, READER)


@pytest.mark.parametrize(
    ("text", "kind", "fixture_id"),
    [
        ("one#1", Kind.TURN, "one"),
        ("one#1:a/one", Kind.PAGE, "one"),
        ("one#1:a+b/c:d", Kind.PAGE, "one"),
        ("one#1+a/two", Kind.STRAY, "one"),
        ("two#1/1", Kind.FACT, "two"),
        ("p/1/region", Kind.DECISION, "r"),
    ],
)
def test_every_form_is_read(text: str, kind: Kind, fixture_id: str) -> None:
    """The first mark after the turn decides; a slug may hold any other."""
    item = find_item(text, CASES)
    assert (kind, fixture_id) == (item.kind, item.case.fixture.fixture_id)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("ome#1", "did you mean 'one'?"),
        ("one#7", "turns with gold are 1"),
        ("one#2", "turns with gold are 1"),
        ("two#1/2", "the turn has 1 gold facts"),
        ("two#1/0", "the turn has 1 gold facts"),
        ("two#1/x", "by its number in the turn"),
        ("p/1/regoin", "did you mean 'p/1/region'?"),
        ("", "--failing"),
    ],
)
def test_an_id_of_nothing_is_refused_with_advice(text: str, advice: str) -> None:
    """What is nearest, or what there is, stands in the advice."""
    with pytest.raises(UsageError) as refusal:
        find_item(text, CASES)
    assert advice in refusal.value.advice


def test_a_pair_is_replayed_together() -> None:
    """The partners of an item are its own case and the other half of its pair."""
    assert (WRITER, READER) == find_partners(find_item("p/1/region", CASES), CASES)
    assert (ONE,) == find_partners(find_item("one#1", CASES), CASES)
