"""A sound memory on stdin and stdout, as a user might have one: pages by title, facts as told."""
# mypy: ignore-errors

import json
import re
import sys

FORGOTTEN = ""
LEAKS = False
ALL = ["know-to-ask", "push", "write-back", "continuity", "sources"]
pages, stored = [], []


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def seed(params):
    pages.extend(params["pages"])
    stored.extend(params["facts"])
    return {"pages": len(params["pages"]), "facts": len(params["facts"])}


def inject(params):
    found = []
    for page in pages:
        title = re.search("^title: (.+)$", page["content"], re.MULTILINE)[1]
        own = page["source_id"] == params["source_id"] or LEAKS
        if own and title in params["prompt"] and page["slug"] != FORGOTTEN:
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
            "valid_from": params["messages"][-1]["timestamp"],
        }
        stored.append({"fact": fact["fact"], "entity_slug": fact["entity_slug"], **origin})
    return {}


def reset(params):
    pages.clear()
    stored.clear()
    return {}


def initialize(params):
    return {"protocol_version": 1, "name": "mine", "version": "1", "capabilities": ALL}


METHODS = {
    "initialize": initialize,
    "reset": reset,
    "seed": seed,
    "inject": inject,
    "write_back": write_back,
    "facts": lambda params: {"facts": stored},
    "shutdown": lambda params: {},
}


def answer(request):
    if request["method"] not in METHODS:
        return {"id": request["id"], "error": {"code": -32601, "message": "no such method"}}
    return {"id": request["id"], "result": METHODS[request["method"]](request["params"])}


def serve(answer):
    for line in iter(sys.stdin.readline, ""):
        send(answer(json.loads(line)))


if __name__ == "__main__":
    serve(answer)
