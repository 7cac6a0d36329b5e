"""The published protocol: its JSON Schema, and the values that cross, read and written."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from brainbench_replay.systems.protocol import StoredFact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from brainbench_replay.systems.protocol import BrainSeed, Conversation, ExtractedFact

PROTOCOL_VERSION = 1

METHODS = (
    "initialize",
    "reset",
    "seed",
    "inject",
    "write_back",
    "facts",
    "await_ready",
    "shutdown",
)
"""What the replay asks of a system, in the order of a run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedFact(StoredFact):
    """A stored fact with the time from which it holds (RFC 3339), where memory keeps one."""

    valid_from: str | None


def load_protocol_schema() -> dict[str, Any]:
    """Give the published JSON Schema (draft 7) of the protocol; each message is a definition."""
    path = resources.files(__package__) / "protocol.schema.json"
    schema: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return schema


def find_fault(definition: str, value: object) -> str | None:
    """Hold a value against one definition of the protocol.

    Args:
        definition: Its name, such as ``inject.result``.

    Returns:
        What is wrong first; None where nothing is.
    """
    return _checker(definition)(value)


@cache
def _checker(definition: str) -> Callable[[object], str | None]:
    import fastjsonschema

    schema = load_protocol_schema()
    entry = {"$ref": f"#/definitions/{definition}", "definitions": schema["definitions"]}
    validate = fastjsonschema.compile(entry)

    def first_fault(value: object) -> str | None:
        try:
            validate(value)
        except fastjsonschema.JsonSchemaValueException as error:
            return str(error.message).replace("data", definition, 1)
        return None

    return first_fault


def write_seed(seed: BrainSeed) -> dict[str, Any]:
    """Write the parameters of `seed`."""
    return {
        "pages": [
            {"slug": page.slug, "content": page.content, "source_id": page.source_id}
            for page in seed.pages
        ],
        "facts": [
            {
                "fact": fact.fact,
                "entity_slug": fact.entity_slug,
                "source": fact.source,
                "source_session": fact.source_session,
                "source_id": fact.source_id,
            }
            for fact in seed.facts
        ],
    }


def write_conversation(conversation: Conversation, source: str) -> dict[str, Any]:
    """Write the parameters of `write_back`."""
    return {
        "slug": conversation.slug,
        "title": conversation.title,
        "source_id": source,
        "messages": [
            {"speaker": message.speaker, "timestamp": message.timestamp, "text": message.text}
            for message in conversation.messages
        ],
    }


def write_extracted(facts: Sequence[ExtractedFact]) -> dict[str, Any]:
    """Write the answer to a system's `extract`."""
    return {
        "facts": [
            {"fact": fact.fact, "entity_slug": fact.entity_slug, "kind": fact.kind}
            for fact in facts
        ]
    }


def read_facts(result: dict[str, Any]) -> Iterable[DatedFact]:
    """Read the answer to `facts`, which its schema has accepted."""
    for fact in result["facts"]:
        yield DatedFact(
            fact=fact["fact"],
            entity_slug=fact.get("entity_slug"),
            source=fact.get("source"),
            source_session=fact.get("source_session"),
            source_markdown_slug=fact.get("source_markdown_slug"),
            source_id=fact.get("source_id", "default"),
            valid_from=fact.get("valid_from"),
        )
