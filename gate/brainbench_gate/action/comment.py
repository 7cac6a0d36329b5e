"""The sticky comment: which one is the gate's own, and what to do with it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from brainbench_gate.report.sections import REVIEWED
from brainbench_gate.rules import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from brainbench_gate.verdict import VerdictDocument

MODES = ("changes", "always", "failures", "off")
BOT = "[bot]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to do with the comments of a pull request.

    Attributes:
        update: Id of the comment to rewrite.
        create: Whether to post a new one.
        delete: Ids of later duplicates.
    """

    update: int | None = None
    create: bool = False
    delete: tuple[int, ...] = ()


def find_own(comments: Iterable[dict[str, Any]], viewer: str, marker: str) -> list[dict[str, Any]]:
    """Give the gate's own comments, oldest first: by marker and by author.

    Args:
        viewer: Login of the token's identity.
        marker: The first line of the gate's comments.
    """
    own = [
        comment
        for comment in comments
        if (comment.get("body") or "").startswith(marker) and _is_by(comment, viewer)
    ]
    return sorted(own, key=lambda comment: int(comment["id"]))


def _is_by(comment: dict[str, Any], viewer: str) -> bool:
    user = comment.get("user") or {}
    login = str(user.get("login", ""))
    if user.get("type") == "Bot":
        # GraphQL and REST don't agree on the suffix of an app's login.
        return login.removesuffix(BOT) == viewer.removesuffix(BOT)
    return login == viewer


def plan_comment(own: list[dict[str, Any]], *, wanted: bool) -> Plan:
    """Update the oldest one, remove the rest; post only where there is none and one is wanted."""
    if own:
        first, *rest = own
        return Plan(update=first["id"], delete=tuple(comment["id"] for comment in rest))
    return Plan(create=wanted)


def is_wanted(mode: str, document: VerdictDocument) -> bool:
    """Tell whether a mode asks for a comment on a verdict."""
    failed = document.verdict is not Verdict.PASS
    match mode:
        case "always":
            return True
        case "failures":
            return failed
        case "off":
            return False
    return failed or any(
        one.breaches
        or one.newly_failed
        or one.newly_fixed
        or any(entry.added or entry.removed for entry in one.items)
        or any(finding.name in REVIEWED and finding.lines for finding in one.checks)
        for one in document.benchmarks
    )
