"""Items, justifications, and how findings come together in one verdict document."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.gate.documents import PUSH, REASON, run_of, survey

from brainbench_gate.findings import Finding, Status
from brainbench_gate.items import (
    CellItems,
    compare_items,
    describe_item,
    find_turn,
    is_stray,
)
from brainbench_gate.justification import STATES, assess, is_substantial
from brainbench_gate.rules import ISOLATION, Breach, Judgement, Mode, Verdict
from brainbench_gate.verdict import BenchmarkVerdict, Provenance, VerdictDocument, compose, headline
from brainbench_schema.result import ItemRow, TurnRow

ODD, ONE_WORSE = "Could not judge: not this", "Worse: 1 number"
WORSE = Breach(cell=PUSH, metric="push_recall", baseline=1, current=0.5)
LEAK = Breach(cell=PUSH, metric=ISOLATION, baseline=0, current=1)
HELD = Judgement(verdict=Verdict.PASS, mode=Mode.SAME_HASH, reason="held", breaches=(), notes=())
BROKEN = Finding(
    name="other", status=Status.FAIL, text="not this", verdict=Verdict.INCONCLUSIVE, reason="odd"
)


def state(name: str) -> Breach:
    """A state that has to be named."""
    return Breach(cell=name, metric="state", baseline=None, current=None)


# items


def test_items_are_told_apart_over_the_union_of_ids() -> None:
    """Flipped, still failing, added, removed; wrong pushes on turns that came or left are none."""
    older, newer = survey("f#1:a", "f#2:b", "f#3:c"), survey("f#2:b", "f#3:c", "g#1:d", "g#2:e")
    before = {PUSH: ["f#1:a", "f#1+x", "f#2:b", "f#3+z"]}
    after = {PUSH: ["f#2:b", "f#3:c", "f#3+y", "g#1:d", "g#1+x"]}
    [found] = compare_items(before, after, older=older, newer=newer)
    assert ("f#3+y", "f#3:c") == found.newly_failed
    assert ("f#3+z",) == found.newly_fixed
    assert ("f#2:b",) == found.still_failing
    assert ("g#1:d", "g#2:e") == found.added
    assert ("f#1:a",) == found.removed
    assert (("f#1:a",), ("g#1:d",)) == (found.removed_failing, found.added_failing)


def test_a_cell_of_one_run_only_came_or_left_as_a_whole() -> None:
    """None of its items flipped."""
    both = survey("f#1:a", "f#2:b")
    came, left = compare_items({PUSH: ["f#1:a"]}, {"a/push": ["f#2:b"]}, older=both, newer=both)
    assert ("a/push", (), ("f#2:b",), ("f#1:a", "f#2:b")) == (
        came.cell,
        came.newly_failed,
        came.added_failing,
        came.added,
    )
    assert ((), ("f#1:a",), ("f#1:a", "f#2:b")) == (
        left.newly_fixed,
        left.removed_failing,
        left.removed,
    )


def test_a_suite_that_no_corpus_knows_flips_all_the_same() -> None:
    """A foreign runner's, say."""
    [found] = compare_items({"x/y": []}, {"x/y": ["q1"]}, older=survey(), newer=survey())
    assert ("q1",) == found.newly_failed


@pytest.mark.parametrize(
    ("item", "turn", "stray"),
    [
        ("f#1", "f#1", False),
        ("f#1:people/a+b", "f#1", False),
        ("f#-1+people/a:b", "f#-1", True),
        ("f#1/2", "f#1", False),
        ("pair/decision", "", False),
    ],
)
def test_ids_tell_their_turn(item: str, turn: str, stray: bool) -> None:
    """Whatever characters a slug has."""
    assert (turn, stray) == (find_turn(item), is_stray(item))


def turn_row(gold: dict[str, object] | None, *slugs: str) -> TurnRow:
    """A replayed turn."""
    return TurnRow(
        fixture_id="f",
        turn_id=1,
        harness="codex",
        suite="push",
        injected_slugs=slugs,
        injected_tokens=0,
        gold=gold,
        cross_source_slugs=(),
        latency_ms=0,
    )


