"""The bench that the command line gives to the gate: replays as a policy says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from brainbench_gate.bench import measuring
from brainbench_gate.bench.surveying import survey_corpus
from brainbench_gate.recall_view import is_recall
from brainbench_replay.corpus import parse_corpus

if TYPE_CHECKING:
    from collections.abc import Callable

    from brainbench_gate.measured import CorpusFiles, Measured, Survey
    from brainbench_schema.policy import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayBench:
    """Measures by replaying.

    Attributes:
        plan: What of a run doesn't come from the policy.
    """

    plan: measuring.Plan
    progress: Callable[[int, int], None]

    def measure(self, policy: Policy, corpus: CorpusFiles) -> Measured:
        """Replay a corpus as a policy says, or ask what its dataset asks."""
        if is_recall(policy):
            from brainbench_gate.bench import recall as recall_bench

            return recall_bench.measure(policy, corpus, self.plan, self.progress)
        parsed = parse_corpus(corpus.fixtures, corpus.gold)
        plan = replace(
            self.plan,
            system=policy.system,
            systems=policy.systems,
            sealed=measuring.seal(self.plan.folder, policy),
            harnesses=policy.harnesses,
            suites=policy.suites,
        )
        return measuring.measure(parsed, plan, progress=self.progress, files=corpus)

    def survey(self, policy: Policy, corpus: CorpusFiles) -> Survey:
        """Read a corpus without replaying it."""
        if is_recall(policy):
            from brainbench_gate.bench import recall as recall_bench

            return recall_bench.survey(policy, corpus)
        parsed = parse_corpus(corpus.fixtures, corpus.gold)
        return survey_corpus(parsed, policy.suites, include_holdout=False)
