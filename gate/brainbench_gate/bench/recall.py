"""Measures and surveys BrainCore for the gate."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from brainbench_gate.bench import launching, measuring
from brainbench_gate.measured import Measured, Survey
from brainbench_gate.recall_view import RECALL_SUITES
from brainbench_replay.recall import audit, dataset, metrics
from brainbench_replay.recall.adapters.registry import Setting
from brainbench_replay.recall.run import Plan, measure_recall
from brainbench_replay.recall.run import survey as survey_plan
from brainbench_schema.errors import Fault, InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from brainbench_gate.measured import CorpusFiles
    from brainbench_schema.policy import Policy
    from brainbench_schema.result import Result


def measure(
    policy: Policy, corpus: CorpusFiles, plan: measuring.Plan, progress: Callable[[int, int], None]
) -> Measured:
    """Ask the policy's adapter what the dataset asks.

    Raises:
        BrainbenchError: The adapter failed.
        InvalidInputError: The dataset is not what it must be.
    """
    setting = Setting(
        connect=lambda: launching.connect(plan.database_url),
        environ=dict(os.environ),
        pass_on=(),
        python=None,
        folder=plan.folder,
        timeout_s=60,
        show=False,
    )
    with _written(policy, corpus) as path:
        asked = Plan(adapter=policy.system, dataset=path)
        found = survey_plan(asked)
        facts = measuring.make_facts(plan)
        result = measure_recall(
            asked, found, setting, facts, lambda done: progress(done, found.sessions)
        )
        return _measured(result, path)


def confirm(result: Result, policy: Policy, corpus: CorpusFiles, file: str) -> Measured:
    """Take a result that was measured elsewhere, recomputing what follows from rows and dataset.

    Raises:
        InvalidInputError: It contradicts its own rows or the dataset.
    """
    with _written(policy, corpus) as path:
        found = audit.list_discrepancies(result, dataset.read_sessions(path))
        if found:
            advice = "measure again; a result is not edited"
            raise InvalidInputError(
                Fault(file=file, pointer="/item_rows", message=text, advice=advice)
                for text in found[:20]
            )
        return _measured(result, path)


def survey(policy: Policy, corpus: CorpusFiles) -> Survey:
    """Read a dataset without asking anybody."""
    with _written(policy, corpus) as path:
        return _survey(path)


def _measured(result: Result, path: Path) -> Measured:
    return Measured(result=result, failed=metrics.list_failed(result), survey=_survey(path))


def _survey(path: Path) -> Survey:
    items: dict[str, set[str]] = {suite: set() for suite in RECALL_SUITES}
    texts = {}
    for session in dataset.read_sessions(path):
        for query in session.queries:
            item = f"{session.session_id}/{query.query_id}"
            texts[item] = query.text
            if query.required is not None:
                items[query.query_type].add(item)
    return Survey(
        fixtures_hash=dataset.hash_dataset(path),
        items={suite: frozenset(ids) for suite, ids in items.items()},
        texts=texts,
    )


@contextmanager
def _written(policy: Policy, corpus: CorpusFiles) -> Iterator[Path]:
    """Put a dataset, wherever it was read, into a file for as long as it is needed.

    Errors name it as the policy does.
    """
    ((name, data),) = corpus.fixtures.items()
    with TemporaryDirectory(prefix="brainbench-recall-") as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        try:
            yield path
        except InvalidInputError as error:
            raise InvalidInputError(
                replace(fault, file=fault.file.replace(str(path), policy.fixtures))
                for fault in error.faults
            ) from None
