"""Accounts of made-up runs, one for each kind of verdict."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from brainbench_gate.findings import Finding, Status
from brainbench_gate.items import CellItems, ItemDetail
from brainbench_gate.justification import assess
from brainbench_gate.report.account import Account
from brainbench_gate.rules import Breach, Mode, Verdict
from brainbench_gate.verdict import BenchmarkVerdict, Provenance, VerdictDocument
from brainbench_schema.baseline import Baseline
from brainbench_schema.result import Cell, Receipt, Result, SystemInfo

if TYPE_CHECKING:
    from collections.abc import Sequence

HASH = "7d1a" * 16
SEAMS = {"openclaw": "production", "claude-code": "contract", "codex": "contract"}
REASON = "codex/push: the shorter preamble saves 40% of the tokens and costs three recalled pages"
PASSED = Finding(name="isolation", status=Status.PASS, text="no page leaked between sources")


def result(recall: float = 0.9231) -> Result:
    """A run of three harnesses and two suites."""
    cells = [
        cell
        for harness, seam in SEAMS.items()
        for cell in (
            _cell(harness, seam, "know-to-ask", {"know_to_ask_failure_rate": 0.08}),
            _cell(harness, seam, "push", {"push_precision": 1, "push_recall": recall}),
        )
    ]
    return Result(
        receipt=Receipt(
            fixtures_hash=HASH,
            harness_sha="b" * 40,
            ts="2026-03-01T10:00:00Z",
            cmd_args=("gate",),
            seed=0,
            include_holdout=False,
            llm=False,
        ),
        cells=tuple(cells),
        turn_rows=(),
        item_rows=(),
        seed_failures=(),
        metric_glossary={},
        system=SystemInfo(name="reflex", version="1", kind="reflex"),
        skipped=(),
        versions={},
    )


def _cell(harness: str, seam: str, suite: str, metrics: dict[str, float]) -> Cell:
    return Cell(
        suite=suite,
        harness=harness,
        seam=seam,
        gold_total=39,
        gold_failed=3,
        metrics={**metrics, "source_isolation_violations": 0, "avg_injected_tokens": 21.5},
        fixtures=(),
    )


def baseline() -> Baseline:
    """What the base branch has accepted."""
    run = result(recall=1)
    return Baseline.from_json(
        {
            "fixtures_hash": HASH,
            "config": {
                "include_holdout": False,
                "llm": False,
                "harnesses": run.harnesses,
                "suites": run.suites,
            },
            "cells": {cell.key: cell.metrics for cell in run.cells},
            "counts": {cell.key: {"gold_total": 39, "gold_failed": 0} for cell in run.cells},
        }
    )


PROVENANCE = Provenance(
    base_ref="refs/heads/main",
    base_commit="3f0a77c1" * 5,
    why="it is the first parent of the pull request's merge commit",
    head_commit="9bd215e4" * 5,
    fixtures_hash=HASH,
    baseline_blob="c01dcafe" * 5,
    baseline_age_commits=4,
)

ITEMS = (
    ("push-007#3:people/ines-okafor", "people/ines-okafor", "nothing", "Did Ines ever reply?"),
    ("push-011#1:projects/harbor", "projects/harbor", "projects/harbour-light",
     "Where did we leave the harbor thing, and who has the budget for it now?"),
    ("push-019#5:companies/tessel", "companies/tessel", "nothing", "Tessel wants a call on Friday"),
)  # fmt: skip


def details(count: int = 3) -> tuple[ItemDetail, ...]:
    """Some flipped items."""
    many = [ITEMS[place % 3] for place in range(count)]
    return tuple(
        ItemDetail(
            item=item if place < 3 else f"{item}-{place}",
            cell=f"{harness}/push",
            fixture_id=item.split("#", 1)[0],
            harness=harness,
            expected=expected,
            seen=seen,
            text=text,
        )
        for place, (item, expected, seen, text) in enumerate(many)
        for harness in (SEAMS if place == 0 else ("codex",))
    )


def flips(shown: Sequence[ItemDetail]) -> tuple[CellItems, ...]:
    """The cells that those items are of."""
    cells = dict.fromkeys(["codex/push", *(detail.cell for detail in shown)])
    return tuple(
        CellItems(
            cell=cell,
            newly_failed=tuple(one.item for one in shown if one.cell == cell),
            newly_fixed=("push-002#1:people/jo",) if cell == "codex/push" else (),
            still_failing=(),
        )
        for cell in cells
    )


BREACHES = (
    Breach(cell="codex/push", metric="gold_failed", baseline=0, current=3),
    Breach(cell="codex/push", metric="push_recall", baseline=1, current=0.9231),
    Breach(cell="codex/push", metric="items", baseline=0, current=3),
)


def benchmark(verdict: Verdict, reason: str, **more: object) -> BenchmarkVerdict:
    """One benchmark's verdict."""
    made = BenchmarkVerdict(
        name="brainbench", mode=Mode.SAME_HASH, verdict=verdict, reason=reason, checks=(PASSED,)
    )
    return replace(made, **more)  # type: ignore[arg-type]


