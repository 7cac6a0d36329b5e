"""Raw objects as bytes."""

from __future__ import annotations

import pytest

from brainbench_gate.base.errors import CorruptObjectError
from brainbench_gate.base.objects import (
    Commit,
    Entry,
    object_id,
    parse_commit,
    parse_tag,
    parse_tree,
)

A, B = "a" * 40, "b" * 40
ID = b"\x11" * 20
WHO = b"author A <a@b> 5 +0000\ncommitter A > B <a@b> 1700000000 +0200\n"


def test_ids_are_those_of_git() -> None:
    """The empty blob and the empty tree have known ids."""
    assert object_id("blob", b"", "sha1") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    assert object_id("tree", b"", "sha1") == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    expected = "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"
    assert object_id("blob", b"", "sha256") == expected


def test_a_commit_is_read() -> None:
    """Tree, parents in order, committer's time."""
    data = f"tree {A}\nparent {B}\nparent {A}\n".encode() + WHO + b"\nparent of all\n"
    assert parse_commit(data, A) == Commit(A, (B, A), 1_700_000_000)


def test_only_the_lines_after_the_tree_are_parents() -> None:
    """Git ignores those further down, and those inside a signature."""
    extra = f"parent {A}\ngpgsig x\n parent {A}\n".encode()
    data = f"tree {A}\nparent {B}\n".encode() + WHO + extra + b"\n"
    assert parse_commit(data, A).parents == (B,)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"tree " + A.encode() + b"\n\nx",
        WHO + b"\n",
        b"tree x\ncommitter A <a> now\n\n",
        b"tree x\ncommitter\n\n",
        b"parent x\ntree x\n" + WHO,
    ],
)
def test_a_malformed_commit_is_refused(data: bytes) -> None:
    """Nothing is guessed."""
    with pytest.raises(CorruptObjectError, match="well-formed commit"):
        parse_commit(data, A)


def test_a_tag_is_read() -> None:
    """What it points to."""
    assert parse_tag(f"object {A}\ntype commit\n".encode(), B) == A
    with pytest.raises(CorruptObjectError, match="well-formed tag"):
        parse_tag(b"type commit\n", B)


def test_a_tree_is_read() -> None:
    """Modes, names with spaces and line ends, ids of both lengths."""
    data = b"100644 a b\n\0" + ID + b"40000 d\0" + ID
    assert parse_tree(data, A) == (
        Entry(0o100644, "a b\n", ID.hex()),
        Entry(0o040000, "d", ID.hex()),
    )
    long = b"\x22" * 32
    assert parse_tree(b"100755 x\0" + long, "c" * 64) == (Entry(0o100755, "x", long.hex()),)
    assert parse_tree(b"", A) == ()


@pytest.mark.parametrize(
    "data",
    [
        b"100644",
        b"100644 a",
        b"100644 a\0",
        b"100644 a\0" + ID[:-1],
        b"100644 a\0" + ID + b"x",
        b"rw a\0" + ID,
        b" a\0" + ID,
        b"100644 a/b\0" + ID,
        (b"100644 a\0" + ID) * 2,
    ],
)
def test_a_malformed_tree_is_refused(data: bytes) -> None:
    """Also one where a name stands twice: two readers could take two files."""
    with pytest.raises(CorruptObjectError, match="well-formed tree"):
        parse_tree(data, A)