@pytest.mark.parametrize(
    ("item", "gold", "slugs", "expected", "seen"),
    [
        ("f#1:a", {"should_retrieve": True, "gold_slugs": ["a"]}, (), "a", "nothing"),
        ("f#1+b", {"should_retrieve": False}, ("b",), "silence", "b"),
        ("f#1+b", None, ("b",), "silence", "b"),
        (
            "f#1",
            {"should_retrieve": True, "gold_slugs": ["a"], "acceptable_slugs": ["c"]},
            ("b", "d"),
            "a or c",
            "b, d",
        ),
    ],
)
def test_an_item_is_described_by_its_turn(
    item: str, gold: dict[str, object] | None, slugs: tuple[str, ...], expected: str, seen: str
) -> None:
    """Fixture, turn, harness, what should have come and what came."""
    run = run_of(rows=(turn_row(gold, *slugs),))
    found = describe_item(item, PUSH, run)
    assert (expected, seen, "f", "1", "codex") == (
        found.expected,
        found.seen,
        found.fixture_id,
        found.turn,
        found.harness,
    )
    assert "text of f#1:a" == found.text


def test_what_was_not_replayed_is_said_to_be() -> None:
    """Turns and probes alike; the fixture follows from the id."""
    turn = describe_item("f#9:a", PUSH, run_of())
    assert ("not replayed", "f", "9", "") == (turn.seen, turn.fixture_id, turn.turn, turn.text)
    probe = describe_item("pair/how", "codex/continuity", run_of())
    assert ("not replayed", "") == (probe.seen, probe.turn)


@pytest.mark.parametrize(
    ("suite", "evidence", "seen"),
    [
        ("write-back", {"found": True, "provenance": False}, "stored with wrong provenance"),
        ("write-back", {"found": False, "provenance": False}, "nothing"),
        ("write-back", {"found": True, "provenance": True}, "found"),
        ("continuity", {"slugs": [], "fact": None}, "nothing"),
        ("continuity", {"slugs": [], "fact": "x"}, "found"),
    ],
)
def test_a_probe_is_described_by_its_evidence(
    suite: str, evidence: dict[str, object], seen: str
) -> None:
    """And by the fixture of its row."""
    row = ItemRow(
        fixture_id="reader",
        harness="codex",
        suite=suite,
        item="f#1/1",
        passed=False,
        evidence=evidence,
    )
    run = run_of()
    run = replace(run, result=replace(run.result, item_rows=(row,)))
    found = describe_item("f#1/1", f"codex/{suite}", run)
    assert (seen, "reader") == (found.seen, found.fixture_id)


# justifications


@pytest.mark.parametrize(
    ("text", "substantial"),
    [
        ("recall traded for speed", True),
        ("abcde fghij klmno", True),
        ("abcde fghij klmn", False),
        ("abcdefgh ijklmnopqrst", False),
        ("abcdefghijklmnop 12 34", False),
        ("ａｂｃｄｅ ｆｇｈｉｊ ｋｌｍｎｏ", True),
        ("我们 用 速度 换 召回", False),
        ("", False),
        ("\u2003\u00a0\t", False),
    ],
)
def test_three_words_and_fifteen_letters(text: str, substantial: bool) -> None:
    """After NFKC; digits and marks are no letters."""
    assert substantial == is_substantial(text)


def test_breaches_are_named_by_cell_or_metric() -> None:
    """As words of their own, in any case; the rest is listed."""
    other = replace(WORSE, cell="codex/know-to-ask", metric="false_fire_rate")
    found = assess("Push_Recall goes down a bit", [WORSE, other], fresh=True)
    assert ((WORSE,), (other,), ()) == (found.named, found.unnamed, found.missing)
    assert (True, True, True) == (found.needed, found.present, found.holds)
    assert () == assess("our xpush_recallx goes down", [WORSE], fresh=True).named


