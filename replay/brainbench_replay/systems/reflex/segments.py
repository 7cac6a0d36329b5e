"""A conversation → segments, and a segment → the text an extractor reads."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import TYPE_CHECKING

from brainbench_schema.schemas import parse_timestamp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brainbench_replay.systems.protocol import Message

MAX_GAP = timedelta(minutes=30)
MAX_MESSAGES = 30
MIN_MESSAGES = 2
MAX_CHARS = 6_500


class Placed(Enum):
    """What became of a message."""

    IN_SEGMENT = "in a segment"
    CUT = "cut off: its segment is longer than 6,500 characters"
    UNREADABLE_TIME = "left out: its time can't be read"
    ALONE = "left out: alone in its segment"


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedMessage:
    """What became of a message.

    Attributes:
        segment: Number of its segment among those kept, from 1; 0 for none.
        end_chars: Where it ends in its segment's text before the cut; 0 for none.
    """

    placed: Placed
    segment: int = 0
    end_chars: int = 0


def split(messages: Sequence[Message]) -> list[list[Message]]:
    """Split a conversation where it pauses for more than 30 minutes, or after 30 messages.

    Messages whose time can't be read are left out; segments of one message are dropped.
    """
    return [segment for segment in _group(messages) if len(segment) >= MIN_MESSAGES]


def trace_messages(title: str, messages: Sequence[Message]) -> list[TracedMessage]:
    """Tell what becomes of each message on its way to an extractor.

    Args:
        title: Title of the conversation's page.
    """
    placed: list[TracedMessage] = []
    number = 0
    for group in _group(messages):
        if len(group) < MIN_MESSAGES:
            placed.append(TracedMessage(placed=Placed.ALONE))
            continue
        number += 1
        for count in range(1, len(group) + 1):
            end = len(_header(title, group)) + len(_lines(group[:count]))
            fate = Placed.CUT if end > MAX_CHARS else Placed.IN_SEGMENT
            placed.append(TracedMessage(placed=fate, segment=number, end_chars=end))
    readable = iter(placed)
    return [
        next(readable) if _moment(message) else TracedMessage(placed=Placed.UNREADABLE_TIME)
        for message in messages
    ]


def _group(messages: Sequence[Message]) -> list[list[Message]]:
    segments: list[list[Message]] = []
    current: list[Message] = []
    previous: datetime | None = None
    for message in messages:
        moment = _moment(message)
        if moment is None:
            continue
        if current and previous and moment - previous > MAX_GAP:
            segments.append(current)
            current = []
        current.append(message)
        previous = moment
        if len(current) == MAX_MESSAGES:
            segments.append(current)
            current = []
    return [*segments, current] if current else segments


def render(title: str, segment: Sequence[Message]) -> str:
    """Write a segment under a header of title, participants and times, 6,500 characters at most."""
    return (_header(title, segment) + _lines(segment))[:MAX_CHARS]


def _header(title: str, segment: Sequence[Message]) -> str:
    speakers = ", ".join(dict.fromkeys(message.speaker for message in segment))
    return (
        f"{title}\nParticipants: {speakers}\n"
        f"From {segment[0].timestamp} to {segment[-1].timestamp}\n\n"
    )


def _lines(segment: Sequence[Message]) -> str:
    return "\n".join(f"{message.speaker}: {message.text}" for message in segment)


def _moment(message: Message) -> datetime | None:
    try:
        return parse_timestamp(message.timestamp)
    except ValueError:
        return None
