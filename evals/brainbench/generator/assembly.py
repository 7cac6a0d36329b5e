"""A scene and its cast become a fixture and its gold."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from names import fold
from script import Line

if TYPE_CHECKING:
    from casting import Role, Troupe
    from prng import Prng
    from script import Decision, Fact, Scene
    from universe import Entity

Json = dict[str, Any]

SLOT = re.compile(r"\{([a-z])(?:\.([a-z]+))?\}")
FIRST_DAY = datetime(2026, 2, 2, 8, 0, tzinfo=UTC)

SEED_FACTS = (
    "{} asked for the figures of May",
    "{} wants the contract in two languages",
    "{} was at the spring review",
    "{} prefers the early slot",
    "{} sent the signed copy back",
    "{} has a new phone number",
)

FILLER = (
    ("Item {} on the list is through.", "Ticked."),
    ("Next, number {}: postponed to the afternoon.", "Moved."),
    ("Question {} came from the back row, no answer yet.", "On the open list."),
    ("Slide {} has a typo, fix it later.", "Marked."),
    ("Point {} needs a second reading.", "Queued."),
    ("Break after number {}.", "Ten minutes."),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One fixture, its gold, and the strata of its scored turns."""

    fixture: Json
    gold: Json
    strata: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a family asks for: the fixture's frame, and what its gold covers."""

    fixture_id: str
    suites: tuple[str, ...]
    category: str
    holdout: bool = False
    timed: bool = False
    bystanders: int = 3
    continuity: Json = field(default_factory=dict)


