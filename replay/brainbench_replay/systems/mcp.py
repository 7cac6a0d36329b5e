"""The `mcp` kind: a stdio MCP server, driven by the templates of its entry.

MCP's stdio transport is JSON-RPC 2.0 with one object a line, so that the channel of the other
kinds carries it, with the same limits and the same answers to everything that can go wrong.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from brainbench_replay.systems.channel import METHOD_NOT_FOUND, Channel, Params, RefusedError
from brainbench_replay.systems.external import External
from brainbench_replay.systems.mcp_entry import Declaration, Tool, read_declaration
from brainbench_replay.systems.process import Child
from brainbench_replay.systems.protocol import Message
from brainbench_replay.systems.quoting import excerpt, looks_like_error
from brainbench_replay.systems.reflex import segments
from brainbench_replay.systems.reflex.pages import parse_page
from brainbench_replay.systems.templates import fill, find, list_queries, names_in, write_out
from brainbench_schema.errors import MemorySystemError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from brainbench_replay.systems.surroundings import Surroundings
    from brainbench_schema.policy import SystemEntry

PROTOCOL_VERSION = "2025-06-18"
PROVENANCE = "conversation"


@contextmanager
def open_mcp(name: str, entry: SystemEntry, surroundings: Surroundings) -> Iterator[External]:
    """Start a server and give it as a system under test.

    Raises:
        UsageError: The entry's templates are not what they must be.
        MemorySystemError: It does not start, or lacks a tool that the entry names.
    """
    declared = read_declaration(name, entry)
    server = Server(name, entry, declared, surroundings)
    try:
        server.start()
        yield External(name, "mcp", server, declared.capabilities)
    finally:
        server.stop()


class Server:
    """An MCP server behind the methods of the published protocol."""

    def __init__(
        self, name: str, entry: SystemEntry, declared: Declaration, surroundings: Surroundings
    ) -> None:
        self.where = f"system {name}"
        self._entry = entry
        self._declared = declared
        self._surroundings = surroundings
        self._child: Child | None = None
        self._starts = 0
        self._ids: list[str] = []
        self._pages: dict[str, list[str]] = {}
        self._about: Params = {}

    def call(
        self,
        method: str,
        params: Params,
        answer: Callable[[str, Params], Params] | None = None,
    ) -> Any:
        """Do with the server's tools what a method of the protocol asks for."""
        if method == "initialize":
            return self._describe()
        if method == "write_back" and answer:
            return self._write_back(params, answer)
        served: dict[str, Callable[[Params], Params]] = {
            "reset": self._reset,
            "seed": self._seed,
            "inject": self._inject,
            "shutdown": dict,
        }
        if self._declared.listing:
            served["facts"] = self._list_facts
        if method not in served:
            reason = "the entry names no tool for it"
            raise RefusedError(method, METHOD_NOT_FOUND, reason, self.where)
        return served[method](params)

    def stop(self) -> None:
        """End the server."""
        if self._child:
            self._child.stop()
            self._child = None

    # The server itself

    def start(self) -> None:
        """Start the server, in place of one that runs, and see that it has the tools."""
        self.stop()
        self._starts += 1
        folder = self._surroundings.scratch / f"server-{self._starts}"
        folder.mkdir()
        env = fill(self._declared.env, {"scratch": str(folder)})
        self._child = Child(
            self._entry.command,
            cwd=self._surroundings.work,
            env={**self._surroundings.env, **env},
            where=self.where,
        )
        self._channel = Channel(self._child, self._entry.timeout_s)
        client = {"name": "brainbench", "version": "1"}
        params = {"protocolVersion": PROTOCOL_VERSION, "capabilities": {}, "clientInfo": client}
        self._about = self._request("initialize", params)
        self._channel.notify("notifications/initialized", {})
        self._ids.clear()
        self._pages.clear()
        self._check_tools()

    def _check_tools(self) -> None:
        known = sorted(self._list_tools())
        for tool in self._declared.tools():
            if tool.name not in known:
                raise MemorySystemError(
                    f"it has no tool {tool.name!r}",
                    where=self.where,
                    advice=f"its tools are {', '.join(known) or 'none'}",
                )

    def _list_tools(self) -> Iterable[str]:
        cursor: Params = {}
        for _ in range(100):
            result = self._request("tools/list", cursor)
            yield from (str(tool.get("name")) for tool in result.get("tools", []))
            if not result.get("nextCursor"):
                return
            cursor = {"cursor": result["nextCursor"]}

    def _request(self, method: str, params: Params) -> Params:
        result = self._channel.call(method, params, _serve)
        if not isinstance(result, dict):
            raise MemorySystemError(f"its answer to {method} is no object", where=self.where)
        return result

    def _use(self, tool: Tool, values: Params) -> tuple[str, Any]:
        """Call a tool; give the text of its answer, and the answer as JSON where it is some.

        Raises:
            MemorySystemError: It failed, in any of the three ways in which servers tell.
        """
        arguments = fill(tool.arguments, values)
        result = self._request("tools/call", {"name": tool.name, "arguments": arguments})
        content = result.get("content")
        text = "\n".join(
            str(part.get("text", ""))
            for part in (content if isinstance(content, list) else [])
            if isinstance(part, dict) and part.get("type") == "text"
        )
        document = result.get("structuredContent")
        if document is None:
            document = _parse(text)
        if result.get("isError") or (document is None and looks_like_error(text)):
            raise MemorySystemError(
                f"the tool {tool.name} failed: {excerpt(text, 300)}",
                where=self.where,
                advice="an outage is never scored: mend it, or the arguments in the entry",
            )
        return text, document

    # The methods of the protocol

    def _describe(self) -> Params:
        info = self._about.get("serverInfo")
        info = info if isinstance(info, dict) else {}
        return {
            "protocol_version": 1,
            "name": str(info.get("name") or "mcp server"),
            "version": str(info.get("version") or "unknown"),
            "capabilities": list(self._declared.capabilities),
            "provenance": PROVENANCE,
            "details": {
                "mcp_protocol": str(self._about.get("protocolVersion", "unknown")),
                "query_policy": self._declared.query,
                "tools": [tool.name for tool in self._declared.tools()],
            },
        }

    def _reset(self, _params: Params) -> Params:
        reset = self._declared.reset
        if reset is None:
            self.start()
        elif "id" in names_in(reset.arguments):
            for stored in self._ids:
                self._use(reset, {"id": stored})
        elif self._ids or "ids" not in names_in(reset.arguments):
            self._use(reset, {"ids": list(self._ids)})
        self._ids.clear()
        self._pages.clear()
        return {}

    def _seed(self, params: Params) -> Params:
        for page in params["pages"]:
            parsed = parse_page(page["slug"], page["content"])
            values = {
                "slug": page["slug"],
                "title": parsed.title,
                "type": parsed.type or "page",
                "aliases": list(parsed.aliases),
                "summary": parsed.synopsis,
                "body": parsed.body.strip(),
                "content": page["content"],
                "source": page["source_id"],
            }
            self._use(self._declared.store, values)
            self._ids.append(page["slug"])
        for number, fact in enumerate(params["facts"], 1):
            self._write(f"seed-{number}", fact)
        return {"pages": len(params["pages"]), "facts": len(params["facts"])}

    def _inject(self, params: Params) -> Params:
        return {"pointers": list(self._search(params))}

    def _search(self, params: Params) -> Iterable[Params]:
        declared = self._declared
        hits: dict[str, list[str]] = {}
        for query in list_queries(declared.query, params["prompt"]):
            values = {"query": query, "source": params["source_id"]}
            text, document = self._use(declared.search, values)
            ids = [write_out(value) for value in find(declared.id, text, document)]
            texts = [write_out(value) for value in find(declared.text, text, document)]
            if len(ids) != len(texts):
                raise MemorySystemError(
                    f"`id` finds {len(ids)} and `text` {len(texts)} in {excerpt(text)!r}",
                    where=self.where,
                    advice="both must find one value a hit",
                )
            for slug, shown in zip(ids, texts, strict=True):
                hits.setdefault(slug, []).append(shown)
        for slug in sorted(hits, key=lambda slug: -len(hits[slug])):
            yield {"slug": slug, "text": f"- `{slug}`: {hits[slug][0]}"}

    def _write_back(self, params: Params, answer: Callable[[str, Params], Params]) -> Params:
        slug = params["slug"]
        self._forget(slug)
        messages = [Message(**message) for message in params["messages"]]
        number = 0
        for segment in segments.split(messages):
            text = segments.render(params["title"], segment)
            for fact in answer("extract", {"text": text})["facts"]:
                number += 1
                stored = {
                    "fact": fact["fact"],
                    "entity_slug": fact["entity_slug"],
                    "source": PROVENANCE,
                    "source_session": f"{PROVENANCE}:{slug}",
                    "source_markdown_slug": slug,
                    "source_id": params["source_id"],
                    "valid_from": segment[-1].timestamp,
                }
                self._pages.setdefault(slug, []).append(self._write(f"{slug}-{number}", stored))
        return {}

    def _write(self, key: str, fact: Params) -> str:
        if self._declared.write:
            fields = {name: value or "" for name, value in fact.items()}
            as_json = json.dumps(fact, ensure_ascii=False, sort_keys=True)
            self._use(self._declared.write, {**fields, "key": key, "fact_json": as_json})
            self._ids.append(key)
        return key

    def _forget(self, slug: str) -> None:
        keys = self._pages.pop(slug, [])
        if keys and self._declared.forget:
            for key in keys:
                self._use(self._declared.forget, {"key": key})
                self._ids.remove(key)

    def _list_facts(self, params: Params) -> Params:
        assert self._declared.listing
        text, document = self._use(self._declared.listing, params)
        found = find(self._declared.facts, text, document)
        facts = [_parse(one) if isinstance(one, str) else one for one in found]
        return {"facts": [one for one in facts if isinstance(one, dict) and "fact" in one]}


def _serve(method: str, _params: Params) -> Params:
    if method == "ping":
        return {}
    raise LookupError(method)


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