def account(*benchmarks: BenchmarkVerdict, **more: object) -> Account:
    """A run's account."""
    document = VerdictDocument(benchmarks=benchmarks, provenance=PROVENANCE)
    made = Account(
        document=document, version="1.0.0", runs=((result(), baseline()),), run_id="4711"
    )
    return replace(made, **more)  # type: ignore[arg-type]


def regression(count: int = 3) -> BenchmarkVerdict:
    """Items that newly fail, without a reason."""
    lacking = Finding(
        name="justification",
        status=Status.FAIL,
        text="needed, and none is committed",
        verdict=Verdict.REGRESSION,
        reason="regression",
    )
    return benchmark(
        Verdict.REGRESSION,
        "regression",
        breaches=BREACHES,
        details=details(count),
        items=flips(details(count)),
        assessment=assess(None, BREACHES, fresh=True),
        checks=(PASSED, lacking),
    )


def _failing(name: str, text: str, verdict: Verdict, reason: str, *lines: str) -> Finding:
    return Finding(
        name=name, status=Status.FAIL, text=text, lines=lines, verdict=verdict, reason=reason
    )


def _isolation() -> BenchmarkVerdict:
    leak = Breach(cell="codex/push", metric="source_isolation_violations", baseline=0, current=2)
    text = "pages of a source that was not active were injected; no reason lifts this"
    finding = _failing("isolation", text, Verdict.REGRESSION, "isolation", "codex/push: 2 pages")
    return benchmark(
        Verdict.REGRESSION,
        "isolation",
        breaches=(leak,),
        checks=(finding,),
        assessment=assess(None, (leak,), fresh=True),
    )


def _unblessed() -> BenchmarkVerdict:
    text = "the ground changed and no baseline is committed for it"
    advice = "run `brainbench bless` and commit both files"
    finding = _failing("committed-files", text, Verdict.INCONCLUSIVE, "baseline-missing", advice)
    added = CellItems(
        cell="codex/push",
        newly_failed=(),
        newly_fixed=(),
        still_failing=(),
        added=("push-021#1:people/noor",),
    )
    return benchmark(
        Verdict.INCONCLUSIVE,
        "baseline-missing",
        mode=Mode.CORPUS_BLESS,
        checks=(PASSED, finding),
        items=(added,),
    )


def _workflow_changed() -> BenchmarkVerdict:
    workflow = ".github/workflows/gate.yml"
    called = Finding(
        name="workflow",
        status=Status.NOTE,
        text=f"what calls the gate changes (changed {workflow}): see that it still does",
        lines=(f"changed {workflow}",),
    )
    ground = Finding(
        name="ground",
        status=Status.NOTE,
        text="the policy changes; main's applies to this pull request",
        lines=("policy floors.push_precision: 0.95 → 0.9",),
    )
    return benchmark(Verdict.PASS, "held", checks=(PASSED, ground, called))


def _both_worse() -> tuple[BenchmarkVerdict, BenchmarkVerdict]:
    second = ItemDetail(
        item="q-0031",
        cell="recall/temporal",
        fixture_id="q-0031",
        harness="recall",
        expected="the required memories in order",
        seen="m-0102, m-0117",
        text="What changed about the harbor budget since spring?",
    )
    entry = CellItems(
        cell=second.cell, newly_failed=(second.item,), newly_fixed=(), still_failing=()
    )
    breach = Breach(cell=second.cell, metric="gold_failed", baseline=1, current=2)
    braincore = benchmark(
        Verdict.REGRESSION,
        "regression",
        name="braincore",
        breaches=(breach,),
        details=(second,),
        items=(entry,),
        assessment=assess(None, (breach,), fresh=True),
    )
    return regression(), braincore


def _error() -> BenchmarkVerdict:
    text = "the work tree differs from the commit under test: baselines/main.json"
    advice = "an earlier step of the job changed these files; undo that"
    finding = _failing("run", text, Verdict.INCONCLUSIVE, "git", advice)
    return benchmark(Verdict.INCONCLUSIVE, "git", checks=(finding,))


ACCOUNTS = {
    "pass": account(benchmark(Verdict.PASS, "held", items=flips(()))),
    "regression": account(regression()),
    "regression-many": account(regression(40)),
    "justified": account(
        benchmark(
            Verdict.PASS,
            "justified",
            breaches=BREACHES,
            details=details(),
            items=flips(details()),
            assessment=assess(REASON, BREACHES, fresh=True),
        )
    ),
    "isolation": account(_isolation()),
    "corpus-unblessed": account(_unblessed()),
    "error": account(_error(), runs=()),
    "bootstrap": account(
        benchmark(Verdict.PASS, "bootstrap", notes=("main has no baseline yet",)),
        runs=((result(), None),),
    ),
    "workflow-changed": account(_workflow_changed()),
    "both-worse": account(*_both_worse()),
    "fork": account(regression(1), by_fork=True),
}
"""One account for each golden comment, by its name."""
