"""The published JSON Schemas, and the one function that holds a document against them.

`fastjsonschema` decides quickly whether a document is as it must be; only for one that isn't,
`jsonschema` lists every fault with its place. Both read the same schema files.
"""

from __future__ import annotations

import json
import re
from datetime import datetime
from difflib import get_close_matches
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from brainbench_schema import strict_json
from brainbench_schema.errors import Fault, InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jsonschema.exceptions import ValidationError

ADVICE = {
    "fixture": "mend it, then check all of them with `brainbench corpus validate`",
    "gold": "mend it, then check all of them with `brainbench corpus validate`",
    "result": "make it anew with `brainbench run --out FILE`",
    "baseline": "make it anew with `brainbench bless`; it is not written by hand",
    "items": "make it anew with `brainbench bless`; it is not written by hand",
    "policy": "mend it; `brainbench doctor` says whether it can be read then",
    "recall_session": "docs/recall.md says what a line holds; `brainbench import` writes lines",
}
"""What to do about a document of a kind that is not as it must be."""

KINDS = ("fixture", "gold", "result", "baseline", "items", "policy")

_RFC3339 = re.compile(
    r"\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})", re.ASCII
)


def load_schema(kind: str) -> dict[str, Any]:
    """Give the published JSON Schema (draft 7) of a kind of document.

    Args:
        kind: One of `KINDS`.
    """
    path = resources.files(__package__) / "schemas" / f"{kind}.schema.json"
    schema: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return schema


def is_timestamp(text: object) -> bool:
    """Tell whether a text is an RFC 3339 time with an offset that a calendar knows."""
    if not isinstance(text, str) or not _RFC3339.fullmatch(text):
        return False
    try:
        parse_timestamp(text)
    except ValueError:
        return False
    return True


def parse_timestamp(text: str) -> datetime:
    """Read an RFC 3339 time. Fractions finer than a microsecond are cut.

    Raises:
        ValueError: It isn't one, or the day or time doesn't exist.
    """
    text = re.sub(r"(\.\d{6})\d+", r"\1", text.upper())
    moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    if moment.tzinfo is None:
        raise ValueError(f"{text} has no offset")
    return moment


def check(kind: str, document: object, file: str) -> list[Fault]:
    """List everything in which a document differs from its schema.

    Args:
        kind: One of `KINDS`.
        document: The document as strict reading gave it.
        file: Its name, for the faults.

    Returns:
        The faults; empty when there are none.
    """
    first = _quick(kind)(document)
    if first is None:
        return []
    advice = ADVICE.get(kind, "")
    errors = list(_errors(kind, document))
    mistyped = {error.json_path for error in errors if error.validator == "type"}
    faults = [
        fault
        for error in errors
        if error.validator == "type" or error.json_path not in mistyped
        for fault in _explain(error, file, advice)
    ]
    return faults or [Fault(file=file, pointer="", message=first, advice=advice)]


def parse(kind: str, data: bytes, file: str) -> Any:
    """Read a document strictly and hold it against its schema.

    Raises:
        InvalidInputError: With every fault found.
    """
    document = strict_json.loads(data, file)
    if faults := check(kind, document, file):
        raise InvalidInputError(faults)
    return document


@cache
def _quick(kind: str) -> Callable[[object], str | None]:
    import fastjsonschema

    validate = fastjsonschema.compile(load_schema(kind), formats={"date-time": is_timestamp})

    def first_fault(document: object) -> str | None:
        try:
            validate(document)
        except fastjsonschema.JsonSchemaValueException as error:
            return str(error.message)
        return None

    return first_fault


def _errors(kind: str, document: object) -> Iterator[ValidationError]:
    from jsonschema import Draft7Validator, FormatChecker

    formats = FormatChecker(formats=())
    formats.checks("date-time")(lambda value: not isinstance(value, str) or is_timestamp(value))
    return Draft7Validator(load_schema(kind), format_checker=formats).iter_errors(document)


def _explain(error: ValidationError, file: str, advice: str) -> Iterator[Fault]:
    pointer = "".join(f"/{strict_json.escape_pointer(part)}" for part in error.absolute_path)
    schema: Any = error.schema
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        known = sorted(schema.get("properties", {}))
        for key in sorted(set(error.instance) - set(known)):
            place = f"{pointer}/{strict_json.escape_pointer(key)}"
            yield Fault(
                file=file,
                pointer=place,
                message=f"unknown key {key!r}",
                advice=_advise_key(key, known),
            )
    else:
        yield Fault(file=file, pointer=pointer, message=_sentence(error), advice=advice)


def _advise_key(key: str, known: list[str]) -> str:
    if key == "gold" and "gold" not in known:
        return (
            "gold is sealed: a memory system sees the fixture. "
            "Put annotations into gold/<fixture_id>.gold.json"
        )
    if near := get_close_matches(key, known, n=1):
        return f"did you mean {near[0]!r}?"
    return f"known keys are {', '.join(known)}"


SENTENCES = {
    "const": "must be {rule}, not {shown}: this version reads no other",
    "minItems": "must not be empty",
    "minLength": "must not be empty",
    "minProperties": "must not be empty",
    "minimum": "must be at least {rule}, not {shown}",
    "exclusiveMinimum": "must be more than {rule}, not {shown}",
    "maximum": "must be at most {rule}, not {shown}",
    "format": "{shown} is not an RFC 3339 time with an offset, such as 2026-03-01T10:00:00Z",
    "pattern": "{shown} does not match {rule}",
}
"""What breaking a rule of a schema is called, where rule and value say it all."""


def _sentence(error: ValidationError) -> str:
    rule: Any = error.validator_value
    found: Any = error.instance
    value = json.dumps(found, ensure_ascii=False)
    shown = value if len(value) <= 60 else value[:57] + "…"
    match error.validator:
        case "type":
            return f"must be {rule if isinstance(rule, str) else ' or '.join(rule)}, not {shown}"
        case "required":
            return f"lacks {', '.join(repr(key) for key in rule if key not in found)}"
        case "enum":
            return f"must be one of {', '.join(map(str, rule))}, not {shown}"
        case "uniqueItems":
            twin = next(one for place, one in enumerate(found) if one in found[:place])
            return f"names {json.dumps(twin, ensure_ascii=False)} twice"
    template = SENTENCES.get(str(error.validator))
    return template.format(rule=rule, shown=shown) if template else str(error.message)
