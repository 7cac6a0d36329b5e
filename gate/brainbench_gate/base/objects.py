"""Git objects as plain bytes: hashing, parsing, and what is refused at a path. Pure."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from brainbench_gate.base.errors import CorruptObjectError, PathError, RefusedObjectError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


FOLDER = 0o040000
FILE = 0o100000
SYMLINK = 0o120000
SUBMODULE = 0o160000
KIND_BITS = 0o170000

KIND_WORDS = {
    FOLDER: "a folder",
    FILE: "a file",
    SYMLINK: "a symbolic link",
    SUBMODULE: "a submodule",
}

LFS_SIGNATURES = (
    b"version https://git-lfs.github.com/spec/",
    b"version https://hawser.github.com/",
)
"""First bytes of a Git LFS pointer: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md"""

LFS_POINTER_BYTES = 1024
"""A pointer file is smaller than this many bytes, by the same specification."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    """One file as a commit holds it.

    Attributes:
        id: Object id, in hex.
        path: Path from the top of the repository, with forward slashes.
        data: Content, no filter applied.
    """

    id: str
    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a tree object."""

    mode: int
    name: str
    id: str

    @property
    def kind(self) -> int:
        """The type bits of the mode: folder, file, symbolic link or submodule."""
        return self.mode & KIND_BITS


@dataclass(frozen=True, slots=True)
class Commit:
    """What the gate reads from a commit object: never grafted, replaced or cut short.

    Attributes:
        tree: Object id of the top folder.
        parents: Object ids in the order of the raw commit.
        time_s: Committer's time in seconds since 1970, UTC.
    """

    tree: str
    parents: tuple[str, ...]
    time_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """Who wrote a commit and what about, as its own bytes say.

    Attributes:
        author: Name without the address.
        time_s: Author's time in seconds since 1970, UTC.
        subject: First line of the message.
    """

    author: str
    time_s: int
    subject: str


def object_id(kind: str, data: bytes, algorithm: str) -> str:
    """The id git gives to an object; algorithm is `sha1` or `sha256`."""
    digest = hashlib.new(algorithm, usedforsecurity=False)
    digest.update(f"{kind} {len(data)}\0".encode())
    digest.update(data)
    return digest.hexdigest()


def parse_commit(data: bytes, commit_id: str) -> Commit:
    """Read a raw commit object as git does: the tree, then the parents, then the rest.

    Raises:
        CorruptObjectError: No tree at its head or no committer's time.
    """
    lines = data.partition(b"\n\n")[0].split(b"\n")
    headers = [(key, value) for key, _, value in (line.partition(b" ") for line in lines)]
    parents = [value.decode() for _, value in takewhile(lambda h: h[0] == b"parent", headers[1:])]
    committers = [value for key, value in headers if key == b"committer"]
    try:
        time_s = int(committers[0].rpartition(b"> ")[2].split()[0])
    except (IndexError, ValueError):
        raise _malformed("commit", commit_id) from None
    if headers[0][0] != b"tree":
        raise _malformed("commit", commit_id)
    return Commit(headers[0][1].decode(), tuple(parents), time_s)


def parse_signature(data: bytes, commit_id: str) -> Signature:
    """Read author and subject of a raw commit object; bytes that are not UTF-8 are replaced.

    Raises:
        CorruptObjectError: No author's line with a time.
    """
    head, _, message = data.partition(b"\n\n")
    authors = [line for line in head.split(b"\n") if line.startswith(b"author ")]
    try:
        who, _, when = authors[0].removeprefix(b"author ").rpartition(b"> ")
        time_s = int(when.split()[0])
    except (IndexError, ValueError):
        raise _malformed("commit", commit_id) from None
    return Signature(
        author=who.partition(b"<")[0].decode(errors="replace").strip(),
        time_s=time_s,
        subject=message.lstrip().partition(b"\n")[0].decode(errors="replace").strip(),
    )


def parse_tag(data: bytes, tag_id: str) -> str:
    """The id of the object that a raw tag object points to.

    Raises:
        CorruptObjectError: The first line is not the object's.
    """
    key, _, value = data.partition(b"\n")[0].partition(b" ")
    if key != b"object":
        raise _malformed("tag", tag_id)
    return value.decode()


