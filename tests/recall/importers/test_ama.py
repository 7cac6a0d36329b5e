"""AMA-Bench: episodes become sessions, their turns in order."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.recall.importers.sources import EPISODE, imported, refused

if TYPE_CHECKING:
    from pathlib import Path


def test_ama_episodes_become_sessions(tmp_path: Path) -> None:
    [session], summary = imported(tmp_path, "ama-bench", f"{json.dumps(EPISODE)}\n\n")
    assert [(one.memory_id, one.timestamp, one.text) for one in session.memories] == [
        ("t0", None, "Observation: a room"),
        ("t1", None, 'Action: open door\nObservation: {"door": "open"}'),
    ]
    types = [(one.query_type, one.required) for one in session.queries]
    assert types == [
        ("temporal", None),
        ("retrieval", None),
        ("contradiction", None),
        ("retrieval", None),
    ]
    assert summary.found["trajectories brought into order"] == 1
    assert summary.dropped == {"turns without action and observation": 1}


@pytest.mark.parametrize(
    ("episode", "message"),
    [
        ({**EPISODE, "trajectory": [{"turn_idx": "0"}]}, "/trajectory/0/turn_idx: must be a whole"),
        ({**EPISODE, "trajectory": EPISODE["trajectory"][:1] * 2}, "1 stands twice"),
        ({**EPISODE, "qa_pairs": [{"question": "x", "type": "E"}]}, "'E' is none of A, B, C, D"),
        ({**EPISODE, "qa_pairs": []}, "holds nothing that can be used"),
    ],
)
def test_ama_that_is_wrong_is_refused_by_line(
    tmp_path: Path, episode: dict[str, Any], message: str
) -> None:
    assert message in refused(tmp_path, "ama-bench", json.dumps(episode))
