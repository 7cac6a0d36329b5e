"""Made-up documents for tests of the judging modules: baselines, runs, grounds, a fixed bench."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from brainbench_gate.baseline import build_items, read_numbers
from brainbench_gate.ground import Ground
from brainbench_gate.measured import CorpusFiles, Measured, Survey
from brainbench_gate.run import Terms, compare_grounds
from brainbench_gate.standing import Standing
from brainbench_schema.baseline import Baseline, Config, Counts
from brainbench_schema.policy import Policy
from brainbench_schema.result import Cell, Receipt, Result, Skipped, SystemInfo, TurnRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from brainbench_gate.findings import Comparison
    from brainbench_schema.baseline import Items

ONE, TWO = "1" * 64, "2" * 64
BLOB, OLDER_BLOB = "b" * 40, "a" * 40
PUSH = "codex/push"
FILES = CorpusFiles(fixtures={"a.fixture.json": b"1"}, gold={"a.gold.json": b"1"})
OTHER_FILES = CorpusFiles(fixtures={"b.fixture.json": b"2"}, gold={"a.gold.json": b"2"})
POLICY = Policy(system="mine", harnesses=("codex",), suites=("push",))
ALL = frozenset({"push", "sources"})
REASON = "codex/push: recall is traded for speed"


def baseline(
    metrics: Mapping[str, Mapping[str, float]] | None = None,
    counts: Mapping[str, tuple[int, int]] | None = None,
    *,
    fixtures_hash: str = ONE,
    justification: str | None = None,
    config: Config | None = None,
) -> Baseline:
    """A baseline; by default one push cell in which one of four items fails."""
    metrics = metrics if metrics is not None else {PUSH: {"push_precision": 1, "push_recall": 0.75}}
    counts = counts if counts is not None else dict.fromkeys(metrics, (4, 1))
    names = [cell.split("/", 1) for cell in metrics]
    return Baseline(
        fixtures_hash=fixtures_hash,
        config=config
        or Config(
            include_holdout=False,
            llm=False,
            harnesses=tuple(sorted({harness for harness, _ in names} | {"codex"})),
            suites=tuple(sorted({suite for _, suite in names} | {"push"})),
        ),
        justification=justification,
        cells={cell: dict(values) for cell, values in metrics.items()},
        counts={
            cell: Counts(gold_total=total, gold_failed=failed)
            for cell, (total, failed) in counts.items()
        },
    )


def survey(
    *items: str, fixtures_hash: str = ONE, empty: Iterable[str] = (), suite: str = "push"
) -> Survey:
    """What follows from a corpus of these items."""
    ids = items or ("f#1:a", "f#2:b", "f#3:c", "f#4:d")
    return Survey(
        fixtures_hash=fixtures_hash,
        items={suite: frozenset(ids)},
        texts={item.split(":", 1)[0]: f"text of {item}" for item in ids},
        empty_metrics=frozenset(empty),
    )


def run_of(
    document: Baseline | None = None,
    failed: Mapping[str, Iterable[str]] | None = None,
    *,
    capabilities: frozenset[str] = ALL,
    surveyed: Survey | None = None,
    system: str = "mine",
    rows: tuple[TurnRow, ...] = (),
    skipped: tuple[Skipped, ...] = (),
) -> Measured:
    """A run whose baseline is this document."""
    document = document or baseline()
    failed = failed if failed is not None else dict.fromkeys(document.counts, ("f#1:a",))
    return Measured(
        result=Result(
            receipt=Receipt(
                fixtures_hash=document.fixtures_hash,
                harness_sha="unknown",
                ts="",
                cmd_args=(),
                seed=0,
                include_holdout=document.config.include_holdout,
                llm=False,
            ),
            cells=tuple(
                Cell(
                    suite=cell.split("/", 1)[1],
                    harness=cell.split("/", 1)[0],
                    seam="contract",
                    gold_total=counts.gold_total,
                    gold_failed=counts.gold_failed,
                    metrics=dict(document.cells[cell]),
                    fixtures=(),
                )
                for cell, counts in document.counts.items()
            ),
            turn_rows=rows,
            item_rows=(),
            seed_failures=(),
            metric_glossary={},
            system=SystemInfo(name=system, version="1", kind="command"),
            skipped=skipped,
            versions={},
        ),
        failed={cell: tuple(sorted(ids)) for cell, ids in failed.items()},
        survey=surveyed or survey(fixtures_hash=document.fixtures_hash),
        capabilities=capabilities,
    )


def items_of(run: Measured, *, against: str | None = BLOB) -> Items:
    """The items file of a run."""
    return build_items(run.result, run.failed, capabilities=run.capabilities, against=against)


def ground_of(
    run: Measured,
    *,
    policy: Policy = POLICY,
    corpus: CorpusFiles = FILES,
    justification: str | None = None,
    against: str | None = OLDER_BLOB,
    blob: str = BLOB,
) -> Ground:
    """A side whose files are those of a run."""
    return Ground(
        policy=policy,
        corpus=corpus,
        baseline=read_numbers(run, justification=justification),
        baseline_blob=blob,
        items=items_of(run, against=against),
    )


def compare(
    main: Measured | None = None,
    run: Measured | None = None,
    *,
    tree: Ground | None = None,
    base: Ground | None = None,
    new_run: Measured | None = None,
    tokens: Mapping[str, str] | None = None,
    policy: Policy = POLICY,
    forget_main: bool = False,
    forget_items: bool = False,
    grouped: bool = False,
) -> Comparison:
    """A comparison of main's run with this one.

    Args:
        tree: Default: main's own files.
        new_run: The run on the tree's own ground, where that differs.
    """
    main = main or run_of()
    run = run or main
    base = base or ground_of(main, policy=policy)
    tree = tree or base
    moved = new_run is not None
    standing = Standing(
        policy=policy,
        corpus=FILES,
        survey=main.survey,
        main=None if forget_main else base.baseline,
        main_items=None if forget_items else base.items,
        tokens=dict(tokens or {}),
    )
    on_base = None if forget_main and forget_items else run
    return compare_grounds(
        tree,
        base,
        standing,
        new_run or run,
        on_base,
        moved=moved,
        terms=Terms(grouped=grouped),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedBench:
    """Gives a run by corpus; raises what is given in its place."""

    runs: list[tuple[CorpusFiles, Measured | Exception]] = field(default_factory=list)

    def measure(self, policy: Policy, corpus: CorpusFiles) -> Measured:  # noqa: ARG002
        """Give the run of a corpus."""
        found = next(run for files, run in self.runs if files == corpus)
        if isinstance(found, Exception):
            raise found
        return found

    def survey(self, policy: Policy, corpus: CorpusFiles) -> Survey:  # noqa: ARG002
        """Give the survey of a corpus, also of one whose run fails."""
        found = next(run for files, run in self.runs if files == corpus)
        return survey() if isinstance(found, Exception) else found.survey


def turn_row(gold: dict[str, object] | None, *slugs: str) -> TurnRow:
    """A replayed turn into which these pages were injected."""
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


def leaking(slug: str = "people/x") -> TurnRow:
    """A row in which a page of another source was injected."""
    return replace(turn_row(None, slug), injected_tokens=1, cross_source_slugs=(slug,))
