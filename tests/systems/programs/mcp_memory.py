"""A stdio MCP server with a few tools, sound but for the fault that its argument names."""
# mypy: ignore-errors

import json
import os
import sys

from faults import MARKER, strike

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
TOOLS = ("store", "search", "forget", "write", "list")
pages, facts, previous = {}, {}, {}


def write(data):
    while data:
        data = data[os.write(1, data) :]


def send(message):
    write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


def use(name, given):
    if name == "store":
        if FAULT == "stores-nothing":
            return "stored"
        pages[given["id"]] = given["text"]
        return "stored"
    if name == "forget":
        for key in given["ids"]:
            pages.pop(key, None)
            facts.pop(key, None)
        return "forgotten"
    if name == "write":
        fact = json.loads(given["fact"])
        if FAULT == "loses-timestamps":
            fact.pop("valid_from", None)
        facts[given["key"]] = json.dumps(fact)
        return "stored"
    if name == "list":
        return json.dumps({"facts": list(facts.values())})
    hits = [
        {"id": key, "text": text}
        for key, text in pages.items()
        if given["query"].lower() in text.lower()
    ]
    return json.dumps({"hits": hits})


def call_tool(params):
    name, given = params["name"], params["arguments"]
    if name == "search" and MARKER.title() in given["query"]:
        strike(FAULT, write)
        if FAULT == "error-text":
            return {"content": [{"type": "text", "text": "Error: no connection to the index"}]}
        if FAULT == "is-error":
            return {"content": [{"type": "text", "text": "no index"}], "isError": True}
        if FAULT == "rpc-error":
            raise ValueError("no index")
    return {"content": [{"type": "text", "text": use(name, given)}]}


def answer(method, params):
    if method == "initialize":
        server = {"name": "tester", "version": "9"}
        version = params["protocolVersion"]
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server}
    if method == "tools/list":
        return {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]}
    return call_tool(params)


for line in iter(sys.stdin.readline, ""):
    request = json.loads(line)
    if "id" not in request or "method" not in request:
        continue
    try:
        reply = {"id": request["id"], "result": answer(request["method"], request["params"])}
    except ValueError as error:
        reply = {"id": request["id"], "error": {"code": -32000, "message": str(error)}}
    query = request["params"].get("arguments", {}).get("query", "")
    if MARKER.title() in query:
        if FAULT == "wrong-id":
            reply["id"] += 100
        if FAULT == "late":
            reply = previous
    send({"method": "notifications/message", "params": {"level": "info", "data": "served"}})
    send(reply)
    previous = reply
