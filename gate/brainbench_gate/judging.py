"""One judgement of a folder, the entry of the command line and of CI: sides, bench, verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from brainbench_gate.rules import Mode, Verdict
from brainbench_gate.run import find_reason, judge_change
from brainbench_gate.seal import SealedBench, list_places, put_seal
from brainbench_gate.sides import Sides, open_sides
from brainbench_gate.verdict import BenchmarkVerdict, VerdictDocument
from brainbench_schema.errors import BrainbenchError, SystemStartError, UsageError
from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path
    from typing import Any

    from brainbench_gate.measured import Bench, Measured
    from brainbench_schema.baseline import Baseline
    from brainbench_schema.result import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A verdict with what it came from. The sides' repository is closed.

    Attributes:
        run: BrainBench on the tree's own ground.
        recalled: BrainCore likewise, where the policy asks for it.
    """

    document: VerdictDocument
    run: Measured
    sides: Sides
    recalled: Measured | None = None

    def list_runs(self) -> Iterator[tuple[Result, Baseline | None]]:
        """Give each benchmark's run with base's baseline, for scoreboards."""
        yield self.run.result, self.sides.base.baseline
        if self.recalled is not None and self.sides.recall is not None:
            yield self.recalled.result, self.sides.recall.base.baseline


def judge_folder(
    folder: Path,
    make_bench: Callable[[Sides], Bench],
    *,
    environ: Mapping[str, str],
    base_name: str | None = None,
    policy_file: str = POLICY_FILE,
    allowance: str | None = None,
    verify: bool = False,
    compare: Callable[[str, str], str | None] | None = None,
) -> Judged:
    """Judge the tree around a folder against its base.

    What decides the verdict is hashed before the system under test starts and looked at again
    after each replay.

    Args:
        folder: Folder of the policy.
        make_bench: Makes what measures, once both sides are known.
        environ: The process's environment.
        base_name: A local run's ``--base``.
        policy_file: The policy's path in the folder.
        allowance: Reason of a local trial that lets breaches pass.
        verify: Whether each ground is replayed twice and has to repeat.
        compare: Asks the API how a head stands to a base, as of `find_base`.

    Raises:
        BrainbenchError: There is no verdict.
    """
    refuse_allowance(allowance, environ)
    with open_sides(
        folder, base_name=base_name, environ=environ, policy_file=policy_file, compare=compare
    ) as sides:
        bench = seal_bench(make_bench(sides), folder, sides)
        return judge_sides(_on_terms(sides, allowance, verify=verify), bench)


def _on_terms(sides: Sides, allowance: str | None, *, verify: bool) -> Sides:
    terms = replace(sides.terms, allowance=allowance, verify=verify)
    recall, dropped = (
        one and _on_terms(one, allowance, verify=verify) for one in (sides.recall, sides.dropped)
    )
    return replace(sides, terms=terms, recall=recall, dropped=dropped)


def judge_sides(sides: Sides, bench: Bench) -> Judged:
    """Judge two sides with what a bench measures; both benchmarks where the policy has two."""
    judged = [judge_change(one.tree, one.base, bench, one.terms) for one in sides.all]
    last = [] if sides.dropped is None else list(_judge_dropped(sides, sides.dropped, bench))
    run = judged[0][1]
    policy = sides.tree.policy
    document = VerdictDocument(
        benchmarks=(*(verdict for verdict, _ in judged), *last),
        provenance=replace(sides.provenance, fixtures_hash=run.result.receipt.fixtures_hash),
        gate=policy.name if policy is not None else "main",
    )
    recalled = judged[1][1] if len(judged) > 1 else None
    return Judged(document=document, run=run, sides=sides, recalled=recalled)


def _judge_dropped(sides: Sides, dropped: Sides, bench: Bench) -> Iterator[BenchmarkVerdict]:
    """Judge the code on a benchmark that the tree's policy drops.

    Where its adapter is gone too there is nothing to judge, and that is said; that the policy
    drops it has to be named in any case. Its own baseline is not written any more: the reason
    stands in the first benchmark's.
    """
    terms = replace(
        dropped.terms, recorded=find_reason(sides.tree, sides.base, sides.terms.has_stood)
    )
    try:
        yield judge_change(dropped.tree, dropped.base, bench, terms)[0]
    except SystemStartError as error:
        yield BenchmarkVerdict(
            name=terms.name,
            mode=Mode.SAME_HASH,
            verdict=Verdict.PASS,
            reason="dropped",
            notes=(f"dropped, and its adapter can't run here, so it was not measured: {error}",),
        )


def seal_bench(bench: Bench, folder: Path, sides: Sides) -> SealedBench:
    """Put a seal on what decides a verdict, and have the bench look at it."""
    policies = [side.policy for side in (sides.tree, sides.base) if side.policy is not None]
    places = list_places(folder, policies, sides.terms.policy_file)
    return SealedBench(bench=bench, seal=put_seal(places))


def refuse_allowance(allowance: str | None, environ: Mapping[str, str]) -> None:
    """Stop where a local trial's allowance is asked for in CI, or gives no reason.

    Raises:
        UsageError: It is.
    """
    if allowance is None:
        return
    if environ.get("CI", "").lower() not in ("", "0", "false") or "GITHUB_ACTIONS" in environ:
        raise UsageError(
            "refused in CI",
            where="--allow-regression",
            advice="record a reason with `brainbench bless --justification`",
        )
    require_reason(allowance)


def require_reason(allowance: str | None) -> None:
    """Stop where an allowance gives no reason.

    Raises:
        UsageError: It is empty.
    """
    if allowance is not None and not allowance.strip():
        raise UsageError(
            "the reason is empty",
            where="--allow-regression",
            advice="say why in a few words, or leave the option out",
        )


def describe_error(error: BrainbenchError) -> dict[str, Any]:
    """Give what a machine reads where there is no verdict: inconclusive, and why."""
    return {
        "verdict": "inconclusive",
        "reason": error.reason,
        "headline": f"Could not judge: {str(error).splitlines()[0]}",
        "error": str(error),
        "benchmarks": [],
    }
