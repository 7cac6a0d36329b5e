"""The memory beside this file, with the fault that the argument names."""
# mypy: ignore-errors

import os
import sys

import memory
from faults import MARKER, strike

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
given = [{}]


def write(data):
    while data:
        data = data[os.write(1, data) :]


def seed(params):
    counts = memory.seed(params)
    if FAULT == "stores-nothing":
        memory.pages.clear()
    return counts


def inject(params):
    if MARKER in params["prompt"]:
        strike(FAULT, write)
        if FAULT == "error-text":
            return {"pointers": [], "error": "Error: no connection to the index"}
    return memory.inject(params)


def write_back(params):
    written = memory.write_back(params)
    for fact in memory.stored:
        if FAULT == "loses-timestamps" and fact.get("source_markdown_slug") == params["slug"]:
            del fact["valid_from"]
    return written


def answer(request):
    one = memory.answer(request)
    if request["method"] == "inject" and MARKER in request["params"]["prompt"]:
        if FAULT == "wrong-id":
            one["id"] += 100
        if FAULT == "late":
            one = given[-1]
    given.append(one)
    return one


memory.METHODS |= {"seed": seed, "inject": inject, "write_back": write_back}
memory.serve(answer)
