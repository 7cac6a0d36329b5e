"""A memory on stdin and stdout, sound but for the fault that its argument names."""
# mypy: ignore-errors

import json
import os
import re
import sys

from faults import MARKER, strike

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
ALL = ["know-to-ask", "push", "write-back", "continuity", "sources"]
pages, stored, previous = [], [], {}


def write(data):
    while data:
        data = data[os.write(1, data) :]


def send(message):
    write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


def seed(params):
    if FAULT != "stores-nothing":
        pages.extend(params["pages"])
    stored.extend(params["facts"])
    return {"pages": len(params["pages"]), "facts": len(params["facts"])}


def inject(params):
    if MARKER in params["prompt"]:
        strike(FAULT, write)
        if FAULT == "error-text":
            return {"pointers": [], "error": "Error: no connection to the index"}
    found = []
    for page in pages:
        title = re.search("^title: (.+)$", page["content"], re.MULTILINE)[1]
        if page["source_id"] == params["source_id"] and title in params["prompt"]:
            found.append({"slug": page["slug"], "text": f"{title} ({page['slug']})"})
    return {"pointers": found}


def write_back(params):
    slug = params["slug"]
    stored[:] = [fact for fact in stored if fact.get("source_markdown_slug") != slug]
    text = "\n".join(message["text"] for message in params["messages"])
    send({"id": "e", "method": "extract", "params": {"text": text}})
    for fact in json.loads(sys.stdin.readline())["result"]["facts"]:
        origin = {
            "source": "conversation",
            "source_session": f"conversation:{slug}",
            "source_markdown_slug": slug,
            "source_id": params["source_id"],
        }
        if FAULT != "loses-timestamps":
            origin["valid_from"] = params["messages"][-1]["timestamp"]
        stored.append({"fact": fact["fact"], "entity_slug": fact["entity_slug"], **origin})
    return {}


def reset(params):
    pages.clear()
    stored.clear()
    return {}


def initialize(params):
    return {"protocol_version": 1, "name": "tester", "version": "9", "capabilities": ALL}


METHODS = {
    "initialize": initialize,
    "reset": reset,
    "seed": seed,
    "inject": inject,
    "write_back": write_back,
    "facts": lambda params: {"facts": stored},
    "shutdown": lambda params: {},
}

for line in iter(sys.stdin.readline, ""):
    request = json.loads(line)
    method, number = request["method"], request["id"]
    if method not in METHODS:
        send({"id": number, "error": {"code": -32601, "message": "no such method"}})
        continue
    answer = {"id": number, "result": METHODS[method](request["params"])}
    if method == "inject" and MARKER in request["params"]["prompt"]:
        if FAULT == "wrong-id":
            answer["id"] = number + 100
        if FAULT == "late":
            answer = previous
    send(answer)
    previous = answer
