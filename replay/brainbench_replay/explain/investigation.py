"""A watched replay, ready to be asked why any of its items came out as it did."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from brainbench_replay.explain.causes import Cause, Diagnosis
from brainbench_replay.explain.deciding import Recollection, explain_decision
from brainbench_replay.explain.item_ids import ItemId, Kind, find_item
from brainbench_replay.explain.retrieval import (
    Scene,
    explain_page,
    explain_push,
    explain_stray,
    explain_turn,
)
from brainbench_replay.explain.stages import Moment, retrace
from brainbench_replay.explain.writing import Archive, Loss, explain_fact
from brainbench_replay.metrics.cells import list_failed
from brainbench_replay.plan import Unit, plan
from brainbench_replay.seams import SEAMS
from brainbench_schema.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from brainbench_replay.corpus import Case
    from brainbench_replay.explain.watching import WatchedSystem
    from brainbench_schema.result import Result

SUITES_OF = {
    Kind.PAGE: "push",
    Kind.STRAY: "push",
    Kind.FACT: "write-back",
    Kind.DECISION: "continuity",
}
NOT_CAME = Diagnosis(cause=Cause.SILENT, sentence="it did not come, as it should be")


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An item that failed on some harnesses, for one reason."""

    suite: str
    item: str
    harnesses: tuple[str, ...]
    diagnosis: Diagnosis


