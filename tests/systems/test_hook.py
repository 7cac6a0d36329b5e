"""The hook kind: both harnesses' field sets, the transcript, and what an output means."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING

import pytest
from tests.systems.kinds import PROGRAMS, make_entry, talk_corpus

from brainbench_gate.bench.measuring import Plan, measure
from brainbench_replay.systems.hook import MAX_CHARS
from brainbench_replay.systems.hook_output import find_slugs, read_output
from brainbench_replay.systems.transcripts import Transcript, prompt_input
from brainbench_schema.errors import MemorySystemError, UsageError
from brainbench_schema.policy import SystemEntry

if TYPE_CHECKING:
    from pathlib import Path

    from brainbench_schema.result import Result

WHERE = "system hooked"


def run(entry: SystemEntry, **plan: tuple[str, ...]) -> Result:
    """Measure a hook on the talk corpus."""
    return measure(
        talk_corpus(),
        Plan(system="hooked", systems={"hooked": entry}, folder=PROGRAMS, **plan),  # type: ignore[arg-type]
    ).result


@pytest.mark.parametrize("output", ["", "plain"])
def test_a_hook_that_reads_its_transcript_does_not_repeat_itself(output: str) -> None:
    """On both harnesses the page comes once: the second and third time it stands there already."""
    result = run(make_entry("hook", output))
    rows = {
        harness: [row.injected_slugs for row in result.turn_rows if row.harness == harness]
        for harness in ("claude-code", "codex")
    }
    assert rows["claude-code"] == [("people/ines-valadao",), (), (), ()]
    assert rows["codex"] == rows["claude-code"]


def test_rows_are_production_and_openclaw_is_skipped_with_its_reason() -> None:
    """A hook measures the harnesses that execute hooks."""
    result = run(make_entry("hook"))
    assert {cell.seam for cell in result.cells} == {"production"}
    reasons = {entry.reason for entry in result.skipped if entry.harness == "openclaw"}
    assert reasons == {"it runs no UserPromptSubmit hook"}
    assert result.system.kind == "hook"


def test_a_hook_on_openclaw_alone_is_refused() -> None:
    """There would be nothing to measure."""
    with pytest.raises(UsageError, match="claude-code and codex only"):
        run(make_entry("hook"), harnesses=("openclaw",))


def test_exit_2_blocks_and_is_reported() -> None:
    """A blocked prompt is silence, and stands in the result."""
    result = run(make_entry("hook", "block"), harnesses=("codex",))
    assert result.system.details["reported"] == {"prompts blocked (exit 2)": 1}


def test_only_the_first_ten_thousand_characters_count() -> None:
    """What a harness would cut is cut, and reported."""
    program = (
        "import os, sys; sys.stdin.read()\n"
        "if os.path.isdir(os.environ['BRAINBENCH_MEMORY'] + '/default'):\n"
        "    print('people/ines-valadao people/odalys-brannigan ' + 'x' * 20000)"
    )
    entry = SystemEntry(kind="hook", command=(sys.executable, "-c", program))
    result = run(entry, harnesses=("claude-code",))
    assert result.turn_rows[0].injected_tokens == MAX_CHARS // 4
    assert result.system.details["reported"]["outputs longer than 10,000 characters, cut"] == 4 + 1


def test_a_hook_can_not_declare_what_it_is_never_asked() -> None:
    """It is asked before a turn, and nothing else."""
    entry = SystemEntry(kind="hook", command=("true",), capabilities=("push", "write-back"))
    with pytest.raises(UsageError, match="write-back"):
        run(entry)


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (b"plain text\n", "plain text"),
        (b"", ""),
        (b'{"hookSpecificOutput": {"hookEventName": "UserPromptSubmit"}}', ""),
        (b'{"hookSpecificOutput": {"additionalContext": "a"}}', "a"),
        (b'{"decision": "block", "hookSpecificOutput": {"additionalContext": "a"}}', ""),
        (b'{"continue": true}', ""),
    ],
)
def test_what_an_output_injects(output: bytes, text: str) -> None:
    """JSON by its additionalContext, anything else as it is."""
    assert read_output(output, WHERE) == text


@pytest.mark.parametrize(
    "output", [b"\xff", b'{"hookSpec', b'{"hookSpecificOutput": {"additionalContext": 3}}']
)
def test_what_no_harness_could_take_in_is_an_error(output: bytes) -> None:
    """Bytes, half of a document, a number for a text."""
    with pytest.raises(MemorySystemError):
        read_output(output, WHERE)


def test_a_slug_counts_where_no_slug_character_stands_beside_it() -> None:
    """In order of first occurrence, each once; a longer slug is not its start."""
    text = "See `people/ana-b`, (people/ana) and people/ana; not xpeople/rui or people/rui/2."
    seeded = {"people/ana", "people/ana-b", "people/rui", "people/none"}
    assert find_slugs(text, seeded) == ["people/ana-b", "people/ana"]
    assert find_slugs("[[a]] [[b]] [[a]]", seeded, re.compile(r"\[\[(\w)\]\]")) == ["a", "b"]


def test_the_input_has_the_fields_of_its_harness(tmp_path: Path) -> None:
    """Both have the common ones; codex adds turn and model."""
    common = {
        "session_id",
        "transcript_path",
        "cwd",
        "hook_event_name",
        "permission_mode",
        "prompt",
    }
    fields = {
        harness: set(
            prompt_input(
                harness, session_id="s", turn=1, transcript=tmp_path, cwd=tmp_path, prompt="p"
            )
        )
        for harness in ("claude-code", "codex")
    }
    assert fields["claude-code"] == common
    assert fields["codex"] == common | {"turn_id", "model"}


def test_transcripts_have_the_lines_of_their_harness(tmp_path: Path) -> None:
    """Prompt, added context and answer, one JSON object a line."""
    lines = {}
    for harness in ("claude-code", "codex"):
        transcript = Transcript(tmp_path / harness, harness, "s")
        transcript.add_prompt("p")
        transcript.add_context("c")
        transcript.add_answer("a")
        lines[harness] = [json.loads(line) for line in transcript.path.read_text().splitlines()]
    assert [line["type"] for line in lines["claude-code"]] == ["user", "attachment", "assistant"]
    roles = [line["payload"]["role"] for line in lines["codex"]]
    assert roles == ["user", "developer", "assistant"]
