"""A UserPromptSubmit hook over a folder of pages, sound but for the fault its argument names.

It reads the transcript to leave out what it has injected before, in either harness's format.
"""
# mypy: ignore-errors
# ruff: noqa: T201

import json
import os
import re
import sys
from pathlib import Path

from faults import MARKER, strike

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""


def write(data):
    while data:
        data = data[os.write(1, data) :]


def injected_before(path):
    """Give all that a hook added to the conversation so far."""
    texts = []
    for line in Path(path).read_text("utf-8").splitlines():
        entry = json.loads(line)
        if entry["type"] == "attachment":
            texts += entry["attachment"]["content"]
        elif entry["type"] == "response_item" and entry["payload"]["role"] == "developer":
            texts += [part["text"] for part in entry["payload"]["content"]]
    return "\n".join(texts)


def main():
    asked = json.loads(sys.stdin.read())
    assert asked["hook_event_name"] == "UserPromptSubmit"
    if MARKER in asked["prompt"]:
        strike(FAULT, write)
        if FAULT == "error-text":
            print("Error: no connection to the index")
            return
        if FAULT == "block":
            sys.exit(2)
    seen = injected_before(asked["transcript_path"])
    folder = Path(os.environ["BRAINBENCH_MEMORY"]) / os.environ["BRAINBENCH_SOURCE"]
    lines = []
    for page in [] if FAULT == "stores-nothing" else sorted(folder.rglob("*.md")):
        slug = page.relative_to(folder).with_suffix("").as_posix()
        title = re.search("^title: (.+)$", page.read_text("utf-8"), re.MULTILINE)[1]
        if title in asked["prompt"] and slug not in seen:
            lines.append(f"- {title}: `{slug}`")
    if lines and FAULT == "plain":
        print("\n".join(lines))
    elif lines:
        output = {"hookEventName": "UserPromptSubmit", "additionalContext": "\n".join(lines)}
        print(json.dumps({"hookSpecificOutput": output}))


main()