def parse_tree(data: bytes, tree_id: str) -> tuple[Entry, ...]:
    """Read a raw tree object; the length of its ids follows from the tree's own.

    Raises:
        CorruptObjectError: A line is cut short, a name stands twice or is a path.
        RefusedObjectError: A name is not UTF-8.
    """
    entries = []
    start, id_bytes = 0, len(tree_id) // 2
    while start < len(data):
        space = data.find(b" ", start)
        end = data.find(b"\0", space)
        mode, name = data[start:space], data[space + 1 : end]
        start = end + 1 + id_bytes
        if min(space, end) < 0 or start > len(data) or b"/" in name or not mode.isdigit():
            raise _malformed("tree", tree_id)
        raw_id = data[end + 1 : start]
        entries.append(Entry(int(mode, 8), _decode_name(name, tree_id), raw_id.hex()))
    if len({entry.name for entry in entries}) < len(entries):
        raise _malformed("tree", tree_id)
    return tuple(entries)


def _decode_name(name: bytes, tree_id: str) -> str:
    try:
        return name.decode()
    except UnicodeDecodeError:
        raise RefusedObjectError(
            f"a file name is not UTF-8: {name!r}", where=f"tree {tree_id}", advice="rename the file"
        ) from None


def _malformed(kind: str, id_: str) -> CorruptObjectError:
    return CorruptObjectError(
        f"not a well-formed {kind} object", where=id_, advice="see what git fsck says of it"
    )


def split_path(path: str) -> tuple[str, ...]:
    """The parts of a relative path with forward slashes; `.` is the top folder.

    Raises:
        PathError: Absolute, empty, or with parts such as `..`.
    """
    if path == ".":
        return ()
    parts = tuple(path.split("/"))
    if any(part in {"", ".", ".."} or "\0" in part for part in parts):
        raise PathError(
            "not a plain path inside the repository",
            where=repr(path),
            advice="write it relative to the top of the repository, without `.` and `..`",
        )
    return parts


def find_entry(read: Callable[[str, str], bytes], tree_id: str, path: str) -> Entry | None:
    """Walk from a commit's tree to the entry at a path; None where nothing stands there.

    Args:
        read: Gives the verified content of the object of this id and kind.
        tree_id: The commit's tree.
        path: Relative path with forward slashes.

    Raises:
        PathError: The path is not a plain relative one.
        RefusedObjectError: Something on the way is not a folder.
    """
    entry = Entry(FOLDER, "", tree_id)
    walked: list[str] = []
    for part in split_path(path):
        require_kind(entry, FOLDER, "/".join(walked))
        named = {e.name: e for e in parse_tree(read(entry.id, "tree"), entry.id)}
        if part not in named:
            return None
        entry = named[part]
        walked.append(part)
    return entry


def require_kind(entry: Entry, kind: int, path: str) -> None:
    """Refuse an entry of another kind, by name.

    Raises:
        RefusedObjectError: The entry is not of the kind.
    """
    if entry.kind != kind:
        found = KIND_WORDS.get(entry.kind, f"an object of mode {entry.mode:o}")
        raise RefusedObjectError(
            f"is {found}, where {KIND_WORDS[kind]} is expected",
            where=path,
            advice=f"commit {KIND_WORDS[kind]} there",
        )


def require_content(blob: Blob) -> Blob:
    """Refuse a Git LFS pointer, which stands for a content that git doesn't hold.

    Raises:
        RefusedObjectError: The blob is a pointer.
    """
    if len(blob.data) < LFS_POINTER_BYTES and blob.data.startswith(LFS_SIGNATURES):
        raise RefusedObjectError(
            "is a Git LFS pointer, where a file is expected",
            where=blob.path,
            advice="take the path out of LFS in .gitattributes and commit the file itself",
        )
    return blob


def require_distinct(names: Iterable[str], path: str) -> None:
    """Refuse names in one folder that some file systems can't tell apart.

    Raises:
        RefusedObjectError: Two names differ only in case or in Unicode form.
    """
    seen: dict[str, str] = {}
    for name in names:
        twin = seen.setdefault(unicodedata.normalize("NFC", name).casefold(), name)
        if twin != name:
            raise RefusedObjectError(
                f"{twin!r} and {name!r} differ only in case or Unicode form",
                where=path,
                advice="rename one of them",
            )
