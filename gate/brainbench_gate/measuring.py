"""The wire from the command line to a replay: which corpus, which system, which database."""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from brainbench_gate import launching
from brainbench_gate.measured import Measured
from brainbench_gate.surveying import survey_corpus
from brainbench_replay.harness import replay
from brainbench_replay.metrics.cells import list_failed
from brainbench_replay.result import RunFacts, build_result
from brainbench_replay.seams import choose_seams
from brainbench_schema.errors import Fault, InvalidInputError, UsageError
from brainbench_schema.fixture import SUITES
from brainbench_schema.policy import HARNESSES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from brainbench_replay.corpus import Corpus
    from brainbench_replay.systems.protocol import MemorySystem
    from brainbench_schema.result import Result

DISTRIBUTION = "brainbench-gate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run covers.

    Attributes:
        harness_sha: Commit of the system under test; ``unknown`` outside git.
        seed: Recorded in the receipt; the built-in memory makes no random choice.
    """

    system: str = "reflex"
    harnesses: tuple[str, ...] = HARNESSES
    suites: tuple[str, ...] = SUITES
    include_holdout: bool = False
    seed: int = 0
    database_url: str | None = None
    cmd_args: tuple[str, ...] = ()
    harness_sha: str = "unknown"


def measure(
    corpus: Corpus, plan: Plan, *, progress: Callable[[int, int], None] = lambda done, total: None
) -> Measured:
    """Replay a corpus as planned and score it.

    Raises:
        UsageError: There is no such system, harness or suite.
        InvalidInputError: The memory could not take a fixture's pages or facts.
    """
    seams, suites = choose_seams(plan.harnesses), _known_suites(plan.suites)
    cases = corpus.select(include_holdout=plan.include_holdout)
    with open_system(plan) as system:
        able = tuple(suite for suite in suites if suite in system.capabilities)
        seen = replay(cases, system, seams=seams, suites=able, progress=progress)
        result = build_result(
            seen,
            corpus,
            seams=seams,
            suites=suites,
            system=system.info,
            unsupported=frozenset(suites) - frozenset(able),
            facts=_run_facts(plan),
        )
        capabilities = system.capabilities
    _refuse_seed_failures(result)
    return Measured(
        result=result,
        failed=list_failed(result.turn_rows, result.item_rows),
        survey=survey_corpus(corpus, suites, include_holdout=plan.include_holdout),
        capabilities=capabilities,
    )


@contextmanager
def open_system(plan: Plan) -> Iterator[MemorySystem]:
    """Start the system under test of a plan, and stop it at the end.

    Raises:
        UsageError: There is no such system.
    """
    if plan.system != "reflex":
        raise UsageError(f"no memory system is called {plan.system!r}", advice="known is: reflex")
    from brainbench_replay import postgres
    from brainbench_replay.systems.reflex.memory import Reflex

    url = plan.database_url or os.environ.get(launching.DATABASE_VARIABLE)
    launch = None if url else launching.launch()
    with postgres.connect(url, launch) as connection:
        version = connection.info.server_version // 10_000
        yield Reflex(connection, backend=f"PostgreSQL {version}")


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
            raise UsageError(f"no suite is called {name!r}", advice=f"known are {', '.join(SUITES)}")
    return tuple(suite for suite in SUITES if suite in names)


def _run_facts(plan: Plan) -> RunFacts:
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
