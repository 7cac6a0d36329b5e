"""The bench of a judge: gives back documents that were measured elsewhere, and runs nothing."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from brainbench_gate.bench.recount import choose_cases, find_contradictions, read_capabilities
from brainbench_gate.bench.surveying import survey_corpus
from brainbench_gate.measured import Measured
from brainbench_gate.recall_view import is_recall
from brainbench_replay.corpus import Corpus, parse_corpus
from brainbench_replay.metrics.cells import list_failed
from brainbench_replay.seams import choose_seams
from brainbench_replay.systems.coverage import cover
from brainbench_replay.systems.entries import find_entry, fingerprint
from brainbench_schema.errors import Fault, InvalidInputError, SystemStartError, UsageError
from brainbench_schema.files import read_file
from brainbench_schema.result import Result, parse_result

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from brainbench_gate.measured import CorpusFiles, Survey
    from brainbench_replay.corpus import Case
    from brainbench_schema.policy import Policy

RESULT_NAME = re.compile(r"result(-\d{1,2})?\.json")
"""Names of results in an artifact: one for each ground and repeat that was measured."""

MAX_FAULTS = 20
"""Contradictions listed; a wrong result mostly has one cause and thousands of them."""


class MissingResultError(SystemStartError):
    """No document was given for a ground that has to be judged."""

    reason = "result-missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A result, and the name it goes by in errors."""

    name: str
    result: Result


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedBench:
    """Takes the document that fits a ground, and recomputes what can be recomputed.

    Attributes:
        documents: Results to choose from: of the tree's ground, and of base's where it differs.
        needs_rows: Refuse cells without rows, also those of a foreign runner.
        taken: How often each was given: repeats of a ground are given one after the other.
    """

    documents: tuple[Document, ...]
    needs_rows: bool = False
    taken: Counter[str] = field(default_factory=Counter, compare=False)

    def measure(self, policy: Policy, corpus: CorpusFiles) -> Measured:
        """Give the recorded run of a corpus or dataset as a policy says.

        Raises:
            MissingResultError: No document was measured on this ground.
            InvalidInputError: The document contradicts its own rows or the corpus.
        """
        if is_recall(policy):
            from brainbench_gate.bench import recall as recall_bench

            document = self._find(policy, recall_bench.survey(policy, corpus).fixtures_hash)
            return recall_bench.confirm(document.result, policy, corpus, document.name)
        parsed = parse_corpus(corpus.fixtures, corpus.gold)
        document = self._find(policy, parsed.fixtures_hash)
        return _confirm(document, policy, parsed, needs_rows=self.needs_rows)

    def survey(self, policy: Policy, corpus: CorpusFiles) -> Survey:
        """Read a corpus without replaying it."""
        if is_recall(policy):
            from brainbench_gate.bench import recall as recall_bench

            return recall_bench.survey(policy, corpus)
        parsed = parse_corpus(corpus.fixtures, corpus.gold)
        return survey_corpus(parsed, policy.suites, include_holdout=False)

    def _find(self, policy: Policy, fixtures_hash: str) -> Document:
        fitting = [
            document
            for document in self.documents
            if document.result.receipt.fixtures_hash == fixtures_hash
            and document.result.harnesses == tuple(sorted(policy.harnesses))
            and document.result.suites == tuple(sorted(policy.suites))
        ]
        other_entry = bool(fitting)
        fitting = [document for document in fitting if _is_of_entry(document, policy)]
        if not fitting:
            whose = f" and this entry of {policy.system!r}" if other_entry else ""
            raise MissingResultError(
                f"no result was measured on corpus {fixtures_hash[:12]} with "
                f"{', '.join(policy.harnesses)} × {', '.join(policy.suites)}{whose}",
                where=", ".join(document.name for document in self.documents) or "no result",
                advice="measure the commit that is judged, and give every result of that run",
            )
        own = [document for document in fitting if document.result.system.name == policy.system]
        chosen = min(own or fitting, key=lambda document: self.taken[document.name])
        self.taken[chosen.name] += 1
        return chosen


