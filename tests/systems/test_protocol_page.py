"""The worked transcript of the protocol's page is what really passes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from importlib import resources
from pathlib import Path

from brainbench_replay.systems.wire import METHODS, find_fault

PAGE = Path(__file__).parents[2] / "docs" / "systems-protocol.md"


def read_transcript() -> list[tuple[str, str]]:
    """Give direction and message, line by line."""
    return re.findall(r"^([→←]) (\{.*\})$", PAGE.read_text("utf-8"), re.MULTILINE)


def test_the_transcript_is_what_the_starter_answers(tmp_path: Path) -> None:
    """Every line that BrainBench sends gets the answer that the page shows."""
    systems = Path(str(resources.files("brainbench_replay.systems")))
    shutil.copy(systems / "host.py", tmp_path)
    shutil.copy(systems / "stubs" / "memory.py.txt", tmp_path / "memory.py")
    lines = read_transcript()
    asked = "".join(f"{message}\n" for direction, message in lines if direction == "→")
    done = subprocess.run(
        [sys.executable, "-B", "host.py", "memory:make"],
        cwd=tmp_path,
        input=asked,
        capture_output=True,
        text=True,
        check=True,
    )
    shown = [json.loads(message) for direction, message in lines if direction == "←"]
    assert [json.loads(line) for line in done.stdout.splitlines()] == shown


def test_every_message_of_it_is_as_the_schema_has_it() -> None:
    """Requests, their parameters, and results."""
    methods: dict[object, str] = {}
    for _, text in read_transcript():
        message = json.loads(text)
        kind = "request" if "method" in message else "failure" if "error" in message else "response"
        assert find_fault(kind, message) is None
        if kind == "request":
            methods[message["id"]] = message["method"]
            assert find_fault(f"{message['method']}.params", message["params"]) is None
        elif kind == "response":
            assert find_fault(f"{methods[message['id']]}.result", message["result"]) is None
    assert set(METHODS) <= set(methods.values())
