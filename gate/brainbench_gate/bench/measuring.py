"""The wire from the command line to a replay: which corpus, which system, which database."""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from brainbench_gate.bench import launching
from brainbench_gate.bench.surveying import survey_corpus
from brainbench_gate.measured import CorpusFiles, Measured
from brainbench_replay.corpus import FIXTURE_SUFFIX, GOLD_SUFFIX
from brainbench_replay.harness import replay
from brainbench_replay.metrics.cells import list_failed
from brainbench_replay.result import RunFacts, build_result
from brainbench_replay.seams import choose_seams
from brainbench_replay.systems.coverage import cover
from brainbench_replay.systems.entries import ANCHORS, NEEDS_SERVER, find_entry, fingerprint
from brainbench_replay.systems.opening import open_anchor, open_external
from brainbench_replay.systems.preflight import check_ready
from brainbench_replay.systems.starting import starting
from brainbench_schema.errors import Fault, InvalidInputError, UsageError
from brainbench_schema.files import read_folder
from brainbench_schema.fixture import SUITES
from brainbench_schema.policy import HARNESSES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from brainbench_replay.corpus import Corpus
    from brainbench_replay.systems.protocol import MemorySystem
    from brainbench_schema.policy import Policy, SystemEntry
    from brainbench_schema.result import Result, SystemInfo

DISTRIBUTION = "brainbench-gate"
BESIDE_GOLD = ("generator", "_ledger.json")
ISOLATION = "source_isolation_violations"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run covers.

    Attributes:
        harness_sha: Commit of the system under test; ``unknown`` outside git.
        seed: Recorded in the receipt; the built-in memory makes no random choice.
        systems: What the policy declares.
        folder: Folder of the policy; the systems' `cwd` is relative to it.
        sealed: Paths that no memory system may reach from its working directory.
        corpus: Folders of fixtures and gold, where the corpus was read from folders.
    """

    system: str = "reflex"
    harnesses: tuple[str, ...] = HARNESSES
    suites: tuple[str, ...] = SUITES
    include_holdout: bool = False
    seed: int = 0
    database_url: str | None = None
    cmd_args: tuple[str, ...] = ()
    harness_sha: str = "unknown"
    systems: Mapping[str, SystemEntry] = field(default_factory=dict)
    folder: Path = Path()
    sealed: tuple[Path, ...] = ()
    corpus: tuple[Path, Path] | None = None


def measure(
    corpus: Corpus,
    plan: Plan,
    *,
    progress: Callable[[int, int], None] = lambda done, total: None,
    files: CorpusFiles | None = None,
    watch: Callable[[MemorySystem], MemorySystem] = lambda system: system,
) -> Measured:
    """Replay a corpus as planned and score it, or let a foreign runner do both.

    Args:
        files: The corpus as files, for a foreign runner; default: read from the plan's folders.
        watch: Puts something between the replay and the system, to see what passes.

    Raises:
        UsageError: There is no such system, harness or suite.
        InvalidInputError: The memory could not take a fixture's pages or facts.
        MemorySystemError: The system failed as a program.
    """
    suites = _known_suites(plan.suites)
    name, entry = find_entry(plan.system, plan.systems)
    if entry.kind == "result":
        result = _take_result(name, entry, corpus, plan, files)
        isolated = any(ISOLATION in cell.metrics for cell in result.cells)
        capabilities = frozenset({*result.suites, *(("sources",) if isolated else ())})
    else:
        result, capabilities = _replay(name, entry, corpus, plan, suites, progress, watch)
    _refuse_seed_failures(result)
    return Measured(
        result=result,
        failed=list_failed(result.turn_rows, result.item_rows),
        survey=survey_corpus(corpus, suites, include_holdout=plan.include_holdout),
        capabilities=capabilities,
    )


def _replay(
    name: str,
    entry: SystemEntry,
    corpus: Corpus,
    plan: Plan,
    suites: tuple[str, ...],
    progress: Callable[[int, int], None],
    watch: Callable[[MemorySystem], MemorySystem],
) -> tuple[Result, frozenset[str]]:
    asked, cases = choose_seams(plan.harnesses), corpus.select(include_holdout=plan.include_holdout)
    with open_system(plan) as system:
        covered = cover(
            name, entry.kind, system.capabilities, seams=asked, suites=suites, cases=cases
        )
        seen = replay(
            covered.cases,
            watch(system),
            seams=covered.seams,
            suites=covered.suites,
            progress=progress,
        )
        result = build_result(
            seen,
            corpus,
            seams=covered.seams,
            suites=suites,
            system=_name_system(system.info, name, entry),
            unsupported=frozenset(suites) - frozenset(covered.suites),
            facts=make_facts(plan),
        )
        capabilities = system.capabilities
    result = replace(result, skipped=(*result.skipped, *covered.skipped))
    return (result if "sources" in capabilities else without_isolation(result)), capabilities


def _name_system(info: SystemInfo, name: str, entry: SystemEntry) -> SystemInfo:
    """Record which entry was started: a judge elsewhere can't see that any more."""
    return replace(info, name=name, details={**info.details, "entry": fingerprint(entry)})


