"""The three kinds of session, each with its dial of difficulty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dice import Dice
from notebook import Notebook
from topics import EVENTS, FILLERS, NAMES, RELATIVE, SAME_DAY, TOPICS, Topic

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = 20310106
COUNT = 100
TEN = ("retrieval",) * 4 + ("temporal",) * 3 + ("contradiction",) * 3
"""Kinds of every ten sessions; their order is drawn."""

Fact = tuple[str, Topic, str]


def build_all() -> list[dict[str, Any]]:
    """Build the whole dataset."""
    return [build_session(number) for number in range(1, COUNT + 1)]


def build_session(number: int) -> dict[str, Any]:
    """Build one session.

    Args:
        number: Its number from 1; it decides everything about it.
    """
    ten, place = divmod(number - 1, len(TEN))
    kind = Dice(SEED, -ten).shuffle(TEN)[place]
    dice = Dice(SEED, number)
    book = Notebook(dice)
    BUILDERS[kind](book, dice, place)
    return {
        "session_id": f"braincore-{number:03}",
        "memories": book.memories,
        "queries": book.queries,
    }


def _retrieval(book: Notebook, dice: Dice, place: int) -> None:
    """Facts about three people, told apart by name and topic only; one or two are asked for."""
    facts = _facts(dice, people=3, topics=4)
    ids = {}
    for fact in dice.shuffle(facts):
        ids[fact] = _note(book, fact)
        if dice.chance(0.3):
            _fill(book, dice)
    hard = place % 2 == 0
    asked = dice.pick(facts)
    _ask_fact(book, asked, ids[asked], paraphrase=hard)
    if dice.chance(0.5):
        _ask_two(book, dice, ids)
    _fill(book, dice)


def _temporal(book: Notebook, dice: Dice, place: int) -> None:
    """Events of one person among those of another; on one day, or told by relative dates."""
    name, other = dice.draw(NAMES, 2)
    same_day = place % 2 == 0
    count = dice.between(2, 4)
    told = dice.draw(EVENTS, count + 2)
    lead = SAME_DAY if same_day else tuple(dice.draw(RELATIVE, len(RELATIVE)))
    for event in told[count:]:
        book.write(event.format(name=other))
        _fill(book, dice)
    ids = []
    for index, event in enumerate(told[:count]):
        text = f"{lead[index]} {event.format(name=name)}"
        ids.append(book.write(text, same_day=same_day and index > 0))
    facts = _facts(dice, people=2, topics=2)
    notes = {fact: _note(book, fact) for fact in facts}
    _ask_order(book, dice, [event.format(name=name) for event in told[:count]], ids, same_day)
    if dice.chance(0.5):
        asked = dice.pick(facts)
        _ask_fact(book, asked, notes[asked], paraphrase=dice.chance(0.5))
    _fill(book, dice)


def _contradiction(book: Notebook, dice: Dice, place: int) -> None:
    """One fact revised two to four times, or taken back, beside facts that stay or change."""
    (name, topic, _), *others = _facts(dice, people=3, topics=2)
    revisions = dice.between(3, 5)
    values = dice.draw(topic.values, revisions)
    for other in others[: len(others) // 2]:
        _note(book, other)
    _decoy(book, dice, others[0])
    chain = [_note(book, (name, topic, values[0]))]
    retracts = place % 3 == 0
    for step, value in enumerate(values[1:], 1):
        last = step == revisions - 1
        template = topic.retract if last and retracts else topic.change
        same_day = dice.chance(0.3)
        text = template.format(name=name, value=value)
        chain.append(book.write(text, supersedes=chain[-1], same_day=same_day))
        if dice.chance(0.5):
            _fill(book, dice)
    for other in others[len(others) // 2 :]:
        _note(book, other)
    paraphrase = dice.chance(0.4)
    question = (topic.paraphrase if paraphrase else topic.plain).format(name=name)
    category = "retraction" if retracts else "revision"
    text = f"As of now: {question}"
    book.ask(text, "contradiction", chain[-1:], answer=chain[-1], category=category)
    _fill(book, dice)


BUILDERS: dict[str, Callable[[Notebook, Dice, int], None]] = {
    "retrieval": _retrieval,
    "temporal": _temporal,
    "contradiction": _contradiction,
}


def _facts(dice: Dice, *, people: int, topics: int) -> list[Fact]:
    """Draw people and topics, and a value for each pair of them."""
    names, kinds = dice.draw(NAMES, people), dice.draw(TOPICS, topics)
    return [
        (name, kind, value)
        for kind in kinds
        for name, value in zip(names, dice.draw(kind.values, people), strict=True)
    ]


def _note(book: Notebook, fact: Fact) -> str:
    name, topic, value = fact
    return book.write(topic.note.format(name=name, value=value))


def _decoy(book: Notebook, dice: Dice, fact: Fact) -> None:
    """Revise somebody else's fact, before the fact that is asked for was revised last."""
    name, topic, value = fact
    if dice.chance(0.5):
        new = dice.pick([one for one in topic.values if one != value])
        older = next(one["memory_id"] for one in book.memories if name in one["text"])
        text = topic.change.format(name=name, value=new)
        book.write(text, supersedes=older)


def _fill(book: Notebook, dice: Dice) -> None:
    book.write(dice.pick(FILLERS), same_day=dice.chance(0.3))


def _ask_fact(book: Notebook, fact: Fact, memory_id: str, *, paraphrase: bool) -> None:
    name, topic, _ = fact
    question = (topic.paraphrase if paraphrase else topic.plain).format(name=name)
    category = "paraphrase" if paraphrase else "distractors"
    book.ask(question, "retrieval", [memory_id], answer=memory_id, category=category)


def _ask_two(book: Notebook, dice: Dice, ids: dict[Fact, str]) -> None:
    """Ask for the same thing of two people, which takes both notes."""
    one = dice.pick(list(ids))
    two = dice.pick([fact for fact in ids if fact[1] is one[1] and fact is not one])
    names = f"{one[0]} and of {two[0]}"
    question = f"Compare what is noted of {names}: {one[1].key}"
    first, second = sorted([ids[one], ids[two]])
    book.ask(question, "retrieval", [first, second], answer=first, category="two facts")


def _ask_order(
    book: Notebook, dice: Dice, events: list[str], ids: list[str], same_day: bool
) -> None:
    listed = "; ".join(event.rstrip(".") for event in dice.shuffle(events))
    category = "same day" if same_day else "relative dates"
    text = f"In which order did this happen: {listed}?"
    book.ask(text, "temporal", ids, answer=ids[0], category=category)
