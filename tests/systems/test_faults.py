"""Each fault of each kind: an error that names system, fixture and turn, and nothing left."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.systems.kinds import KINDS, PROGRAMS, make_entry, talk_corpus

from brainbench_gate.bench.measuring import Plan, measure
from brainbench_schema.errors import MemorySystemError

if TYPE_CHECKING:
    from collections.abc import Iterator

TIMEOUT_S = 1.5

AT_THE_TURN = {
    "crash": "exit code 3",
    "hang": "did not answer in time",
    "garbage": "no text",
    "long-line": "more than 16,777,216 bytes",
    "half-line": '{"jsonrpc": "2.0", "resu',
    "stderr-flood": "to stderr",
    "fork-and-die": "exit code 1",
    "error-text": "no connection to the index",
}
WITH_IDS = {"wrong-id": "while inject", "late": "while inject"}
MCP_ONLY = {"is-error": "no index", "rpc-error": "no index"}
IN_PREFLIGHT = {"stores-nothing": "does not bring it up", "loses-timestamps": "time was lost"}


def cases() -> Iterator[tuple[str, str, str, str]]:
    """Give kind, fault, what the error says, and where it places the failure."""
    turn = "fixture talk-001, turn 3"
    for kind in KINDS:
        for fault, said in AT_THE_TURN.items():
            yield kind, fault, said, turn
        for fault, said in IN_PREFLIGHT.items():
            if (kind, fault) != ("hook", "loses-timestamps"):
                yield kind, fault, said, "preflight"
        yield kind, "does-not-start", "", ""
    for kind in ("command", "python", "mcp"):
        yield kind, "quit", "exit code 0", turn
    for kind in ("command", "mcp"):
        for fault, said in WITH_IDS.items():
            yield (
                kind,
                fault,
                said.replace("inject", "tools/call" if kind == "mcp" else "inject"),
                turn,
            )
    for fault, said in MCP_ONLY.items():
        yield "mcp", fault, said, turn


@pytest.mark.parametrize(("kind", "fault", "said", "place"), list(cases()))
def test_a_fault_is_an_error_with_its_place(
    kind: str, fault: str, said: str, place: str, scratch: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A system that fails as a program is never scored, and leaves no process behind."""
    entry = make_entry(kind, fault, timeout_s=TIMEOUT_S)
    plan = Plan(
        system="tested", systems={"tested": entry}, folder=PROGRAMS, harnesses=("claude-code",)
    )
    started = time.monotonic()
    with pytest.raises(MemorySystemError) as caught:
        measure(talk_corpus(), plan)
    assert time.monotonic() - started < TIMEOUT_S + 5
    message = str(caught.value)
    assert "system tested" in message
    assert place in message
    assert said in message
    assert not any(line.startswith("::") for line in _lines(capsys, message))
    assert find_running(scratch) == []


@pytest.mark.parametrize("kind", ["command", "python", "mcp"])
def test_stray_lines_are_shown_and_inert(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """They cost no score, and none of them reaches the log as a command."""
    entry = make_entry(kind, "stray")
    result = measure(
        talk_corpus(), Plan(system="tested", systems={"tested": entry}, folder=PROGRAMS)
    ).result
    assert {cell.gold_failed for cell in result.cells} == {0}
    lines = _lines(capsys, "")
    assert "system tested | Loaded 3 pages" in lines
    assert "system tested | ::stop-commands::x\\r::error::y" in lines
    assert not any(line.startswith("::") or "##[" in line for line in lines)


def _lines(capsys: pytest.CaptureFixture[str], message: str) -> list[str]:
    captured = capsys.readouterr()
    assert captured.out == ""
    return [line.strip() for line in (captured.err + message).splitlines()]


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_fault_all_four_turns_are_scored(kind: str) -> None:
    """The same programs are sound otherwise."""
    plan = Plan(system="tested", systems={"tested": make_entry(kind)}, folder=PROGRAMS)
    result = measure(talk_corpus(), plan).result
    assert {cell.gold_failed for cell in result.cells} == {0}
    assert len(result.cells) == (2 if kind == "hook" else 3)


def find_running(folder: Path) -> list[str]:
    """List the processes whose environment names a folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            environ = (entry / "environ").read_bytes()
        except OSError:
            continue
        if os.fsencode(folder) in environ and int(entry.name) != os.getpid():
            found.append((entry / "cmdline").read_text("utf-8").replace("\0", " "))
    return found
