"""A conversation → segments, and a segment → the text an extractor reads."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from brainbench_schema.schemas import parse_timestamp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brainbench_replay.systems.protocol import Message

MAX_GAP = timedelta(minutes=30)
MAX_MESSAGES = 30
MIN_MESSAGES = 2
MAX_CHARS = 6_500


def split(messages: Sequence[Message]) -> list[list[Message]]:
    """Split a conversation where it pauses for more than 30 minutes, or after 30 messages.

    Messages whose time can't be read are left out; segments of one message are dropped.
    """
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
    return [segment for segment in [*segments, current] if len(segment) >= MIN_MESSAGES]


def render(title: str, segment: Sequence[Message]) -> str:
    """Write a segment under a header of title, participants, start and end; at most 6,500 characters."""
    speakers = ", ".join(dict.fromkeys(message.speaker for message in segment))
    header = (
        f"{title}\nParticipants: {speakers}\n"
        f"From {segment[0].timestamp} to {segment[-1].timestamp}\n\n"
    )
    lines = (f"{message.speaker}: {message.text}" for message in segment)
    return (header + "\n".join(lines))[:MAX_CHARS]


def _moment(message: Message) -> datetime | None:
    try:
        return parse_timestamp(message.timestamp)
    except ValueError:
        return None
