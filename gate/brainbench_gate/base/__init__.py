"""The base of a run: which commit, and its files as git objects."""

from brainbench_gate.base.choice import (
    BaseChoice,
    Descent,
    Facts,
    Found,
    choose_base,
    describe,
)
from brainbench_gate.base.events import LOCAL, Event, EventName, of_pull_request, parse_event
from brainbench_gate.base.lookup import find_base, find_default_branch
from brainbench_gate.base.objects import Blob
from brainbench_gate.base.remote import Remote
from brainbench_gate.base.repository import Change, Repository

__all__ = [
    "LOCAL",
    "BaseChoice",
    "Blob",
    "Change",
    "Descent",
    "Event",
    "EventName",
    "Facts",
    "Found",
    "Remote",
    "Repository",
    "choose_base",
    "describe",
    "find_base",
    "find_default_branch",
    "of_pull_request",
    "parse_event",
]
