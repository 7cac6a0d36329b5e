"""A result → the values of its page → HTML, by a template that escapes all it is given. Pure."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

from brainbench_gate.scoreboard import COLUMNS, CONTRACT_FOOTNOTE, replays_a_shape
from brainbench_gate.telling import describe_result
from brainbench_replay.metrics.cells import list_failed
from brainbench_schema.numbers import format_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from brainbench_schema.result import Cell, Result

TEMPLATE = "report.html.j2"
QUESTIONS = {
    "know-to-ask": "Does memory speak up when it should, and keep still when it should not?",
    "push": "Is what memory injects right, and is all of it there?",
    "write-back": "Are the facts of a conversation stored, with where they come from?",
    "continuity": "Does another harness know what was decided in an earlier conversation?",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One cell of the scoreboard."""

    harness: str
    seam: str
    passed: int
    total: int
    metrics: tuple[tuple[str, str, str], ...]

    @property
    def share(self) -> float:
        """Passed items in percent; 100 where there are none."""
        return 100 * self.passed / self.total if self.total else 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Failing:
    """One failing item: what should have come, and what came where it failed."""

    item: str
    expected: str
    seen: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One suite: its question, its cells and its failing items."""

    suite: str
    question: str
    rows: tuple[Row, ...]
    failing: tuple[Failing, ...]


def render_page(result: Result) -> str:
    """Write the page of a result. Nothing in it comes from elsewhere, and nothing in it runs."""
    from jinja2 import Environment, StrictUndefined

    source = (resources.files(__package__) / TEMPLATE).read_text("utf-8")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(source).render(
        title=f"BrainBench: {result.system.name}",
        facts=list(describe_result(result)),
        sections=list(_sections(result)),
        skipped=result.skipped,
        footnote=_footnote(result),
        glossary=sorted(result.metric_glossary.items()),
    )


def _footnote(result: Result) -> str:
    contract = any(map(replays_a_shape, result.cells))
    return CONTRACT_FOOTNOTE.replace("`", "") if contract else ""


def _sections(result: Result) -> Iterator[Section]:
    failing = _failing(result)
    for suite in dict.fromkeys(cell.suite for cell in result.cells):
        cells = [cell for cell in result.cells if cell.suite == suite]
        yield Section(
            suite=suite,
            question=QUESTIONS.get(suite, ""),
            rows=tuple(_row(cell) for cell in cells),
            failing=tuple(failing[suite]),
        )


def _row(cell: Cell) -> Row:
    return Row(
        harness=cell.harness,
        seam=cell.seam,
        passed=cell.gold_total - cell.gold_failed,
        total=cell.gold_total,
        metrics=tuple(
            (name, COLUMNS.get(name, name), format_number(value))
            for name, value in sorted(cell.metrics.items(), key=_shown_order)
        ),
    )


def _shown_order(metric: tuple[str, float]) -> tuple[int, str]:
    order = list(COLUMNS)
    name = metric[0]
    return (order.index(name) if name in order else len(order)), name


def _failing(result: Result) -> Mapping[str, list[Failing]]:
    harnesses: dict[tuple[str, str], list[str]] = defaultdict(list)
    for cell, ids in list_failed(result.turn_rows, result.item_rows).items():
        harness, suite = cell.split("/", 1)
        for id_ in ids:
            harnesses[suite, id_].append(harness)
    turns = {
        (row.suite, f"{row.fixture_id}#{row.turn_id}", row.harness): (row.gold, row.injected_slugs)
        for row in result.turn_rows
    }
    found: dict[str, list[Failing]] = defaultdict(list)
    for (suite, id_), names in sorted(harnesses.items()):
        if suite in ("write-back", "continuity"):
            found[suite].append(_probe(id_, suite, names))
        else:
            turn = id_.split(":", 1)[0].split("+", 1)[0]
            rows = [(name, *turns[suite, turn, name]) for name in names]
            found[suite].append(_pushed(id_, rows))
    return found


def _probe(item: str, suite: str, harnesses: Sequence[str]) -> Failing:
    stored = "the fact is stored, with its provenance"
    expected = stored if suite == "write-back" else "the decision is recalled"
    return Failing(item=item, expected=expected, seen=((", ".join(harnesses), "it was not"),))


def _pushed(
    item: str, rows: Sequence[tuple[str, dict[str, Any] | None, tuple[str, ...]]]
) -> Failing:
    gold = rows[0][1] or {}
    wanted = " or ".join(gold.get("gold_slugs", ())) if gold.get("should_retrieve") else "nothing"
    slug = item.split(":", 1)[1] if ":" in item else ""
    seen: dict[str, list[str]] = defaultdict(list)
    for name, _, slugs in rows:
        seen[", ".join(slugs) or "nothing"].append(name)
    return Failing(
        item=item,
        expected=slug or wanted,
        seen=tuple((", ".join(names), came) for came, names in seen.items()),
    )
