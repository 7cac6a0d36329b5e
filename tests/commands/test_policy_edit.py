"""Numbers of a policy changed in place: all that the user wrote around them stays."""

from __future__ import annotations

import pytest

from brainbench_gate.policy_edit import set_numbers
from brainbench_schema.errors import InvalidInputError, UsageError

HEAD = "schema_version: 1\nsystem: reflex\n"
PRECISION = ("floors", "push_precision")
RECALL = ("floors", "openclaw/push", "push_recall")


def edit(text: str, numbers: dict[tuple[str, ...], float]) -> str:
    return set_numbers(text.encode(), numbers).decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("floors:\n  push_precision: 0.5\n", "floors:\n  push_precision: 0.9\n"),
        ("floors: {push_precision: 0.5}\n", "floors: {push_precision: 0.9}\n"),
        ("floors:  { 'push_precision' :0.5 }\n", "floors:  { 'push_precision' :0.9 }\n"),
        (
            "floors:\n    push_precision:   .5  # why\n",
            "floors:\n    push_precision:   0.9  # why\n",
        ),
        ('floors:\n  "push_precision": 5e-1\n', 'floors:\n  "push_precision": 0.9\n'),
        ("floors:\n  push_precision: 0.5", "floors:\n  push_precision: 0.9"),
        ("floors:\n  push_precision: 0\n", "floors:\n  push_precision: 0.9\n"),
        ("floors:\n  ? push_precision\n  : 0.5\n", "floors:\n  ? push_precision\n  : 0.9\n"),
        (
            "floors:\n  push_precision: 0.5\n  push_recall: 0.5\n",
            "floors:\n  push_precision: 0.9\n  push_recall: 0.5\n",
        ),
    ],
)
def test_only_the_number_changes(before: str, after: str) -> None:
    """Spacing, comments, quotes, flow style and a missing last line end survive."""
    assert HEAD + after == edit(HEAD + before, {PRECISION: 0.9})


def test_a_whole_policy_keeps_its_shape() -> None:
    """Order, comments, blank lines, quotes and long lines around two changed numbers stay."""
    before = (
        "# top\n\nsystem: 'reflex'   # ours\nschema_version: 1\nname: \"main\"\n"
        "suites: [push,   know-to-ask]\n\n# bounds\nfloors:\n"
        "  openclaw/push: {push_recall: 0.6, push_precision: 0.7}  # per cell\n"
        f"  # {'long ' * 60}\n  push_precision: 0.5\nrepeats: 3\n"
    )
    after = before.replace("0.6,", "0.75,").replace("0.5\n", "1\n")
    assert after == edit(before, {RECALL: 0.75, PRECISION: 1})


@pytest.mark.parametrize("line_end", ["\r\n", "\n"])
def test_line_ends_stay(line_end: str) -> None:
    """A file with CRLF keeps it on every line."""
    before = (HEAD + "floors:\n  push_precision: 0.5 # ä 🙂\n").replace("\n", line_end)
    assert before.replace("0.5", "0.9") == edit(before, {PRECISION: 0.9})


@pytest.mark.parametrize(
    "floors",
    [
        "floors:\n  push_recall: 0.5\n",
        "floors:\n  push_precision: &low 0.5\n  push_recall: *low\n",
        "floors:\n  push_recall: &low 0.5\n  push_precision: *low\n",
        "floors:\n  push_precision: !!float 0.5\n",
        "floors: {}\n",
        "",
    ],
)
def test_what_is_not_a_plain_number_is_refused(floors: str) -> None:
    """Anchors, aliases, tags and keys that aren't there are named, and nothing is guessed."""
    with pytest.raises(UsageError) as refusal:
        edit(HEAD + floors, {PRECISION: 0.9})
    assert "push_precision" in str(refusal.value) or "something else" in str(refusal.value)


def test_a_broken_policy_is_refused() -> None:
    """What can't be read as a policy isn't edited."""
    with pytest.raises(InvalidInputError):
        edit("system: [", {PRECISION: 0.9})
