"""The real systems, and the page that shows them beside the anchors.

``python -m tests.systems_real.table`` writes the page anew, in the surroundings that `conftest`
describes.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brainbench_gate.bench.measuring import Plan, measure
from brainbench_gate.scoreboard import render_table
from brainbench_replay.corpus import read_corpus
from brainbench_schema.numbers import format_number
from brainbench_schema.policy import HARNESSES, SystemEntry

if TYPE_CHECKING:
    from brainbench_schema.result import Cell, Result

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "systems-measured.md"
PROGRAMS = Path(__file__).parent / "programs"
EVALS = ROOT / "evals" / "brainbench"
BUILT_IN = ("silent", "everything", "keyword", "reflex")
NO_HOOK = "it runs no UserPromptSubmit hook"
MARKS = ("<!-- measured -->\n", "<!-- /measured -->\n")

COLUMNS = {
    "missed": ("know-to-ask", "know_to_ask_failure_rate"),
    "false fires": ("know-to-ask", "false_fire_rate"),
    "precision": ("push", "push_precision"),
    "recall": ("push", "push_recall"),
    "leaks": ("push", "source_isolation_violations"),
    "fidelity": ("write-back", "write_back_fidelity"),
    "provenance": ("write-back", "provenance_accuracy"),
    "recalled": ("continuity", "continuity_rate"),
    "tokens": ("push", "avg_injected_tokens"),
}

KNOWLEDGE_GRAPH: dict[str, Any] = {
    "env": {"MEMORY_FILE_PATH": "{scratch}/memory.jsonl"},
    "store": {
        "tool": "create_entities",
        "arguments": {
            "entities": [
                {"name": "{slug}", "entityType": "{type}", "observations": ["{title}", "{summary}"]}
            ]
        },
    },
    "search": {"tool": "search_nodes", "arguments": {"query": "{query}"}},
    "query": "names",
    "id": "$.entities[*].name",
    "text": "$.entities[*].observations",
    "reset": {"tool": "delete_entities", "arguments": {"entityNames": "{ids}"}},
    "write": {
        "tool": "create_entities",
        "arguments": {
            "entities": [{"name": "{key}", "entityType": "fact", "observations": ["{fact_json}"]}]
        },
    },
    "forget": {"tool": "delete_entities", "arguments": {"entityNames": ["{key}"]}},
    "list": {"tool": "read_graph", "arguments": {}},
    "facts": "$.entities[*].observations[0]",
}

SDK_SERVER: dict[str, Any] = {
    "store": {
        "tool": "remember",
        "arguments": {"key": "{slug}", "title": "{title}", "vault": "{source}"},
    },
    "search": {"tool": "recall", "arguments": {"question": "{query}", "vault": "{source}"}},
    "reset": {"tool": "forget", "arguments": {}},
    "id": "$.result[*].key",
    "text": "$.result[*].title",
}


def declare_systems() -> dict[str, SystemEntry]:
    """Declare the real systems, as a policy would."""
    modules = Path(os.environ["BRAINBENCH_SYSTEMS"]).resolve() / "node_modules"
    server = modules / "@modelcontextprotocol" / "server-memory" / "dist" / "index.js"
    python = (sys.executable,)
    hook = ROOT / "tests" / "systems" / "programs" / "hook_memory.py"
    return {
        "notes": SystemEntry(kind="command", command=("node", "notes.mjs")),
        "langgraph": SystemEntry(kind="python", command=python, factory="langgraph_memory:make"),
        "mem0": SystemEntry(kind="python", command=python, factory="mem0_memory:make"),
        "server-memory": SystemEntry(
            kind="mcp", command=("node", str(server)), mcp=KNOWLEDGE_GRAPH
        ),
        "sdk-server": SystemEntry(
            kind="mcp",
            command=(sys.executable, "sdk_server.py"),
            mcp=SDK_SERVER,
            capabilities=("know-to-ask", "push", "sources"),
        ),
        "recall-hook": SystemEntry(kind="hook", command=(sys.executable, str(hook))),
    }


def measure_system(name: str) -> Result:
    """Measure a built-in or a real system on the committed corpus."""
    corpus = read_corpus(EVALS / "fixtures", EVALS / "gold")
    return measure(corpus, Plan(system=name, systems=declare_systems(), folder=PROGRAMS)).result


def render_measured(results: list[Result]) -> str:
    """Write one table a harness, and what was not measured."""
    parts = [f"### {harness}\n\n{_table(harness, results)}\n" for harness in HARNESSES]
    lines = [
        f"- **{result.system.name}** ({result.system.kind}): {'; '.join(_left_out(result))}"
        for result in results
        if result.skipped
    ]
    return "\n".join([*parts, "### Not measured\n", *lines, ""])


def _table(harness: str, results: list[Result]) -> str:
    rows = []
    for result in results:
        cells = {cell.suite: cell for cell in result.cells if cell.harness == harness}
        values = [_value(cells.get(suite), metric) for suite, metric in COLUMNS.values()]
        rows.append([result.system.name, result.system.kind, *values])
    return render_table(["system", "kind", *COLUMNS], rows)


def _value(cell: Cell | None, metric: str) -> str:
    if cell is None or metric not in cell.metrics:
        return "–"
    return format_number(cell.metrics[metric])


def _left_out(result: Result) -> list[str]:
    groups: dict[str, set[str]] = {}
    for entry in result.skipped:
        place = (
            entry.harness if "hook" in entry.reason and "runs no" in entry.reason else entry.suite
        )
        groups.setdefault(entry.reason, set()).add(place)
    return [f"{', '.join(sorted(places))}: {reason}" for reason, places in groups.items()]


def read_measured() -> str:
    """Give what stands between the marks of the page."""
    found = re.search(f"{MARKS[0]}\n(.*?){MARKS[1]}", PAGE.read_text("utf-8"), re.DOTALL)
    assert found
    return found[1]


def write_measured(text: str) -> None:
    """Put a new table between the marks of the page."""
    page = PAGE.read_text("utf-8")
    before, rest = page.split(MARKS[0], 1)
    PAGE.write_text(f"{before}{MARKS[0]}\n{text}{MARKS[1]}{rest.split(MARKS[1], 1)[1]}", "utf-8")


if __name__ == "__main__":
    names = [*BUILT_IN, *declare_systems()]
    write_measured(render_measured([measure_system(name) for name in names]))
