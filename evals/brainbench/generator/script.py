"""Scenes: conversations written by hand with slots for names. The README explains the notation."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

SCENES = Path(__file__).parent / "scenes"
USER_LINE = re.compile(
    r"(?P<text>.*?)(?: => (?P<gold>[a-z ]+?))?(?: =~ (?P<fair>[a-z ]+?))?(?: #(?P<tag>[a-z-]+))?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One thing that write-back should keep; `slot` is None where no page is meant."""

    kind: str
    slot: str | None
    gist: str
    fact: str
    keywords: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One thing that the next session should know."""

    decision_id: str
    slots: tuple[str, ...]
    keywords: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class Line:
    """One turn, with what should happen at it."""

    role: str
    text: str
    gold: tuple[str, ...] = ()
    fair: tuple[str, ...] = ()
    tag: str = ""
    pause_minutes: int = 0
    facts: list[Fact] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Scene:
    """One scene: a title, its cast, settings, and the lines of one or two sessions."""

    title: str
    cast: tuple[tuple[str, ...], ...] = ()
    sources: tuple[str, ...] = ()
    active: str = "default"
    length: int = 0
    notes: list[tuple[str, str, str]] = field(default_factory=list)
    appended: list[tuple[str, str]] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    reader: list[Line] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)


def read_scenes(name: str) -> list[Scene]:
    """The scenes of one file in `scenes/`, in file order."""
    text = (SCENES / f"{name}.txt").read_text(encoding="utf-8")
    return [_parse_scene(block) for block in text.split("== ")[1:]]


def _parse_scene(block: str) -> Scene:
    title, *rows = [row for row in block.splitlines() if row.strip()]
    scene = Scene(title=title)
    session = scene.lines
    pause_minutes = 0
    for row in rows:
        mark, _, rest = row.partition(" ")
        if mark == "---":
            session = scene.reader
        elif mark == "@":
            pause_minutes = int(rest)
        elif mark in (">", "<"):
            session.append(_parse_line(mark, rest, pause_minutes))
            pause_minutes = 0
        elif mark == "!":
            session[-1].facts.append(_parse_fact(rest))
        elif mark == "?":
            scene.decisions.append(_parse_decision(rest))
        else:
            _parse_setting(scene, mark, rest)
    return scene


def _parse_setting(scene: Scene, mark: str, rest: str) -> None:
    cells = [cell.strip().replace("\\n", "\n") for cell in rest.split("|")]
    match mark:
        case "cast:":
            scene.cast = tuple(tuple(member.split()) for member in rest.split(";"))
        case "sources:":
            scene.sources = tuple(rest.split())
        case "active:":
            scene.active = rest
        case "length:":
            scene.length = int(rest)
        case "note:":
            scene.notes.append((cells[0], cells[1], cells[2]))
        case "append:":
            scene.appended.append((cells[0], cells[1]))
        case _:
            raise ValueError(f"scene {scene.title!r}: unknown line starting with {mark!r}")


def _parse_line(mark: str, rest: str, pause_minutes: int) -> Line:
    if mark == "<":
        return Line(role="assistant", text=rest, pause_minutes=pause_minutes)
    match = USER_LINE.fullmatch(rest)
    if match is None:
        raise ValueError(f"cannot read the line {rest!r}")
    return Line(
        role="user",
        text=match["text"],
        gold=tuple((match["gold"] or "").split()),
        fair=tuple((match["fair"] or "").split()),
        tag=match["tag"] or "",
        pause_minutes=pause_minutes,
    )


def _parse_fact(rest: str) -> Fact:
    head, gist, fact, keywords = (cell.strip() for cell in rest.split("|"))
    kind, slot = head.split()
    return Fact(
        kind=kind,
        slot=None if slot == "-" else slot,
        gist=gist,
        fact=fact,
        keywords=_split_keywords(keywords),
    )


def _parse_decision(rest: str) -> Decision:
    head, keywords = (cell.strip() for cell in rest.split("|"))
    decision_id, *slots = head.split()
    return Decision(decision_id=decision_id, slots=tuple(slots), keywords=_split_keywords(keywords))


def _split_keywords(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(";"))
