"""Files and folders of a commit, read from an object store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brainbench_gate.base.objects import (
    FILE,
    FOLDER,
    Blob,
    Entry,
    find_entry,
    parse_tree,
    require_content,
    require_distinct,
    require_kind,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brainbench_gate.base.store import ObjectStore


def read_file(store: ObjectStore, commit: str, path: str) -> Blob | None:
    """A plain file; None where nothing stands at the path.

    Raises:
        RefusedObjectError: Something else stands there.
        MissingObjectError, CorruptObjectError: As of the store.
    """
    entry = find_entry(store.read, store.commit(commit).tree, path)
    if entry is None:
        return None
    require_kind(entry, FILE, path)
    return require_content(Blob(id=entry.id, path=path, data=store.read(entry.id, "blob")))


def read_folder(store: ObjectStore, commit: str, path: str) -> dict[str, Blob] | None:
    """The files of a flat folder by name; None where nothing stands at the path.

    Raises:
        RefusedObjectError: Something other than a folder of plain files stands there.
        MissingObjectError, CorruptObjectError: As of the store.
    """
    entry = find_entry(store.read, store.commit(commit).tree, path)
    if entry is None:
        return None
    entries = _children(store, entry, path)
    return dict(zip([e.name for e in entries], _blobs(store, entries, path), strict=True))


def read_all(store: ObjectStore, commit: str, path: str) -> dict[str, bytes]:
    """Every file at or below a path, by its path from the top of the repository.

    Raises:
        RefusedObjectError: Something other than plain files and folders stands there.
        MissingObjectError, CorruptObjectError: As of the store.
    """
    entry = find_entry(store.read, store.commit(commit).tree, path)
    if entry is None:
        return {}
    if entry.kind == FOLDER:
        return _read_below(store, entry, path)
    blob = read_file(store, commit, path)
    return {path: blob.data} if blob else {}


def find_files(store: ObjectStore, commit: str, suffixes: tuple[str, ...]) -> list[str]:
    """Paths of all plain files of a commit whose names end in one of the suffixes, sorted.

    Raises:
        MissingObjectError, CorruptObjectError: As of the store.
    """
    found: list[str] = []
    folders = [(".", store.commit(commit).tree)]
    while folders:
        path, tree = folders.pop()
        for entry in parse_tree(store.read(tree, "tree"), tree):
            place = join(path, entry.name)
            if entry.kind == FOLDER:
                folders.append((place, entry.id))
            elif entry.kind == FILE and entry.name.endswith(suffixes):
                found.append(place)
    return sorted(found)


def _read_below(store: ObjectStore, folder: Entry, path: str) -> dict[str, bytes]:
    entries = _children(store, folder, path)
    files = [e for e in entries if e.kind != FOLDER]
    found = {blob.path: blob.data for blob in _blobs(store, files, path)}
    for child in entries:
        if child.kind == FOLDER:
            found |= _read_below(store, child, join(path, child.name))
    return found


def _children(store: ObjectStore, folder: Entry, path: str) -> tuple[Entry, ...]:
    require_kind(folder, FOLDER, path)
    entries = parse_tree(store.read(folder.id, "tree"), folder.id)
    require_distinct((e.name for e in entries), path)
    return entries


def _blobs(store: ObjectStore, entries: Sequence[Entry], path: str) -> list[Blob]:
    for entry in entries:
        require_kind(entry, FILE, join(path, entry.name))
    contents = store.read_many([e.id for e in entries], "blob")
    return [
        require_content(Blob(id=e.id, path=join(path, e.name), data=data))
        for e, data in zip(entries, contents, strict=True)
    ]


def join(folder: str, name: str) -> str:
    """A path below a folder; `.` is the top one."""
    return name if folder == "." else f"{folder}/{name}"
