"""Findings and breaches come together in one verdict, and verdicts in one document."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.gate.breaches import WORSE, state
from tests.gate.documents import PUSH, REASON

from brainbench_gate.findings import Finding, Status
from brainbench_gate.items import CellItems
from brainbench_gate.rules import ISOLATION, Breach, Judgement, Mode, Verdict
from brainbench_gate.verdict import BenchmarkVerdict, Provenance, VerdictDocument, compose, headline

ODD, ONE_WORSE = "Could not judge: not this", "Worse: 1 number"
LEAK = Breach(cell=PUSH, metric=ISOLATION, baseline=0, current=1)
HELD = Judgement(verdict=Verdict.PASS, mode=Mode.SAME_HASH, reason="held", breaches=(), notes=())
BROKEN = Finding(
    name="other", status=Status.FAIL, text="not this", verdict=Verdict.INCONCLUSIVE, reason="odd"
)


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
    unnamed = any("does not name policy state" in line for line in found.checks[-1].lines)
    assert unnamed == (text is not None)


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
