"""What of base stands: what can be compared with, and what a justification must answer for.

Where a part of base can't be read, the tree's version of that part alone is used.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from brainbench_gate.baseline import MEASURE
from brainbench_gate.checks import floors
from brainbench_gate.items import is_stray
from brainbench_schema.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from brainbench_gate.ground import Ground
    from brainbench_gate.measured import Bench, CorpusFiles, Survey
    from brainbench_schema.baseline import Baseline, Items
    from brainbench_schema.policy import Policy

SOURCES = "sources"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Base as far as it can be used.

    Attributes:
        policy: Base's, or the tree's where base's can't be read.
        corpus: Base's, or the tree's where base's can't be read.
        survey: What follows from that corpus.
        main: Base's baseline; None where it can't be read or doesn't hold.
        main_items: Base's items file, likewise.
        tokens: States that a justification must name, each with its sentence.
    """

    policy: Policy
    corpus: CorpusFiles
    survey: Survey
    main: Baseline | None
    main_items: Items | None
    tokens: dict[str, str] = field(default_factory=dict)


def settle_base(
    base: Ground,
    policy: Policy,
    corpus: CorpusFiles,
    *,
    bench: Bench,
    policy_file: str,
    find_cause: Callable[[], str],
) -> Standing:
    """Find what of base can be compared with.

    Args:
        policy: The tree's policy.
        corpus: The tree's corpus.
        find_cause: Names the change that left base as it is; called only where it is needed.
    """
    broken = list(_find_unreadable(base, policy_file))
    own_policy = _mend_floors(base, policy, broken, policy_file)
    own_corpus, survey = _mend_corpus(base, own_policy, corpus, bench, broken)
    tokens = {"broken-base": "; ".join(broken)} if broken else {}
    main, items = base.baseline, base.items
    if items is not None and items.measure != MEASURE:
        numbers = f"{items.measure} to {MEASURE}"
        tokens["measure"] = f"this release measures differently: measure {numbers}"
    if own_corpus is base.corpus:
        stale = find_stale(main, items, base.policy, survey)
        if stale:
            tokens["stale-main"] = f"{stale} ({find_cause()})"
            main, items = None, None
    return Standing(
        policy=own_policy,
        corpus=own_corpus,
        survey=survey,
        main=main,
        main_items=items,
        tokens=tokens,
    )


def _find_unreadable(base: Ground, policy_file: str) -> Iterator[str]:
    yield from (f"{path}: {error}" for path, error in sorted(base.broken.items()))
    if base.policy is None and policy_file not in base.broken:
        yield f"{policy_file}: it is missing, although a baseline stands there"
    if base.policy and base.corpus is None and base.policy.fixtures not in base.broken:
        yield f"{base.policy.fixtures}: the corpus is missing"


def _mend_floors(base: Ground, policy: Policy, broken: list[str], policy_file: str) -> Policy:
    """Base's policy; with the tree's floors where base's bound what base never had."""
    if base.policy is None:
        return policy
    if base.baseline is None:
        return base.policy
    try:
        floors.require_carried(base.policy, base.baseline, policy_file)
    except InvalidInputError as error:
        broken.append(str(error))
        return replace(base.policy, floors=policy.floors)
    return base.policy


def _mend_corpus(
    base: Ground, policy: Policy, corpus: CorpusFiles, bench: Bench, broken: list[str]
) -> tuple[CorpusFiles, Survey]:
    if base.corpus is not None:
        try:
            return base.corpus, bench.survey(policy, base.corpus)
        except InvalidInputError as error:
            broken.append(f"{policy.fixtures}: {error}")
    return corpus, bench.survey(policy, corpus)


def find_stale(
    main: Baseline | None, items: Items | None, policy: Policy | None, survey: Survey
) -> str:
    """Say how base's baseline contradicts base's own ground; empty where it doesn't.

    What can't be told without running base's code shows in its push run.
    """
    if main is None:
        return ""
    if main.fixtures_hash != survey.fixtures_hash:
        return "base's baseline was made for another corpus than base's own"
    if policy is not None and _covers_other(main, policy):
        return "base's baseline covers other harnesses or suites than base's own policy"
    if items is None:
        return ""
    if (items.fixtures_hash, items.config) != (main.fixtures_hash, main.config):
        return "base's items file was made for another run than the baseline beside it"
    if items.measure != MEASURE or (policy is not None and policy.repeats > 1):
        return ""  # other ids, or counts and items settled one by one
    return next(_find_miscounts(main, items, survey), "")


def _covers_other(main: Baseline, policy: Policy) -> bool:
    covered = (set(main.config.harnesses), set(main.config.suites), main.config.include_holdout)
    return covered != (set(policy.harnesses), set(policy.suites), False)


def _find_miscounts(main: Baseline, items: Items, survey: Survey) -> Iterator[str]:
    for cell, counts in main.counts.items():
        known = survey.items.get(cell.split("/", 1)[1])
        if known is None or cell not in items.cells:
            continue  # a foreign runner's suite, or a run without rows
        if SOURCES in items.system.capabilities and counts.gold_total != len(known):
            yield (
                f"base's baseline counts {counts.gold_total} items in {cell}, "
                f"its corpus {len(known)}"
            )
        failed = [item for item in items.cells[cell] if not is_stray(item)]
        if len(failed) != counts.gold_failed:
            yield (
                f"base's baseline counts {counts.gold_failed} failed items in {cell}, "
                f"its items file {len(failed)}"
            )
        if foreign := sorted(set(failed) - known):
            yield f"base's items file lists {foreign[0]}, which base's corpus does not ask for"