def without_isolation(result: Result) -> Result:
    """Take out the leaks of a system that knows no sources: not measured is not 0."""
    cells = tuple(
        replace(cell, metrics={k: v for k, v in cell.metrics.items() if k != ISOLATION})
        for cell in result.cells
    )
    glossary = {k: v for k, v in result.metric_glossary.items() if k != ISOLATION}
    return replace(result, cells=cells, metric_glossary=glossary)


def _take_result(
    name: str, entry: SystemEntry, corpus: Corpus, plan: Plan, files: CorpusFiles | None
) -> Result:
    from brainbench_replay.systems.foreign import run_foreign

    if files is None:
        if plan.corpus is None:
            raise UsageError(f"{name} is a foreign runner: it needs the corpus as files")
        fixtures, gold = plan.corpus
        files = CorpusFiles(
            fixtures=read_folder(fixtures, FIXTURE_SUFFIX), gold=read_folder(gold, GOLD_SUFFIX)
        )
    folders = {"fixtures": files.fixtures, "gold": files.gold}
    return run_foreign(
        name,
        entry,
        folders,
        fixtures_hash=corpus.fixtures_hash,
        folder=plan.folder,
        include_holdout=plan.include_holdout,
    )


@contextmanager
def open_system(plan: Plan) -> Iterator[MemorySystem]:
    """Start the system under test of a plan, and stop it at the end.

    A system that is no built-in one has passed its preflight when it is given.

    Raises:
        UsageError: There is no such system.
        SystemStartError: It does not start, or an item that it stored does not come back.
    """
    name, entry = find_entry(plan.system, plan.systems)
    if entry.kind in NEEDS_SERVER:
        with _open_on_server(entry.kind, plan) as system:
            yield system
    elif entry.kind in ANCHORS:
        yield open_anchor(entry.kind)
    else:
        with ExitStack() as stack:
            with starting():
                opened = open_external(name, entry, folder=plan.folder, sealed=plan.sealed)
                external = stack.enter_context(opened)
                check_ready(external, plan.harnesses)
            yield external


@contextmanager
def _open_on_server(kind: str, plan: Plan) -> Iterator[MemorySystem]:
    from brainbench_replay import postgres
    from brainbench_replay.systems.keyword import Keyword
    from brainbench_replay.systems.reflex.memory import Reflex

    url = plan.database_url or os.environ.get(launching.DATABASE_VARIABLE)
    launch = None if url else launching.launch()
    with postgres.connect(url, launch) as connection:
        backend = f"PostgreSQL {connection.info.server_version // 10_000}"
        yield (Keyword if kind == "keyword" else Reflex)(connection, backend=backend)


def seal(folder: Path, policy: Policy) -> tuple[Path, ...]:
    """List what of a repository no memory system may reach from its working directory.

    A generator beside the gold knows the gold too.
    """
    paths = [policy.fixtures, policy.gold, policy.baseline, policy.items]
    paths += [str(PurePosixPath(policy.gold).with_name(name)) for name in BESIDE_GOLD]
    if policy.recall:
        paths += [policy.recall.dataset, policy.recall.baseline]
    return tuple(folder / path for path in paths)


def find_commit(folder: Path) -> str:
    """Name the commit checked out around a folder; ``unknown`` outside git."""
    from brainbench_gate.base import Repository

    with ExitStack() as stack:
        repository = Repository.open(folder)
        if repository is None:
            return "unknown"
        stack.enter_context(repository)
        return repository.head() or "unknown"


def _known_suites(names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        if name not in SUITES:
            raise UsageError(
                f"no suite is called {name!r}", advice=f"known are {', '.join(SUITES)}"
            )
    return tuple(suite for suite in SUITES if suite in names)


def make_facts(plan: Plan) -> RunFacts:
    """Give what of a planned run can't be read off its rows."""
    return RunFacts(
        harness_sha=plan.harness_sha,
        ts=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        cmd_args=plan.cmd_args,
        seed=plan.seed,
        include_holdout=plan.include_holdout,
        package_version=metadata.version(DISTRIBUTION),
    )


def _refuse_seed_failures(result: Result) -> None:
    if result.seed_failures:
        raise InvalidInputError(
            Fault(
                file=f"fixture {failure.fixture_id}",
                pointer="/seed_pages",
                message=f"seed_failed: {failure.error}",
                advice="a run with a fixture that could not be seeded is invalid: mend the page",
            )
            for failure in result.seed_failures
        )
