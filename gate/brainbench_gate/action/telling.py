"""What the action tells: summary, comment, status, annotations, outputs. The verdict is settled."""

from __future__ import annotations

import os
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from brainbench_gate.action.annotations import annotate
from brainbench_gate.action.artifact import write_artifact
from brainbench_gate.action.publish import Published, publish
from brainbench_gate.findings import refuse_verdict
from brainbench_gate.report.account import Account
from brainbench_gate.report.rendering import render_comment, render_summary
from brainbench_gate.rules import ISOLATION, Mode, Verdict
from brainbench_gate.verdict import BenchmarkVerdict, Provenance, VerdictDocument

if TYPE_CHECKING:
    from brainbench_gate.action.judging import Action
    from brainbench_gate.action.runner import Runner
    from brainbench_schema.errors import BrainbenchError

DISTRIBUTION = "brainbench-gate"


def tell(action: Action, document: VerdictDocument, runner: Runner) -> int:
    """Write files and summary, post, set outputs; then the verdict's exit code."""
    path = keep_artifact(action)
    account = build_account(action, document)
    runner.write_summary(render_summary(account))
    runner.say(f"{document.headline}\n{document.worst.reason}")
    done = Published()
    if action.target is not None:
        mode = action.inputs.comment
        done = publish(document, render_comment(account), action.target, action.github, mode=mode)
    for remark in done.remarks:
        runner.warn(remark)
    if action.sides is not None:
        folder = action.inputs.working_directory
        runner.annotate(annotate(document.worst, action.sides.tree, folder))
    outputs = {**artifact_outputs(action, path), **verdict_outputs(document, done, path)}
    runner.set_outputs(outputs)
    return document.exit_code


def describe_failure(error: BrainbenchError, action: Action) -> VerdictDocument:
    """Give the verdict of a run that could not be judged."""
    text = error.what if error.where == "" else f"{error.where}: {error.what}"
    advice = [line.strip() for line in (error.advice or str(error)).splitlines()]
    finding = refuse_verdict("run", error.reason, text, *advice)
    one = BenchmarkVerdict(
        name="brainbench",
        mode=Mode.SAME_HASH,
        verdict=Verdict.INCONCLUSIVE,
        reason=error.reason,
        checks=(finding,),
    )
    head = action.target.head_sha if action.target else ""
    provenance = Provenance(
        base_ref="", base_commit="", why="nothing was judged", head_commit=head, fixtures_hash=""
    )
    return VerdictDocument(benchmarks=(one,), provenance=provenance, gate=action.gate)


def build_account(action: Action, document: VerdictDocument) -> Account:
    """Put together what there is to tell."""
    return Account(
        document=document,
        version=metadata.version(DISTRIBUTION),
        runs=tuple(action.judged.list_runs()) if action.judged else (),
        folder=action.inputs.working_directory,
        run_id=action.run_id,
        by_fork=action.by_fork,
    )


def keep_artifact(action: Action) -> Path | None:
    """Write the documents of this run for the artifact."""
    if action.sides is None or not action.kept:
        return None
    folder = Path(action.environ.get("RUNNER_TEMP") or os.curdir) / "brainbench-artifact"
    accepted = [(action.sides, action.judged.run if action.judged else action.kept[0])]
    if action.judged and action.judged.recalled and action.sides.recall:
        accepted.append((action.sides.recall, action.judged.recalled))
    return write_artifact(folder, action.kept, accepted)


def artifact_outputs(action: Action, path: Path | None) -> dict[str, str]:
    """Name the artifact, where there is one to upload."""
    if path is None:
        return {}
    return {"artifact-name": f"brainbench-{action.gate}", "artifact-path": str(path.parent)}


def verdict_outputs(
    document: VerdictDocument, done: Published, path: Path | None
) -> dict[str, str]:
    """Give the action's outputs."""
    one = document.worst
    leaks = sum(breach.current or 0 for breach in one.breaches if breach.metric == ISOLATION)
    recall = [other for other in document.benchmarks if other.name != "brainbench"]
    return {
        "verdict": document.verdict.value,
        "mode": one.mode.value,
        "reason": one.reason,
        "newly-failed": str(sum(len(other.failed_ids) for other in document.benchmarks)),
        "fixed": str(sum(len(other.fixed_ids) for other in document.benchmarks)),
        "isolation-violations": str(leaks),
        "corpus-changed": str(one.mode is Mode.CORPUS_BLESS).lower(),
        "base-sha": document.provenance.base_commit,
        "comment-url": done.comment_url,
        "result-path": str(path or ""),
        "recall-mode": recall[0].mode.value if recall else "",
    }