def read_documents(paths: Iterable[Path]) -> RecordedBench:
    """Make a bench of result files, or of folders such as the artifact of a workflow run.

    Raises:
        UsageError: A file can't be read, or a folder holds no result.
        InvalidInputError: A file is no result, or too large to be one.
    """
    found = {}
    for path in (file for one in paths for file in _list_results(one)):
        advice = "name a result that `brainbench run --out FILE` wrote"
        found[str(path)] = read_file(path, advice=advice)
    return parse_documents(found)


def _list_results(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = [file for file in path.iterdir() if RESULT_NAME.fullmatch(file.name)]
    if not found:
        raise UsageError(
            "holds no result.json", where=str(path), advice="give a result, or an artifact's folder"
        )
    return sorted(found, key=lambda file: (len(file.name), file.name))


def parse_documents(files: Mapping[str, bytes], *, needs_rows: bool = False) -> RecordedBench:
    """Make a bench of results by name.

    Raises:
        InvalidInputError: One is no result, with every fault found.
    """
    documents = [Document(name=name, result=parse_result(files[name], name)) for name in files]
    return RecordedBench(documents=tuple(documents), needs_rows=needs_rows)


def _confirm(document: Document, policy: Policy, corpus: Corpus, *, needs_rows: bool) -> Measured:
    result, cases = document.result, corpus.select(include_holdout=False)
    faults = list(_refusals(document))
    if needs_rows or not (is_foreign(policy) and _is_bare(result)):
        seams = _expect_seams(policy, result, cases)
        faults += find_contradictions(result, cases, seams, document.name)
    if faults:
        raise InvalidInputError(faults[:MAX_FAULTS])
    covered = Corpus(cases=choose_cases(result, cases), fixtures_hash=corpus.fixtures_hash)
    return Measured(
        result=result,
        failed=list_failed(result.turn_rows, result.item_rows),
        survey=survey_corpus(covered, policy.suites, include_holdout=False),
        capabilities=read_capabilities(result),
    )


def _expect_seams(policy: Policy, result: Result, cases: Sequence[Case]) -> dict[str, str]:
    """Tell which kind of seam the rows of each harness have with the policy's system."""
    name, entry = find_entry(policy.system, policy.systems)
    covered = cover(
        name,
        entry.kind,
        read_capabilities(result),
        seams=choose_seams(policy.harnesses),
        suites=policy.suites,
        cases=cases,
    )
    return {seam.harness: seam.kind for seam in covered.seams}


def _is_of_entry(document: Document, policy: Policy) -> bool:
    """Tell whether a result of a policy's system may be of its entry there.

    Foreign runners record none, and a result of another system is for a check to name.
    """
    system = document.result.system
    recorded = system.details.get("entry")
    if recorded is None or is_foreign(policy) or system.name != policy.system:
        return True
    _, entry = find_entry(policy.system, policy.systems)
    return bool(recorded == fingerprint(entry))


def is_foreign(policy: Policy) -> bool:
    """Tell whether a policy's system is a runner that writes result documents itself."""
    entry = policy.systems.get(policy.system)
    return entry is not None and entry.kind == "result"


def _is_bare(result: Result) -> bool:
    return not result.turn_rows and not result.item_rows


def _refusals(document: Document) -> Iterable[Fault]:
    result, file = document.result, document.name
    if result.receipt.include_holdout:
        message = "includes held-out fixtures; the gate judges runs without them"
        yield Fault(file=file, pointer="/receipt/include_holdout", message=message)
    if result.shard is not None:
        message = f"is shard {result.shard} of a run, which can't be judged alone"
        advice = "put all shards together: `brainbench merge RESULT… --out FILE`"
        yield Fault(file=file, pointer="/_meta/shard", message=message, advice=advice)
    for index, failure in enumerate(result.seed_failures):
        message = f"seed_failed: {failure.error}"
        yield Fault(file=file, pointer=f"/seed_failures/{index}", message=message)
