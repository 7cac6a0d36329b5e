"""A memory for the host file, sound but for the fault that its factory's name tells."""
# mypy: ignore-errors
# ruff: noqa: ARG002, PTH115, RUF012, T201

import os
import re

from faults import MARKER, strike


def write(data):
    """Reach past the host for the descriptor that carries the protocol."""
    out = next(number for number in range(3, 64) if _is_pipe(number))
    while data:
        data = data[os.write(out, data) :]


def _is_pipe(number):
    try:
        return os.readlink(f"/proc/self/fd/{number}").startswith("pipe:")
    except OSError:
        return False


class Memory:
    version = "9"
    capabilities = ["know-to-ask", "push", "write-back", "continuity", "sources"]

    def __init__(self, fault):
        self.fault = fault

    def reset(self, sources):
        self.pages, self.stored = [], []

    def seed(self, pages, facts):
        if self.fault != "stores-nothing":
            self.pages += pages
        self.stored += facts

    def inject(self, prompt, source_id, session_id):
        print("::error::a print of the memory's own")
        if MARKER in prompt:
            strike(self.fault, write)
            if self.fault == "error-text":
                raise ConnectionError("no connection to the index")
        for page in self.pages:
            title = re.search("^title: (.+)$", page["content"], re.MULTILINE)[1]
            if page["source_id"] == source_id and title in prompt:
                yield page["slug"], f"{title} ({page['slug']})"

    def write_back(self, conversation, extract):
        slug, messages = conversation["slug"], conversation["messages"]
        self.stored = [fact for fact in self.stored if fact.get("source_markdown_slug") != slug]
        for fact in extract("\n".join(message["text"] for message in messages)):
            origin = {
                "source": "conversation",
                "source_session": f"conversation:{slug}",
                "source_markdown_slug": slug,
                "source_id": conversation["source_id"],
            }
            if self.fault != "loses-timestamps":
                origin["valid_from"] = messages[0]["timestamp"]
            self.stored.append({**fact, **origin})

    def facts(self):
        return self.stored


def __getattr__(name):
    fault = name.removeprefix("make").removeprefix("_").replace("_", "-")
    if not name.startswith("make") or fault == "does-not-start":
        raise AttributeError(name)
    return lambda: Memory(fault)
