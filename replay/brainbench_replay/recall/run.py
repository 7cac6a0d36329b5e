"""One run from a dataset file to a result document, in the order in which it happens."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

from brainbench_replay.recall.adapters.hosted import module_folder
from brainbench_replay.recall.adapters.registry import open_adapter
from brainbench_replay.recall.dataset import hash_dataset, read_sessions, survey_dataset
from brainbench_replay.recall.errata import NO_ERRATA, parse_errata
from brainbench_replay.recall.evaluator import evaluate
from brainbench_replay.recall.result import build_recall_result
from brainbench_replay.recall.similarity import load_similarity
from brainbench_schema.errors import BrainbenchError, UsageError
from brainbench_schema.files import read_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from brainbench_replay.recall.adapters.registry import Setting
    from brainbench_replay.recall.dataset import Survey
    from brainbench_replay.result import RunFacts
    from brainbench_schema.result import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is asked of whom.

    Attributes:
        adapter: Built-in name, or ``module[:attribute]``.
        errata: File of corrections, if any.
        embedder: ``module:function``; None for the lexical stand-in.
    """

    adapter: str
    dataset: Path
    errata: Path | None = None
    embedder: str | None = None


def survey(plan: Plan, progress: Callable[[int], None] = lambda _: None) -> Survey:
    """Read the whole dataset before anything starts, so that bad input costs no run.

    Raises:
        InvalidInputError: With the line.
    """
    return survey_dataset(plan.dataset, progress)


def measure_recall(
    plan: Plan,
    found: Survey,
    setting: Setting,
    facts: RunFacts,
    progress: Callable[[int], None] = lambda _: None,
) -> Result:
    """Run an adapter over a surveyed dataset and score it.

    Raises:
        BrainbenchError: The adapter failed, or the dataset changed while it ran.
    """
    errata = NO_ERRATA
    if plan.errata:
        errata = parse_errata(read_file(plan.errata), str(plan.errata))
    similarity = load_similarity(plan.embedder, module_folder(setting.folder))
    with open_adapter(plan.adapter, setting) as driver:
        recalled = evaluate(read_sessions(plan.dataset), driver, errata=errata, progress=progress)
        result = build_recall_result(recalled, found, driver, similarity=similarity, facts=facts)
    if hash_dataset(plan.dataset) != found.fixtures_hash:
        raise BrainbenchError(
            "changed while the adapter ran",
            where=str(plan.dataset),
            advice="an adapter must not write there; run again",
        )
    return result


def read_template(path: Path | None) -> str:
    """Read a results template; the own one by default."""
    own = resources.files(__package__) / "results_template.md"
    return own.read_text("utf-8") if path is None else _decode(read_file(path), str(path))


def _decode(data: bytes, file: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"not UTF-8 at byte {error.start}", where=file, advice="save it as plain UTF-8"
        ) from None
