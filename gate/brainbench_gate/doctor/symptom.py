"""What an examination says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Level(Enum):
    """How bad it is."""

    GOOD = "good"
    ADVICE = "advice"
    STOPS = "stops"


@dataclass(frozen=True, slots=True, kw_only=True)
class Symptom:
    """One line: what was found, and what to do."""

    name: str
    level: Level
    text: str
    advice: str = ""

    def to_json(self) -> dict[str, str]:
        """Give it as JSON-ready values."""
        return {
            "name": self.name,
            "level": self.level.value,
            "text": self.text,
            "advice": self.advice,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Where to look.

    Attributes:
        folder: Folder of the policy.
    """

    folder: Path
    policy_file: str
    environ: Mapping[str, str]

    @property
    def top(self) -> Path:
        """Top of the enclosing work tree, else the folder itself."""
        folder = self.folder.resolve()
        found = (one for one in (folder, *folder.parents) if (one / ".git").exists())
        return next(found, folder)


def good(name: str, text: str) -> Symptom:
    """Say that something is as it should be."""
    return Symptom(name=name, level=Level.GOOD, text=text)


def advise(name: str, text: str, advice: str) -> Symptom:
    """Say what could be better."""
    return Symptom(name=name, level=Level.ADVICE, text=text, advice=advice)


def stop(name: str, text: str, advice: str) -> Symptom:
    """Say what stops the gate."""
    return Symptom(name=name, level=Level.STOPS, text=text, advice=advice)
