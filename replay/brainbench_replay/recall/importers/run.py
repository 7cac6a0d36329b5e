"""One import, from the source's bytes to the dataset's; the list of kinds."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tabulate import tabulate

from brainbench_replay.recall.dataset import parse_session
from brainbench_replay.recall.importers.ama import read_ama
from brainbench_replay.recall.importers.locomo import KNOWN, STATED, read_locomo
from brainbench_replay.recall.importers.longmemeval import read_longmemeval
from brainbench_replay.recall.importers.memoryagentbench import read_memoryagentbench
from brainbench_replay.recall.importers.source import hash_source, read_records
from brainbench_replay.recall.importers.tally import Check, Summary, Tally
from brainbench_schema.errors import Fault, InvalidInputError, UsageError
from brainbench_schema.files import write_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from brainbench_replay.recall.dataset import Session
    from brainbench_replay.recall.importers.record import Record

    Importer = Callable[[Iterable[Record], Mapping[str, str], Tally], Iterator[dict[str, Any]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """An importer's option: its default, and its values; any whole number from 1 if empty."""

    default: str
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of source.

    Attributes:
        read: Makes session documents of records.
        known: Names of files by SHA-256.
        stated: Counts that the known file has.
    """

    read: Importer
    settings: Mapping[str, Setting] = field(default_factory=dict)
    known: Mapping[str, str] = field(default_factory=dict)
    stated: Mapping[str, int] = field(default_factory=dict)


SPLITS = ("", "Accurate_Retrieval", "Test_Time_Learning", "Long_Range_Understanding",
          "Conflict_Resolution")  # fmt: skip
KINDS = {
    "longmemeval": Kind(
        read=read_longmemeval,
        settings={
            "memory": Setting(default="turn", values=("turn", "session")),
            "release": Setting(default="unknown", values=("unknown", "original", "cleaned")),
        },
    ),
    "locomo": Kind(
        read=read_locomo,
        settings={"captions": Setting(default="no", values=("no", "yes"))},
        known=KNOWN,
        stated=STATED,
    ),
    "memoryagentbench": Kind(
        read=read_memoryagentbench,
        settings={
            "chunk_chars": Setting(default="1000"),
            "split": Setting(default="", values=SPLITS),
        },
    ),
    "ama-bench": Kind(read=read_ama),
}


def import_dataset(
    name: str,
    source: Path,
    out: Path,
    settings: Mapping[str, str],
    progress: Callable[[int], None] = lambda _: None,
) -> Summary:
    """Import a source as a stream; the dataset appears as a whole or not at all.

    Args:
        name: A key of `KINDS`.
        settings: The importer's options.
        progress: Called with the number of bytes read.

    Raises:
        UsageError: No such kind or option.
        InvalidInputError: The source is not what it should be; with line or index.
    """
    kind = _find_kind(name)
    options = _complete(name, kind, settings, source)
    digest = hash_source(source)
    head = {"kind": name, "sha256": digest, "options": options}
    tally = Tally()
    sessions = kind.read(read_records(source, progress), options, tally)
    write_lines(out, _lines(sessions, head, source, tally))
    return _summarise(name, kind, digest, options, tally)


def render_summary(summary: Summary) -> str:
    """Write what an import found, dropped, and should have found."""
    lines: list[tuple[str, int, int | str]] = [
        *((what, count, _stated(summary, what)) for what, count in summary.found.items()),
        *((f"dropped: {what}", count, "") for what, count in summary.dropped.items()),
    ]
    missing = (one for one in summary.checks if one.what not in summary.found)
    lines += [(one.what, one.found, one.stated) for one in missing]
    headers = ["", "found", "stated"] if summary.checks else ["", "found"]
    rows = [line[: len(headers)] for line in lines]
    known = f"known as {summary.known}" if summary.known else "not a known one"
    table = tabulate(rows, headers, tablefmt="github")
    return f"{summary.kind}, SHA-256 {summary.sha256} ({known})\n\n{table}"


def _stated(summary: Summary, what: str) -> int | str:
    return next((one.stated for one in summary.checks if one.what == what), "")


def _find_kind(name: str) -> Kind:
    if name not in KINDS:
        raise UsageError(f"no kind {name!r}", advice=f"known are {', '.join(KINDS)}")
    return KINDS[name]


def _complete(name: str, kind: Kind, settings: Mapping[str, str], source: Path) -> dict[str, str]:
    options = {key: setting.default for key, setting in kind.settings.items()}
    if name == "longmemeval" and "cleaned" in source.name:
        options["release"] = "cleaned"
        if settings.get("release", "cleaned") != "cleaned":
            raise UsageError("the file's name says cleaned", where=str(source))
    for key, value in settings.items():
        setting = kind.settings.get(key)
        if setting is None:
            known = ", ".join(kind.settings) or "none"
            raise UsageError(f"{name} has no option {key!r}", advice=f"known are: {known}")
        if not _fits(value, setting):
            wanted = ", ".join(filter(None, setting.values)) or "whole numbers from 1"
            raise UsageError(f"{key}={value} can't be", advice=f"possible are {wanted}")
        options[key] = value
    return options


def _fits(value: str, setting: Setting) -> bool:
    if setting.values:
        return value in setting.values
    return value.isascii() and value.isdigit() and 0 < int(value) < 10**9


def _lines(
    sessions: Iterable[dict[str, Any]], head: dict[str, Any], source: Path, tally: Tally
) -> Iterator[bytes]:
    seen: set[str] = set()
    for session in sessions:
        name = f"{source}, session {session['session_id']}"
        if session["session_id"] in seen:
            message = "stands twice; were two releases joined?"
            raise InvalidInputError([Fault(file=name, pointer="", message=message)])
        seen.add(session["session_id"])
        document = {"session_id": session["session_id"], "source": head, **session}
        line = json.dumps(document, ensure_ascii=False).encode()
        _count(parse_session(line, name), tally)
        yield line + b"\n"
    if not seen:
        raise InvalidInputError(
            [Fault(file=str(source), pointer="", message="holds nothing that can be used")]
        )


def _count(session: Session, tally: Tally) -> None:
    tally.find("sessions")
    tally.find("memories", len(session.memories))
    for query in session.queries:
        tally.find(f"{query.query_type} queries")
        tally.find("queries with evidence", query.required is not None)


def _summarise(
    name: str, kind: Kind, digest: str, options: Mapping[str, str], tally: Tally
) -> Summary:
    checks = tuple(
        Check(what=what, stated=count, found=tally.found[what])
        for what, count in kind.stated.items()
    )
    known = kind.known.get(digest)
    remarks = [
        f"{one.what}: {one.found:,} found, {one.stated:,} stated"
        for one in checks
        if one.found != one.stated
    ]
    if known is None:
        remarks.insert(0, f"SHA-256 {digest} is not that of a known file")
    if options.get("release") == "unknown":
        remarks.append("say --option release=original or release=cleaned, and never mix the two")
    return Summary(
        kind=name,
        sha256=digest,
        known=known,
        options=options,
        found=+tally.found,
        dropped=tally.dropped,
        checks=checks,
        remarks=tuple(remarks),
    )
