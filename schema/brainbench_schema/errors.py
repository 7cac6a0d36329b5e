"""The one small tree of failures; each names the place and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class BrainbenchError(Exception):
    """Something that stops a run with exit code 2.

    Args:
        what: One sentence: what is wrong.
        where: The file, commit or system concerned, with a JSON pointer where there is one.
        advice: What to do about it.
    """

    reason = "error"

    def __init__(self, what: str, *, where: str = "", advice: str = "") -> None:
        self.what = what
        self.where = where
        self.advice = advice
        super().__init__(what, where, advice)

    def __str__(self) -> str:
        lines = [f"{self.where}: {self.what}" if self.where else self.what]
        if self.advice:
            lines.append(f"  → {self.advice}")
        return "\n".join(lines)


class UsageError(BrainbenchError):
    """The command line or the environment asks for something that can't be."""

    reason = "usage"


class DatabaseError(BrainbenchError):
    """PostgreSQL can't be found, started or used."""

    reason = "database"


class GitError(BrainbenchError):
    """The repository can't give what the gate needs: a commit, an object, a fetch."""

    reason = "git"


class MemorySystemError(BrainbenchError):
    """The memory system under test failed as a program; never a score."""

    reason = "system"


class SystemStartError(MemorySystemError):
    """The memory system under test can't be started here: it has not been asked anything yet."""


class SeedError(BrainbenchError):
    """The memory system could not take a fixture's pages or facts."""

    reason = "seed-failed"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Fault:
    """One thing wrong with one document.

    Attributes:
        file: Path or name of the document.
        pointer: RFC 6901 JSON pointer of the place; empty for the whole document.
        message: What is wrong.
        advice: What to do about it.
    """

    file: str
    pointer: str
    message: str
    advice: str = ""

    def __str__(self) -> str:
        place = f"{self.file}#{self.pointer}" if self.pointer else self.file
        advice = f"\n  → {self.advice}" if self.advice else ""
        return f"{place}: {self.message}{advice}"


class InvalidInputError(BrainbenchError):
    """One or more documents are not what they must be; carries every fault found."""

    reason = "bad-input"

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(sorted(set(faults)))
        count = len(self.faults)
        super().__init__("1 fault found" if count == 1 else f"{count} faults found")

    def __str__(self) -> str:
        return "\n".join(str(fault) for fault in self.faults)
