"""Writes `docs/METRIC_GLOSSARY.md` from the glossaries: `python -m tests.docs.glossary`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from brainbench_gate.rules import GATED, ISOLATION
from brainbench_replay.metrics.glossary import GLOSSARY
from brainbench_replay.recall.glossary import GLOSSARY as RECALL

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCUMENT = Path(__file__).parents[2] / "docs" / "METRIC_GLOSSARY.md"
HEAD = """\
# Metric glossary

Made from the one glossary in the source by `python -m tests.docs.glossary`; a test fails where
this file says anything else. What the numbers mean together, and what they do not, stands in
[methodology](methodology.md).
"""


def render() -> str:
    """Write the document."""
    parts = [HEAD, "## BrainBench\n", *_rows(GLOSSARY), "\n## Recall, the second benchmark\n"]
    return "\n".join([*parts, *_rows(RECALL), ""])


def _rows(glossary: dict[str, str]) -> Iterator[str]:
    yield "| metric | meaning | gated |"
    yield "|---|---|---|"
    for name, text in glossary.items():
        yield f"| `{name}` | {text} | {_gated(name, text)} |"


def _gated(name: str, text: str) -> str:
    if name == ISOLATION:
        return "always, by nobody's leave"
    return "no" if "never gated" in text else f"{GATED.get(name, 'higher')} is better"


if __name__ == "__main__":
    DOCUMENT.write_text(render(), encoding="utf-8", newline="\n")
