"""How a name of a commit is read: three exact forms, nothing guessed. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from brainbench_gate.base.errors import RefNameError

OBJECT_ID = re.compile(r"[0-9a-f]{7,64}")
FULL_OBJECT_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
FORBIDDEN = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|/$|\.$|\.lock(/|$)|(^|/)\.")
"""What `git check-ref-format` forbids: https://git-scm.com/docs/git-check-ref-format"""

FORMS = "write a full ref (refs/heads/main), an object id, or a remote branch (origin/main)"


class Form(Enum):
    """The forms a name can have."""

    REF = "ref"
    OBJECT_ID = "object id"


@dataclass(frozen=True, slots=True)
class Name:
    """A name whose form is settled.

    Attributes:
        form: How `value` is looked up.
        value: A full ref, or seven or more lower-case hex digits.
    """

    form: Form
    value: str


def parse_name(name: str) -> Name:
    """Settle what a name means without looking at any repository.

    Raises:
        RefNameError: None of the forms.
    """
    if name.startswith("-"):
        raise RefNameError("a name can't start with `-`", where=repr(name), advice=FORMS)
    if OBJECT_ID.fullmatch(name.lower()):
        return Name(Form.OBJECT_ID, name.lower())
    if "/" not in name or FORBIDDEN.search(name):
        advice = f"write refs/heads/{name} or origin/{name}" if name.isalnum() else FORMS
        raise RefNameError("not the name of a commit", where=repr(name), advice=advice)
    return Name(Form.REF, name if name.startswith("refs/") else f"refs/remotes/{name}")