class Investigation:
    """What was seen of a run, put together item by item.

    Args:
        cases: The cases that were replayed.
        result: What the run came to.
        watched: The system that was under watch in it.
    """

    def __init__(self, cases: Sequence[Case], result: Result, watched: WatchedSystem) -> None:
        self.result = result
        self.watched = watched
        self.units = [unit for unit in plan(cases, result.suites) if unit.seed.key in watched.seen]
        self._scenes: dict[str, Scene] = {}

    @cached_property
    def failed(self) -> Mapping[str, tuple[str, ...]]:
        """Ids of failed items and wrong pushes, by cell."""
        return list_failed(self.result.turn_rows, self.result.item_rows)

    def suite(self, item: ItemId) -> str:
        """Give the suite that an item is judged in."""
        asked = self.units_of(item.case.fixture.fixture_id, "know-to-ask")
        return SUITES_OF.get(item.kind, "know-to-ask" if asked else "push")

    def harnesses(self, item: ItemId) -> list[str]:
        """List the harnesses that an item was measured on, in the order of the result."""
        suite = self.suite(item)
        return [cell.harness for cell in self.result.cells if cell.suite == suite]

    def passed(self, item: ItemId, harness: str) -> bool:
        """Tell whether an item passed on a harness; a turn in push, whether all of it did."""
        failed = self.failed[f"{harness}/{self.suite(item)}"]
        if item.kind is Kind.TURN and self.suite(item) == "push":
            return not any(id_.startswith((f"{item.text}:", f"{item.text}+")) for id_ in failed)
        return item.text not in failed

    def diagnose(self, item: ItemId, harness: str) -> Diagnosis:
        """Say why an item came out as it did on a harness."""
        unit = self.unit(item)
        if item.kind is Kind.FACT:
            return explain_fact(self._loss(item, unit), self._evidence(item, harness))
        if item.kind is Kind.DECISION:
            return explain_decision(
                self._recollection(item, unit), self._evidence(item, harness), harness
            )
        scene = self.scene(unit)
        moment = scene.moments[item.turn_id]
        if item.kind is Kind.TURN:
            explain = explain_push if self.suite(item) == "push" else explain_turn
            return explain(scene, moment, item.case.gold.turns[item.turn_id], harness)
        if item.kind is Kind.PAGE:
            return explain_page(scene, moment, item.slug, harness)
        came = item.slug in moment.stages[harness].injected
        return explain_stray(scene, moment, item.slug, harness) if came else NOT_CAME

    def units_of(self, fixture_id: str, suite: str) -> list[Unit]:
        """List the brains in which a fixture was measured for a suite."""
        if suite == "write-back":
            return [
                unit
                for unit in self.units
                if unit.writer and unit.scores_writing
                if unit.writer.fixture.fixture_id == fixture_id
            ]
        return [
            unit
            for unit in self.units
            if suite in unit.suites and unit.reader
            if unit.reader.fixture.fixture_id == fixture_id
        ]

    def unit(self, item: ItemId) -> Unit:
        """Give the brain in which an item was measured.

        Raises:
            UsageError: It was measured in none.
        """
        suite = self.suite(item)
        found = self.units_of(item.case.fixture.fixture_id, suite)
        if not found or (item.kind is not Kind.DECISION and not self._has_gold(item)):
            reasons = {entry.reason for entry in self.result.skipped if entry.suite == suite}
            told = f": {'; '.join(sorted(reasons))}" if reasons else ""
            raise UsageError(
                f"the item was not measured in the suite {suite}{told}",
                where=item.text,
                advice="list what fails with `brainbench explain --failing`",
            )
        return found[0]

    def scene(self, unit: Unit) -> Scene:
        """Give a unit's replayed turns, with what each seam decided."""
        key = unit.seed.key
        if key not in self._scenes:
            self._scenes[key] = self._retrace(unit)
        return self._scenes[key]

    def archive(self, unit: Unit) -> Archive:
        """Give what a unit's conversation left in storage."""
        assert unit.writer is not None
        seen = self.watched.seen[unit.seed.key]
        return Archive(
            fixture=unit.writer.fixture,
            writing=seen.writings[-1],
            facts=seen.facts,
            provenance=self.watched.provenance,
            seeded=frozenset(fact.fact for fact in unit.seed.facts),
            traces_messages=self.result.system.kind == "reflex",
        )

    def _retrace(self, unit: Unit) -> Scene:
        assert unit.reader is not None
        fixture, seen = unit.reader.fixture, self.watched.seen[unit.seed.key]
        injected = {
            (row.turn_id, row.harness): row.injected_slugs
            for row in self.result.turn_rows
            if row.fixture_id == fixture.fixture_id and row.suite in unit.suites
        }
        names = dict.fromkeys(harness for _, harness in injected)
        moments: dict[int, Moment] = {}
        if injected:
            seams = [SEAMS[name] for name in names]
            moments = retrace(fixture, seen.recalls, seams, injected)
        written = {
            writing.conversation.slug: (writing.conversation.title, writing.source)
            for writing in seen.writings
        }
        return Scene(fixture=fixture, seed=unit.seed, moments=moments, written=written)

    def _loss(self, item: ItemId, unit: Unit) -> Loss:
        gold = item.case.gold.turns[item.turn_id].gold_facts[item.place - 1]
        return Loss(archive=self.archive(unit), gold=gold, turn_id=item.turn_id)

    def _recollection(self, item: ItemId, unit: Unit) -> Recollection:
        assert unit.writer is not None
        decisions = {decision.decision_id: decision for decision in item.case.gold.decisions}
        return Recollection(
            scene=self.scene(unit),
            archive=self.archive(unit),
            gold=unit.writer.gold,
            decision=decisions[item.decision_id],
        )

    def _evidence(self, item: ItemId, harness: str) -> Mapping[str, object]:
        suite = self.suite(item)
        return self._evidence_by_item[item.text, harness, suite]

    @cached_property
    def _evidence_by_item(self) -> Mapping[tuple[str, str, str], Mapping[str, object]]:
        rows = self.result.item_rows
        return {(row.item, row.harness, row.suite): row.evidence for row in rows}

    def _has_gold(self, item: ItemId) -> bool:
        """Tell whether a turn was replayed, or states the fact."""
        roles = {turn.turn_id: turn.role for turn in item.case.fixture.turns}
        return item.kind is Kind.FACT or roles[item.turn_id] == "user"


def list_failures(
    seen: Investigation, failed: Mapping[str, Sequence[str]], cases: Sequence[Case]
) -> list[Failure]:
    """Give the cause of each failed id, those of one cause on several harnesses put together.

    Args:
        failed: Ids by cell.
        cases: The cases that the ids stand in.
    """
    found: dict[tuple[str, str, Diagnosis], list[str]] = defaultdict(list)
    for cell, ids in failed.items():
        harness, suite = cell.split("/", 1)
        for id_ in ids:
            found[suite, id_, seen.diagnose(find_item(id_, cases), harness)].append(harness)
    failures = [
        Failure(suite=suite, item=id_, harnesses=tuple(sorted(harnesses)), diagnosis=diagnosis)
        for (suite, id_, diagnosis), harnesses in found.items()
    ]
    return sorted(failures, key=lambda failure: (failure.suite, failure.item, failure.harnesses))
