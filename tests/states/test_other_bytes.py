"""State 9: what CI measured can be blessed without measuring again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.gate.worlds import BASELINE, World, asks
from tests.states.rows import state
from tests.states.ways_out import REASON, WORSE

from brainbench_gate.bench.recorded import parse_documents

if TYPE_CHECKING:
    from pathlib import Path


@state(9)
def test_files_can_be_made_from_the_result_of_ci(tmp_path: Path) -> None:
    """What CI measured is blessed without measuring again, and a reason is one added line."""
    world = World(tmp_path)
    head = world.propose({**asks("eve", "Eve Low"), **WORSE})
    refused = world.judge(head)
    assert 2 == refused.code
    assert refused.judged is not None
    data = refused.judged.run.result.serialize()
    world.origin.branch("topic", head)
    files = world.blessed(base="main", bench=parse_documents({"result.json": data}))
    bare = world.origin.commit(files)
    assert 1 == world.judge(bare).code
    line = f'  "justification": {json.dumps(REASON)},\n  "cells"'
    reasoned = files[BASELINE].decode().replace('  "cells"', line, 1)
    assert 0 == world.judge(world.origin.commit({BASELINE: reasoned})).code
