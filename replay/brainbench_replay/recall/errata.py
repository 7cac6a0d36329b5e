"""A user's corrections of a dataset's gold: scored beside the gold as published."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from brainbench_schema import strict_json
from brainbench_schema.errors import Fault, InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from brainbench_replay.recall.dataset import Query, Session

_KEYS = frozenset({"item", "expected_answer", "required_memory_ids", "exclude", "reason"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Erratum:
    """One correction.

    Attributes:
        changes: New values of the query's `expected` and `required`.
        exclude: The query has no right answer and is left out.
    """

    changes: Mapping[str, Any]
    exclude: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Errata:
    """Corrections by item, ``session/query``."""

    file: str = ""
    entries: Mapping[str, Erratum] = field(default_factory=dict)

    def correct(self, session: Session, query: Query) -> Query | None:
        """Give the query as corrected: itself where nothing is wrong, None where it is left out.

        Raises:
            InvalidInputError: The correction names a memory that the session doesn't have.
        """
        item = f"{session.session_id}/{query.query_id}"
        erratum = self.entries.get(item)
        if erratum is None:
            return query
        known = {memory.memory_id for memory in session.memories}
        strange = sorted(set(erratum.changes.get("required") or ()) - known)
        if strange:
            message = f"{item}: {strange[0]!r} is no memory of this session"
            raise InvalidInputError([Fault(file=self.file, pointer="", message=message)])
        return None if erratum.exclude else replace(query, **erratum.changes)

    def refuse_unused(self, items: Iterable[str]) -> None:
        """Refuse corrections of queries that the dataset doesn't have.

        Raises:
            InvalidInputError: With every one of them.
        """
        unused = set(self.entries) - set(items) if self.entries else set()
        if unused:
            advice = "errata belong to one import of one release: check the file"
            raise InvalidInputError(
                Fault(file=self.file, pointer="", message=f"no query {item!r}", advice=advice)
                for item in unused
            )


NO_ERRATA = Errata()


def parse_errata(data: bytes, file: str) -> Errata:
    """Read an errata file, JSON Lines.

    Each line is an object with `item` and at least one of `expected_answer` (a text, a list of
    texts, or null), `required_memory_ids` (a list or null) and `exclude` (true); `reason` is
    for people.

    Raises:
        InvalidInputError: With every faulty line.
    """
    entries: dict[str, Erratum] = {}
    faults = []
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        name = f"{file}, line {number}"
        document = strict_json.loads(line, name)
        if message := _find_fault(document, entries):
            faults.append(Fault(file=name, pointer="", message=message))
        else:
            entries[document["item"]] = _erratum(document)
    if faults:
        raise InvalidInputError(faults)
    return Errata(file=file, entries=entries)


def _find_fault(document: Any, entries: Mapping[str, Erratum]) -> str | None:
    if not isinstance(document, dict) or not isinstance(document.get("item"), str):
        return "must be an object with a text `item`"
    if unknown := sorted(set(document) - _KEYS):
        return f"unknown key {unknown[0]!r}; known are {', '.join(sorted(_KEYS))}"
    if document["item"] in entries:
        return f"{document['item']!r} is corrected twice"
    if document.get("exclude", True) is not True:
        return "`exclude` must be true where it stands"
    if not set(document) & {"expected_answer", "required_memory_ids", "exclude"}:
        return "corrects nothing"
    return _find_bad_values(document)


def _find_bad_values(document: dict[str, Any]) -> str | None:
    expected = document.get("expected_answer")
    answers = [expected] if isinstance(expected, str) else expected
    for key, texts in (
        ("expected_answer", answers),
        ("required_memory_ids", document.get("required_memory_ids")),
    ):
        if texts is not None and not _are_texts(texts):
            return f"`{key}` must hold texts that are not blank"
    return None


def _are_texts(texts: Any) -> bool:
    return (
        isinstance(texts, list)
        and bool(texts)
        and all(isinstance(text, str) and text.strip() for text in texts)
    )


def _erratum(document: dict[str, Any]) -> Erratum:
    changes: dict[str, Any] = {}
    if "expected_answer" in document:
        expected = document["expected_answer"]
        changes["expected"] = (expected,) if isinstance(expected, str) else tuple(expected or ())
    if "required_memory_ids" in document:
        required = document["required_memory_ids"]
        changes["required"] = None if required is None else tuple(required)
    return Erratum(changes=changes, exclude=document.get("exclude", False))
