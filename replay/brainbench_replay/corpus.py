"""Folders or git objects → ordered fixtures with their gold, and the hash that names them."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from brainbench_schema import schemas, strict_json
from brainbench_schema.errors import Fault, InvalidInputError, UsageError
from brainbench_schema.files import read_folder
from brainbench_schema.fixture import RETRIEVAL_SUITES, Fixture
from brainbench_schema.gold import Gold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

_RENAME = "give one of them another id"
FIXTURE_SUFFIX = ".fixture.json"
GOLD_SUFFIX = ".gold.json"
MAX_DOCUMENT_BYTES = 4 * 1024 * 1024
"""Largest fixture or gold file read, in bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One fixture with its gold."""

    fixture: Fixture
    gold: Gold


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """All cases in order of file name, and the SHA-256 over the files they came from."""

    cases: tuple[Case, ...]
    fixtures_hash: str

    def select(self, *, include_holdout: bool) -> tuple[Case, ...]:
        """Give the cases of a run: all, or those that are not held out."""
        return tuple(case for case in self.cases if include_holdout or not case.fixture.holdout)


def read_corpus(fixtures: Path, gold: Path) -> Corpus:
    """Read a corpus from two folders.

    Raises:
        UsageError: A folder isn't there.
        InvalidInputError: With every fault of every file.
    """
    return parse_corpus(_read_folder(fixtures, FIXTURE_SUFFIX), _read_folder(gold, GOLD_SUFFIX))


def parse_corpus(fixtures: Mapping[str, bytes], gold: Mapping[str, bytes]) -> Corpus:
    """Build a corpus from file contents by name, wherever they came from.

    Args:
        fixtures: Contents of ``*.fixture.json`` files by file name.
        gold: Contents of ``*.gold.json`` files by file name.

    Raises:
        InvalidInputError: With every fault of every file.
    """
    faults = [*_twin_names(fixtures), *_twin_names(gold)]
    if not fixtures:
        faults.append(
            _fault("fixtures", "", "no *.fixture.json file", "an empty corpus proves nothing")
        )
    fixture_documents = _parse_all("fixture", fixtures, faults)
    gold_documents = _parse_all("gold", gold, faults)
    faults.extend(_cross_check(fixture_documents, gold_documents))
    if not faults:
        faults.extend([*_join(fixture_documents, gold_documents), *_check_pairs(fixture_documents)])
    if faults:
        raise InvalidInputError(faults)
    golds = {entry.fixture_id: entry for entry in map(Gold.from_json, gold_documents.values())}
    cases = [
        Case(fixture=fixture, gold=golds[fixture.fixture_id])
        for fixture in map(Fixture.from_json, fixture_documents.values())
    ]
    return Corpus(cases=tuple(cases), fixtures_hash=hash_corpus(fixtures, gold))


def hash_corpus(fixtures: Mapping[str, bytes], gold: Mapping[str, bytes]) -> str:
    """Name a corpus: SHA-256 over gold, then fixtures, each sorted by name, CRLF read as LF.

    Source: the contract's `fixtures_hash`.
    """
    digest = hashlib.sha256()
    for folder, files in (("gold", gold), ("fixtures", fixtures)):
        for name in sorted(files):
            digest.update(f"{folder}/{name}\n".encode())
            digest.update(files[name].replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def _read_folder(folder: Path, suffix: str) -> dict[str, bytes]:
    if not folder.is_dir():
        raise UsageError(
            "no such folder",
            where=str(folder),
            advice="give the corpus with --fixtures DIR --gold DIR, or in brainbench.yml",
        )
    return read_folder(folder, suffix)


def _parse_all(kind: str, files: Mapping[str, bytes], faults: list[Fault]) -> dict[str, Any]:
    documents: dict[str, Any] = {}
    for name in sorted(files):
        try:
            document = strict_json.loads(files[name], name, max_bytes=MAX_DOCUMENT_BYTES)
        except InvalidInputError as error:
            faults.extend(error.faults)
            continue
        found = schemas.check(kind, document, name)
        if b"\\u0000" in files[name]:
            found.extend(_nul_texts(document, name))
        faults.extend(found)
        if not found:
            documents[name] = document
    return documents


def _nul_texts(document: object, file: str) -> Iterator[Fault]:
    for pointer, text in strict_json.strings(document):
        if "\0" in text:
            yield _fault(file, pointer, "the text holds a NUL character", "no database stores it")


def _twin_names(files: Iterable[str]) -> Iterator[Fault]:
    names: dict[str, list[str]] = defaultdict(list)
    for name in files:
        names[unicodedata.normalize("NFC", name).casefold()].append(name)
    for twins in names.values():
        if len(twins) > 1:
            message = f"differs from {sorted(twins)[1]!r} only in case or Unicode form"
            yield _fault(sorted(twins)[0], "", message, "rename one: some file systems mix them up")


def _cross_check(fixtures: dict[str, Any], golds: dict[str, Any]) -> Iterator[Fault]:
    by_id = {document["fixture_id"]: (name, document) for name, document in golds.items()}
    for name, fixture in fixtures.items():
        yield from _check_fixture(name, fixture)
        if fixture["fixture_id"] in by_id:
            yield from _check_gold(fixture, *by_id[fixture["fixture_id"]])


def _join(fixtures: dict[str, Any], golds: dict[str, Any]) -> Iterator[Fault]:
    for documents in (fixtures, golds):
        counts = Counter(document["fixture_id"] for document in documents.values())
        for name, document in documents.items():
            if counts[document["fixture_id"]] > 1:
                yield _fault(
                    name, "/fixture_id", f"{document['fixture_id']!r} is used twice", _RENAME
                )
    for here, there, what in ((fixtures, golds, "gold"), (golds, fixtures, "fixture")):
        ids = {document["fixture_id"] for document in there.values()}
        for name, document in here.items():
            if document["fixture_id"] not in ids:
                yield _fault(
                    name,
                    "/fixture_id",
                    f"no {what} for {document['fixture_id']!r}",
                    "add it, or take both out",
                )


def _check_fixture(file: str, fixture: dict[str, Any]) -> Iterator[Fault]:
    yield from _repeats(file, "/turns", "turn_id", fixture["turns"])
    pages = fixture.get("seed_pages", [])
    seeded = [(page.get("source_id", "default"), page["slug"]) for page in pages]
    for index, place in enumerate(seeded):
        if place in seeded[:index]:
            message = f"the source {place[0]!r} has {place[1]!r} already"
            yield _fault(file, f"/seed_pages/{index}/slug", message, "merge the two pages")
    if _is_written(fixture):
        for index, turn in enumerate(fixture["turns"]):
            if "ts" not in turn:
                message = "lacks 'ts': a conversation that is written back needs its times"
                yield _fault(file, f"/turns/{index}", message, "such as 2026-03-01T10:00:00Z")


def _is_written(fixture: dict[str, Any]) -> bool:
    pair = fixture.get("continuity", {})
    return "write-back" in fixture["suites"] or (
        pair.get("pair_role") == "writer" and "continuity" in fixture["suites"]
    )


def _repeats(file: str, pointer: str, key: str, entries: list[dict[str, Any]]) -> Iterator[Fault]:
    seen: set[Any] = set()
    for index, entry in enumerate(entries):
        if entry[key] in seen:
            message = f"the {key} {entry[key]!r} is used twice"
            yield _fault(file, f"{pointer}/{index}/{key}", message, _RENAME)
        seen.add(entry[key])


def _check_gold(fixture: dict[str, Any], file: str, gold: dict[str, Any]) -> Iterator[Fault]:
    roles = {str(turn["turn_id"]): turn["role"] for turn in fixture["turns"]}
    asks = bool(set(fixture["suites"]) & set(RETRIEVAL_SUITES))
    for key, turn in gold["turns"].items():
        pointer = f"/turns/{key}"
        if key not in roles:
            yield _fault(
                file, pointer, f"{fixture['fixture_id']!r} has no turn {key}", "check the id"
            )
        elif roles[key] == "assistant":
            yield from _assistant_gold(file, pointer, turn)
        elif asks and turn["should_retrieve"] and not turn.get("gold_slugs"):
            message = "should_retrieve without gold_slugs: nothing could pass it"
            yield _fault(file, pointer, message, "name the page that should come")
    yield from _check_continuity(fixture, file, gold)


def _assistant_gold(file: str, pointer: str, turn: dict[str, Any]) -> Iterator[Fault]:
    advice = "only user turns are replayed; move it to one"
    if turn["should_retrieve"]:
        message = "should_retrieve on an assistant turn"
        yield _fault(file, f"{pointer}/should_retrieve", message, advice)
    for key in ("gold_slugs", "acceptable_slugs"):
        if key in turn:
            yield _fault(file, f"{pointer}/{key}", f"{key} on an assistant turn", advice)


def _check_continuity(fixture: dict[str, Any], file: str, gold: dict[str, Any]) -> Iterator[Fault]:
    pair, probes = fixture.get("continuity"), gold.get("continuity")
    if probes is None:
        if pair and pair["pair_role"] == "reader":
            message = "lacks 'continuity': a reader needs decisions to probe"
            yield _fault(file, "", message, "add its pair_id and decisions")
    elif pair is None:
        message = f"the fixture {fixture['fixture_id']!r} has no continuity block"
        yield _fault(file, "/continuity", message, "add one there, or take this out")
    else:
        if probes["pair_id"] != pair["pair_id"]:
            message = f"{probes['pair_id']!r}, but the fixture's pair is {pair['pair_id']!r}"
            yield _fault(file, "/continuity/pair_id", message, "write the same id in both")
        yield from _repeats(file, "/continuity/decisions", "decision_id", probes["decisions"])


def _check_pairs(fixtures: dict[str, Any]) -> Iterator[Fault]:
    pairs: dict[str, list[tuple[str, dict[str, Any]]]] = defaultdict(list)
    for name, fixture in fixtures.items():
        if pair := fixture.get("continuity"):
            pairs[pair["pair_id"]].append((name, fixture))
    for pair_id, members in pairs.items():
        roles = sorted(fixture["continuity"]["pair_role"] for _, fixture in members)
        if roles != ["reader", "writer"]:
            message = f"the pair {pair_id!r} needs one writer and one reader, has {roles}"
            advice = "complete the pair, or take its continuity blocks out"
            yield _fault(members[0][0], "/continuity/pair_id", message, advice)
        elif len({bool(fixture.get("holdout")) for _, fixture in members}) > 1:
            message = f"the pair {pair_id!r} is held out by half"
            yield _fault(members[0][0], "/holdout", message, "hold out both or none")


def _fault(file: str, pointer: str, message: str, advice: str) -> Fault:
    return Fault(file=file, pointer=pointer, message=message, advice=advice)
