"""The three forms of a commit's name."""

from __future__ import annotations

import pytest

from brainbench_gate.base.errors import RefNameError
from brainbench_gate.base.refs import Form, Name, parse_name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("refs/heads/main", Name(Form.REF, "refs/heads/main")),
        ("refs/tags/v1", Name(Form.REF, "refs/tags/v1")),
        ("origin/main", Name(Form.REF, "refs/remotes/origin/main")),
        ("upstream/fix/a", Name(Form.REF, "refs/remotes/upstream/fix/a")),
        ("ABCDEF1", Name(Form.OBJECT_ID, "abcdef1")),
        ("0" * 40, Name(Form.OBJECT_ID, "0" * 40)),
        ("a" * 64, Name(Form.OBJECT_ID, "a" * 64)),
    ],
)
def test_full_refs_object_ids_and_remote_branches_are_read(name: str, expected: Name) -> None:
    """Each form means one thing."""
    assert parse_name(name) == expected


@pytest.mark.parametrize(
    "name",
    [
        "",
        "main",
        "HEAD",
        "@",
        "-x",
        "--all",
        "-/main",
        "abcdef",
        "a" * 65,
        "HEAD~1",
        "origin/main~1",
        "origin/main^{tree}",
        "origin/main@{1}",
        "origin/main:file",
        "origin//main",
        "origin/",
        "origin/../main",
        "origin/.main",
        "origin/main.lock",
        "origin/ma in",
        "origin/ma\nin",
        ".origin/main",
        ":/message",
    ],
)
def test_other_names_are_refused(name: str) -> None:
    """No rule of precedence, no expression, no option."""
    with pytest.raises(RefNameError) as caught:
        parse_name(name)
    assert caught.value.reason == "bad-ref-name"


def test_a_bare_branch_name_is_refused_with_the_two_ways_to_write_it() -> None:
    """The advice can be copied."""
    with pytest.raises(RefNameError, match="write refs/heads/main or origin/main"):
        parse_name("main")
