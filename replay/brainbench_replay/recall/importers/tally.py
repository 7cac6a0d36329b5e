"""What an import found, dropped and should have found."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts while an import runs."""

    found: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)

    def find(self, what: str, count: int = 1) -> None:
        """Count something that is in the source."""
        self.found[what] += count

    def drop(self, what: str, count: int = 1) -> None:
        """Count something that is left out, by the reason."""
        if count:
            self.dropped[what] += count


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A count that the source is known to have, beside what was found."""

    what: str
    stated: int
    found: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What an import came to.

    Attributes:
        known: What the source's SHA-256 is known as; None for an unknown one.
        remarks: Sentences that a person should read.
    """

    kind: str
    sha256: str
    known: str | None
    options: Mapping[str, str]
    found: Mapping[str, int]
    dropped: Mapping[str, int]
    checks: tuple[Check, ...]
    remarks: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Give the summary as a document."""
        return {
            "kind": self.kind,
            "sha256": self.sha256,
            "known": self.known,
            "options": dict(self.options),
            "found": dict(self.found),
            "dropped": dict(self.dropped),
            "checks": [
                {"what": one.what, "stated": one.stated, "found": one.found} for one in self.checks
            ],
            "remarks": list(self.remarks),
        }
