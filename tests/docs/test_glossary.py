"""The glossary in the documentation is the one in the source."""

from __future__ import annotations

from tests.docs.glossary import DOCUMENT, render

from brainbench_gate.rules import GATED, ISOLATION
from brainbench_replay.metrics.glossary import GLOSSARY


def test_document_is_what_the_source_says() -> None:
    """Drift fails; `python -m tests.docs.glossary` writes it anew."""
    assert DOCUMENT.read_text("utf-8") == render()


def test_every_gated_metric_is_explained() -> None:
    """A number that can block a merge has a sentence."""
    assert {*GATED, ISOLATION} <= {*GLOSSARY}
