"""What the synthetic notes are about: invented people, their habits and small events."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """One thing that may be noted of a person, and that may change.

    Attributes:
        note: The note; ``{name}`` and ``{value}`` are filled in.
        change: The same fact after a change, in other words.
        retract: The note that takes it back without a new value.
        plain: A question in the words of the note.
        paraphrase: The same question in other words.
    """

    key: str
    note: str
    change: str
    retract: str
    plain: str
    paraphrase: str
    values: tuple[str, ...]


NAMES = (
    "Adaeze", "Bertil", "Chiara", "Dragan", "Eleni", "Farouk", "Gudrun", "Hamish", "Ildikó",
    "Jorun", "Kalinda", "Lubomír", "Mireille", "Nokuthula", "Oisín", "Petronela", "Quirin",
    "Rosalind", "Søren", "Tamsin", "Ulrika", "Vasco", "Wanda", "Xenia", "Yusuf", "Zofia",
)  # fmt: skip

TOPICS = (
    Topic(
        key="desk",
        note="{name} has a desk on the {value} floor.",
        change="{name} moved to a desk on the {value} floor.",
        retract="{name} gave the desk back and works from home now.",
        plain="On which floor does {name} have a desk?",
        paraphrase="Where in the building does {name} sit?",
        values=("second", "third", "fourth", "fifth", "sixth", "seventh"),
    ),
    Topic(
        key="drink",
        note="{name} drinks {value} in the morning.",
        change="In the morning it is {value} for {name} these days.",
        retract="{name} takes nothing in the morning any more.",
        plain="What does {name} drink in the morning?",
        paraphrase="Which beverage should be ready when {name} comes in early?",
        values=("black tea", "oat milk", "ginger water", "espresso", "cocoa", "apple juice"),
    ),
    Topic(
        key="instrument",
        note="{name} is learning to play the {value}.",
        change="{name} switched to the {value}.",
        retract="{name} has stopped making music.",
        plain="Which instrument is {name} learning to play?",
        paraphrase="What does {name} practise music on?",
        values=("cello", "oboe", "banjo", "harp", "trombone", "accordion"),
    ),
    Topic(
        key="review",
        note="The weekly review with {name} takes place in the {value} room.",
        change="The review with {name} was moved to the {value} room.",
        retract="The weekly review with {name} is cancelled for good.",
        plain="In which room does the weekly review with {name} take place?",
        paraphrase="Where do we meet {name} to look at the week?",
        values=("amber", "cobalt", "willow", "granite", "saffron", "juniper"),
    ),
    Topic(
        key="supplier",
        note="{name} orders the paper from {value}.",
        change="{name} now has a contract with {value}.",
        retract="{name} no longer orders any paper.",
        plain="From whom does {name} order the paper?",
        paraphrase="Which company delivers stationery to {name}?",
        values=("Halden Mill", "Corvo & Sons", "Pale Fox", "Nine Elms", "Ostrava Print", "Tolle"),
    ),
    Topic(
        key="launch",
        note="The launch that {name} leads is planned for {value}.",
        change="The launch that {name} leads slipped to {value}.",
        retract="The launch that {name} leads was called off.",
        plain="For when is the launch planned that {name} leads?",
        paraphrase="When does the product of {name} go public?",
        values=(
            "the ninth of May",
            "mid June",
            "the last week of July",
            "early autumn",
            "October",
            "the first of December",
        ),
    ),
    Topic(
        key="train",
        note="{name} takes the {value} train to work.",
        change="Since the new timetable, {name} catches the {value} one.",
        retract="{name} does not commute by rail any longer.",
        plain="Which train does {name} take to work?",
        paraphrase="At what time does {name} commute by rail?",
        values=("6:42", "7:05", "7:31", "7:58", "8:20", "8:46"),
    ),
    Topic(
        key="spare key",
        note="The spare key of {name} hangs behind the {value}.",
        change="{name} put the spare key behind the {value} instead.",
        retract="{name} keeps no spare key outside any more.",
        plain="Behind what does the spare key of {name} hang?",
        paraphrase="How can we get into the flat when {name} is away?",
        values=("rain barrel", "blue shutter", "bird house", "wood pile", "garden lamp", "bench"),
    ),
)

EVENTS = (
    "{name} signed the lease.",
    "{name} sold the boat.",
    "{name} passed the diving exam.",
    "{name} planted the pear tree.",
    "{name} repaired the roof.",
    "{name} published the field guide.",
    "{name} adopted a greyhound.",
    "{name} finished the night course.",
    "{name} painted the fence green.",
    "{name} closed the old account.",
    "{name} visited the lighthouse.",
    "{name} restored the loom.",
)

SAME_DAY = ("In the morning", "Before lunch", "In the early afternoon", "In the evening")
RELATIVE = ("Yesterday", "The day before yesterday", "Last night", "Two days ago")

FILLERS = (
    "It rained for most of the day.",
    "The printer on the ground floor was serviced.",
    "Somebody left a green umbrella at the reception.",
    "The canteen tried a new lentil soup.",
    "The lift was slow again.",
    "A parcel without a name arrived.",
    "The meeting ended ten minutes early.",
    "The hallway smells of fresh paint.",
)