@pytest.mark.parametrize("name", STATES)
def test_states_have_to_be_named_as_words(name: str) -> None:
    """Not as part of another word."""
    text = "we have good reasons for all of this"
    for unnamed in (text, f"{text}, x{name}", f"{text}, {name}s", f"{text}, {name}-like"):
        found = assess(unnamed, [state(name)], fresh=True)
        assert (False, (name,)) == (found.holds, found.missing)
    for named in (f"{name}: {text}", f"{text} ({name.upper()})", f"{text}: {name}, too"):
        assert assess(named, [state(name)], fresh=True).holds


@pytest.mark.parametrize(
    ("text", "fresh", "holds"),
    [(REASON, True, True), (REASON, False, False), (None, True, False), ("fix", True, False)],
)
def test_a_reason_is_present_fresh_and_more_than_a_placeholder(
    text: str | None, fresh: bool, holds: bool
) -> None:
    """Else it lets nothing pass."""
    assert holds == assess(text, [WORSE], fresh=fresh).holds


# verdicts


def judged(
    *findings: Finding,
    breaches: tuple[Breach, ...] = (),
    text: str | None = None,
    fresh: bool = True,
    allowance: str | None = None,
    core: Judgement = HELD,
) -> BenchmarkVerdict:
    """Put findings together."""
    return compose(
        "brainbench",
        core,
        findings,
        breaches=breaches,
        justification=text,
        fresh=fresh,
        allowance=allowance,
    )


@pytest.mark.parametrize(
    ("found", "verdict", "reason", "words"),
    [
        (judged(), Verdict.PASS, "held", "Holds"),
        (judged(breaches=(WORSE,)), Verdict.REGRESSION, "regression", ONE_WORSE),
        (
            judged(breaches=(WORSE, state("policy"))),
            Verdict.REGRESSION,
            "regression",
            "Worse: 2 numbers",
        ),
        (
            judged(breaches=(WORSE,), text=REASON),
            Verdict.PASS,
            "held",
            "Worse, with a reason to review",
        ),
        (
            judged(breaches=(WORSE,), text=REASON, fresh=False),
            Verdict.REGRESSION,
            "justification-stale",
            ONE_WORSE,
        ),
        (
            judged(breaches=(WORSE,), text="fix"),
            Verdict.REGRESSION,
            "regression",
            ONE_WORSE,
        ),
        (
            judged(breaches=(WORSE,), allowance="a trial"),
            Verdict.PASS,
            "held",
            "Worse, with a reason to review",
        ),
        (
            judged(breaches=(WORSE,), allowance=" "),
            Verdict.REGRESSION,
            "regression",
            ONE_WORSE,
        ),
        (
            judged(breaches=(state("stale-main"),)),
            Verdict.REGRESSION,
            "stale-main",
            "Needs a reason that names stale-main",
        ),
        (
            judged(breaches=(WORSE, state("system")), text=REASON),
            Verdict.REGRESSION,
            "entry-gone",
            "Needs a reason that names system",
        ),
        (
            judged(breaches=(state("policy"),), text="policy: we measure less from now on"),
            Verdict.PASS,
            "held",
            "Holds, with a reason to review",
        ),
        (
            judged(BROKEN, breaches=(WORSE,)),
            Verdict.INCONCLUSIVE,
            "odd",
            "Could not judge: not this",
        ),
    ],
)
def test_the_strictest_decides(
    found: BenchmarkVerdict, verdict: Verdict, reason: str, words: str
) -> None:
    """With the finer reason, and in plain words."""
    assert (verdict, reason, words) == (found.verdict, found.reason, headline(found))


def test_leaks_are_open_to_no_reason() -> None:
    """They need none, and the check that finds them is not excused."""
    finding = Finding(
        name="isolation",
        status=Status.FAIL,
        text="leaked",
        verdict=Verdict.REGRESSION,
        reason="isolation",
    )
    found = judged(finding, breaches=(LEAK,), text=f"{ISOLATION}: we want it to be so")
    assert ("isolation", "Worse: leaked") == (found.reason, headline(found))
    assert found.assessment is not None
    assert not found.assessment.needed


