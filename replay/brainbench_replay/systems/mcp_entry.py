"""What the `mcp` part of an entry declares, checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from brainbench_replay.systems.templates import QUERY_POLICIES, REGEX_PREFIX, is_place
from brainbench_schema.errors import UsageError
from brainbench_schema.fixture import RETRIEVAL_SUITES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brainbench_schema.policy import SystemEntry

RESTART = "restart"
KEYS = (
    "store",
    "search",
    "reset",
    "id",
    "text",
    "query",
    "env",
    "write",
    "forget",
    "list",
    "facts",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool, and the template of its arguments."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """How a server is used as a memory.

    Attributes:
        reset: The tool that forgets; None starts the server anew.
        id: Where in an answer to `search` the slugs are, as a path or ``re:`` expression.
        text: Where the texts are, one for each slug.
        query: How a turn becomes queries.
        env: More environment; ``{scratch}`` is a folder of this start's own.
        write: The tool that stores a fact.
        forget: The tool that removes one stored fact.
        listing: The tool that lists facts; `facts` finds them in its answer, as JSON.
    """

    store: Tool
    search: Tool
    reset: Tool | None
    id: str
    text: str
    query: str
    env: dict[str, str]
    write: Tool | None
    forget: Tool | None
    listing: Tool | None
    facts: str
    capabilities: tuple[str, ...]

    def tools(self) -> Iterator[Tool]:
        """Give the tools it names, each once."""
        seen = set()
        for tool in (self.store, self.search, self.reset, self.write, self.forget, self.listing):
            if tool and tool.name not in seen:
                seen.add(tool.name)
                yield tool


def read_declaration(name: str, entry: SystemEntry) -> Declaration:
    """Read the `mcp` part of an entry.

    Raises:
        UsageError: Something is missing, unknown, or not what it must be.
    """
    where = f"systems/{name}/mcp"
    given = entry.mcp
    if unknown := sorted(set(given) - set(KEYS)):
        raise UsageError(
            f"unknown key {unknown[0]!r}", where=where, advice=f"known are {', '.join(KEYS)}"
        )
    if entry.slug_pattern:
        place = REGEX_PREFIX + entry.slug_pattern
        given = {"id": place, "text": place, **given}
    reset = given.get("reset", RESTART)
    declared = Declaration(
        store=_tool(given, "store", where),
        search=_tool(given, "search", where),
        reset=None if reset == RESTART else _tool(given, "reset", where),
        id=_place(given, "id", where),
        text=_place(given, "text", where),
        query=_query(given, where),
        env=_env(given, where),
        write=_tool(given, "write", where) if "write" in given else None,
        forget=_tool(given, "forget", where) if "forget" in given else None,
        listing=_tool(given, "list", where) if "list" in given else None,
        facts=_place(given, "facts", where) if "list" in given else "",
        capabilities=_capabilities(entry),
    )
    if "write-back" in declared.capabilities and not (declared.write and declared.listing):
        raise UsageError("write-back needs the tools `write` and `list`, and `facts`", where=where)
    return declared


def _capabilities(entry: SystemEntry) -> tuple[str, ...]:
    if entry.capabilities is not None:
        return entry.capabilities
    writes = "write" in entry.mcp and "list" in entry.mcp
    return (*RETRIEVAL_SUITES, "write-back", "continuity") if writes else RETRIEVAL_SUITES


def _tool(given: dict[str, Any], key: str, where: str) -> Tool:
    value = given.get(key)
    if isinstance(value, dict) and set(value) <= {"tool", "arguments"}:
        tool, arguments = value.get("tool"), value.get("arguments", {})
        if isinstance(tool, str) and isinstance(arguments, dict):
            return Tool(name=tool, arguments=arguments)
    raise UsageError(
        f"`{key}` must be {{tool: NAME, arguments: {{…}}}}",
        where=where,
        advice="see docs/systems-mcp.md for an example",
    )


def _place(given: dict[str, Any], key: str, where: str) -> str:
    value = given.get(key)
    if isinstance(value, str) and is_place(value):
        return value
    raise UsageError(
        f"`{key}` must be a path such as $.hits[*].id, or re: and a regular expression",
        where=where,
    )


def _query(given: dict[str, Any], where: str) -> str:
    value = given.get("query", QUERY_POLICIES[0])
    if value in QUERY_POLICIES:
        return str(value)
    raise UsageError(f"`query` must be one of {', '.join(QUERY_POLICIES)}", where=where)


def _env(given: dict[str, Any], where: str) -> dict[str, str]:
    value = given.get("env", {})
    if isinstance(value, dict) and all(isinstance(one, str) for one in value.values()):
        return dict(value)
    raise UsageError("`env` must give a text for each variable", where=where)