class Stage:
    """One scene with its roles; builds every part of the documents from them."""

    def __init__(self, scene: Scene, troupe: Troupe, prng: Prng) -> None:
        """Cast the scene."""
        self.scene = scene
        self.troupe = troupe
        self.prng = prng
        self.roles: dict[str, Role] = troupe.cast(scene, prng)

    def session(self, plan: Plan, lines: list[Line], *, with_pages: bool = True) -> Pair:
        """One session as a fixture with gold; without pages only bystanders are seeded."""
        return Pair(
            fixture=self._fixture(plan, lines, with_pages=with_pages),
            gold=self._gold(plan, lines),
            strata=tuple(_stratum(line) for line in lines if _scored(plan, line)),
        )

    def fill(self, text: str) -> str:
        """The text with names in place of slots."""
        return SLOT.sub(self._name, text)

    def slugs(self, slots: tuple[str, ...]) -> list[str]:
        """The slugs of the pages in these slots."""
        return [self.roles[slot].entity.slug for slot in slots]

    def decisions(self) -> list[Json]:
        """The decision probes of a reader."""
        return [self._decision(decision) for decision in self.scene.decisions]

    def _name(self, match: re.Match[str]) -> str:
        entity = self.roles[match[1]].entity
        return entity.slug if match[2] == "slug" else entity.form(match[2] or "")

    def _fixture(self, plan: Plan, lines: list[Line], *, with_pages: bool) -> Json:
        document: Json = {
            "schema_version": 1,
            "fixture_id": plan.fixture_id,
            "suites": list(plan.suites),
            "category": plan.category,
        }
        if plan.holdout:
            document["holdout"] = True
        if self.scene.sources:
            document["sources"] = list(self.scene.sources)
            document["active_source"] = self.scene.active
        document["seed_pages"] = self._pages(plan, with_pages=with_pages)
        facts = [] if plan.timed else self._seed_facts()
        if facts:
            document["seed_facts"] = facts
        document["turns"] = self._turns(plan, lines)
        if plan.continuity:
            document["continuity"] = plan.continuity
        return document

    def _pages(self, plan: Plan, *, with_pages: bool) -> list[Json]:
        pages: list[Json] = []
        if with_pages:
            for slot, role in self.roles.items():
                pages += [self._page(slot, role.entity, source) for source in role.sources]
            pages += [self._note(*note) for note in self.scene.notes]
        others = self.troupe.bystanders(self.roles, plan.bystanders, self.prng)
        pages += [self._page("", entity, self.scene.active) for entity in others]
        return self.prng.shuffled(pages)

    def _page(self, slot: str, entity: Entity, source: str) -> Json:
        content = entity.content
        for owner, text in self.scene.appended:
            if owner == slot:
                content += f"{self.fill(text)}\n"
        if slot and len(self.roles[slot].sources) > 1:
            content += f"This copy belongs to {source}.\n"
        return _with_source({"slug": entity.slug, "content": content}, source)

    def _note(self, title: str, summary: str, body: str) -> Json:
        name = self.fill(title)
        slug = re.sub(r"[^a-z0-9]+", "-", fold(name).lower()).strip("-")
        matter = [f'title: "{name}"', "type: note"]
        matter += [f'summary: "{self.fill(summary)}"'] if summary else []
        content = "\n".join(["---", *matter, "---", "", self.fill(body), ""])
        return _with_source({"slug": f"notes/{slug}", "content": content}, self.scene.active)

    def _seed_facts(self) -> list[Json]:
        if not self.prng.chance(0.4):
            return []
        paged = [role for role in self.roles.values() if role.sources]
        role = self.prng.choice(paged)
        text = self.prng.choice(SEED_FACTS).format(role.entity.title)
        fact = {"fact": text, "entity_slug": role.entity.slug, "source": "notes-import"}
        return [_with_source(fact, role.sources[0])]

    def _turns(self, plan: Plan, lines: list[Line]) -> list[Json]:
        day, minutes = self.prng.between(0, 89), self.prng.between(0, 9 * 60)
        now = FIRST_DAY + timedelta(days=day, minutes=minutes)
        stamped = plan.timed or (not plan.continuity and self.prng.chance(0.3))
        turns = []
        for turn_id, line in enumerate(lines, start=1):
            now += timedelta(minutes=line.pause_minutes or self.prng.between(1, 4))
            turn = {"turn_id": turn_id, "role": line.role, "text": self.fill(line.text)}
            if stamped:
                turn["ts"] = now.strftime("%Y-%m-%dT%H:%M:%SZ")
            turns.append(turn)
        return turns

    def _gold(self, plan: Plan, lines: list[Line]) -> Json:
        turns = {
            str(turn_id): self._gold_turn(plan, line)
            for turn_id, line in enumerate(lines, start=1)
            if _annotated(plan, line)
        }
        document: Json = {"fixture_id": plan.fixture_id, "turns": turns}
        if plan.continuity.get("pair_role") == "reader":
            pair_id = plan.continuity["pair_id"]
            document["continuity"] = {"pair_id": pair_id, "decisions": self.decisions()}
        return document

    def _gold_turn(self, plan: Plan, line: Line) -> Json:
        gold = self.slugs(line.gold)
        turn: Json = {"should_retrieve": bool(gold)}
        if gold:
            turn["gold_slugs"] = gold
        fair = self.slugs(self._fair_slots(plan, line))
        if fair:
            turn["acceptable_slugs"] = fair
        if line.facts:
            turn["gold_facts"] = [self._gold_fact(fact) for fact in line.facts]
        return turn

    def _fair_slots(self, plan: Plan, line: Line) -> tuple[str, ...]:
        """Pages that a turn names without needing them: fair to push, not asked for."""
        if "push" not in plan.suites:
            return line.fair
        active = self.scene.active
        named = dict.fromkeys(match[0] for match in SLOT.findall(line.text) if match[1] != "about")
        held = [slot for slot in named if active in self.roles[slot].sources]
        near = line.tag in ("near-miss", "ambiguous")
        extra = () if near else tuple(slot for slot in held if slot not in line.gold)
        return tuple(dict.fromkeys((*line.fair, *extra)))

    def _gold_fact(self, fact: Fact) -> Json:
        return {
            "gist": fact.gist,
            "fact": self.fill(fact.fact),
            "entity_slug": self.roles[fact.slot].entity.slug if fact.slot else None,
            "match_keywords": list(fact.keywords),
            "kind": fact.kind,
        }

    def _decision(self, decision: Decision) -> Json:
        return {
            "decision_id": decision.decision_id,
            "expected_slugs": self.slugs(decision.slots),
            "match_keywords": list(decision.keywords),
        }


def lengthened(lines: list[Line], length: int) -> list[Line]:
    """The lines with numbered small talk after the first exchange, up to `length` turns."""
    extra: list[Line] = []
    while len(lines) + len(extra) < length:
        number = len(extra) // 2 + 1
        asked, answered = FILLER[number % len(FILLER)]
        extra.append(Line(role="user", text=asked.format(number)))
        extra.append(Line(role="assistant", text=answered))
    return [*lines[:2], *extra, *lines[2:]]


def _with_source(document: Json, source: str) -> Json:
    return document if source == "default" else {**document, "source_id": source}


def _scored(plan: Plan, line: Line) -> bool:
    return line.role == "user" and bool({"know-to-ask", "push"} & set(plan.suites))


def _annotated(plan: Plan, line: Line) -> bool:
    return bool(line.facts or line.gold) or _scored(plan, line)


def _stratum(line: Line) -> str:
    return line.tag or ("direct" if line.gold else "small-talk")