def test_an_excused_check_is_a_note() -> None:
    """Only what its breaches decide is excused."""
    excusable = Finding(name="items", status=Status.FAIL, text="1", breaches=(WORSE,))
    found = judged(excusable, BROKEN, text=REASON)
    assert [Status.NOTE, Status.FAIL, Status.NOTE] == [check.status for check in found.checks]
    assert (WORSE,) == found.breaches
    bare = judged(excusable)
    assert [Status.FAIL, Status.FAIL] == [check.status for check in bare.checks]


@pytest.mark.parametrize(
    ("text", "fresh", "said"),
    [
        (None, True, "needed, and none is committed"),
        (REASON, False, "stale: it was written for another baseline of main"),
        ("fix", True, "a placeholder"),
        (REASON, True, "does not name policy, which it must"),
    ],
)
def test_what_a_reason_lacks_is_told(text: str | None, fresh: bool, said: str) -> None:
    """One thing at a time."""
    found = judged(breaches=(WORSE, state("policy")), text=text, fresh=fresh)
    assert said in found.checks[-1].text
    assert any("does not name policy state" in line for line in found.checks[-1].lines)


def test_a_core_verdict_without_a_finding_explains_itself() -> None:
    """By its note, else by its code."""
    core = replace(HELD, verdict=Verdict.INCONCLUSIVE, reason="config-differs")
    assert "Could not judge: config-differs" == headline(judged(core=core))
    noted = replace(core, notes=("the runs cover different suites",))
    assert "Could not judge: the runs cover different suites" == headline(judged(core=noted))


def test_items_are_counted_where_they_flipped() -> None:
    """By cell and id."""
    entry = CellItems(
        cell=PUSH, newly_failed=("f#1:a", "f#2:b"), newly_fixed=("f#3:c",), still_failing=()
    )
    found = replace(judged(breaches=(WORSE,)), items=(entry,))
    assert "Worse: 2 items" == headline(found)
    assert ("codex/push f#3:c",) == found.newly_fixed


def test_the_document_is_the_worst_of_its_benchmarks() -> None:
    """And all that is told of it comes from there."""
    provenance = Provenance(
        base_ref="origin/main",
        base_commit="b" * 40,
        why="so",
        head_commit="c" * 40,
        fixtures_hash="1",
    )
    worse, odd = judged(breaches=(WORSE,)), judged(BROKEN)
    document = VerdictDocument(benchmarks=(judged(), odd, worse), provenance=provenance)
    assert (Verdict.INCONCLUSIVE, 2, odd) == (document.verdict, document.exit_code, document.worst)
    text = json.loads(document.serialize())
    assert ("inconclusive", "odd", "Could not judge: not this") == (
        text["verdict"],
        text["reason"],
        text["headline"],
    )
    assert ["pass", "inconclusive", "regression"] == [one["verdict"] for one in text["benchmarks"]]
    assert {"cell", "metric", "baseline", "current"} == set(text["benchmarks"][2]["breaches"][0])
    assert (0, 1) == tuple(
        VerdictDocument(benchmarks=(one,), provenance=provenance).exit_code
        for one in (judged(), worse)
    )


def test_of_equal_verdicts_the_one_with_more_to_review_speaks() -> None:
    """A regression that a reason lets pass is not hidden behind a benchmark that holds."""
    held, named, worse = (
        BenchmarkVerdict(
            name=name,
            mode=Mode.SAME_HASH,
            verdict=Verdict.PASS,
            reason="held",
            breaches=breaches,
        )
        for name, breaches in (
            ("held", ()),
            ("named", (state("policy"), state("measure"))),
            ("worse", (state("policy"), WORSE)),
        )
    )
    place = Provenance(base_ref="", base_commit="", why="", head_commit="", fixtures_hash="")

    def speaks(*benchmarks: BenchmarkVerdict) -> str:
        return VerdictDocument(benchmarks=benchmarks, provenance=place).worst.name

    assert "named" == speaks(held, named) == speaks(named, held)
    assert "worse" == speaks(named, worse) == speaks(worse, held)
