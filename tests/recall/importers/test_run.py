"""Kinds and options are those there are, and a source that is known is named."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.recall.importers.sources import CONVERSATION, imported

from brainbench_replay.recall.importers.run import KINDS, import_dataset
from brainbench_schema.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def test_a_known_source_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = "79fa87e90f04081343b8c8debecb80a9a6842b76a7aa537dc9fdf651ea698ff4"
    assert KINDS["locomo"].known == {digest: "locomo10.json"}
    own = hashlib.sha256(json.dumps([CONVERSATION]).encode()).hexdigest()
    monkeypatch.setitem(KINDS, "locomo", replace(KINDS["locomo"], known={own: "locomo10.json"}))
    _, summary = imported(tmp_path, "locomo", [CONVERSATION])
    assert summary.known == "locomo10.json"


@pytest.mark.parametrize(
    ("kind", "settings", "message"),
    [
        ("nope", {}, "no kind 'nope'"),
        ("ama-bench", {"x": "1"}, "has no option 'x'"),
        ("locomo", {"captions": "maybe"}, "captions=maybe can't be"),
        ("memoryagentbench", {"chunk_chars": "0"}, "whole numbers from 1"),
        ("memoryagentbench", {"chunk_chars": "ten"}, "whole numbers from 1"),
    ],
)
def test_kinds_and_options_that_do_not_exist_are_refused(
    tmp_path: Path, kind: str, settings: dict[str, str], message: str
) -> None:
    with pytest.raises(UsageError) as caught:
        import_dataset(kind, tmp_path / "x", tmp_path / "out", settings)
    assert message in str(caught.value)
