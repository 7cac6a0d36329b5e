"""The transcript a harness keeps beside a conversation, as its hooks may read it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

JSON = dict[str, Any]

TIME = "2026-01-01T00:00:00.000Z"
"""Every line carries the same time: a transcript is the same in every run."""


class Transcript:
    """One JSONL file: what was said, and what hooks added.

    Args:
        harness: ``claude-code`` or ``codex``; each has its own line format.
    """

    def __init__(self, path: Path, harness: str, session_id: str) -> None:
        self.path = path
        self._codex = harness == "codex"
        self._session_id = session_id
        self._count = 0
        path.write_text("", "utf-8")

    def add_prompt(self, text: str) -> None:
        """Add what the user typed."""
        self._add_message("user", text)

    def add_answer(self, text: str) -> None:
        """Add what the assistant said."""
        self._add_message("assistant", text)

    def add_context(self, text: str) -> None:
        """Add what a UserPromptSubmit hook injected."""
        if self._codex:
            self._add_message("developer", text)
        else:
            attachment = {
                "type": "hook_additional_context",
                "content": [text],
                "hookName": "UserPromptSubmit",
                "hookEvent": "UserPromptSubmit",
            }
            self._append({"type": "attachment", "attachment": attachment, **self._envelope()})

    def _add_message(self, role: str, text: str) -> None:
        if self._codex:
            kind = "output_text" if role == "assistant" else "input_text"
            payload = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
            self._append({"timestamp": TIME, "type": "response_item", "payload": payload})
            return
        content = text if role == "user" else [{"type": "text", "text": text}]
        message = {"role": role, "content": content}
        self._append({"type": role, "message": message, **self._envelope()})

    def _envelope(self) -> JSON:
        self._count += 1
        return {
            "uuid": f"{self._session_id}-{self._count}",
            "sessionId": self._session_id,
            "timestamp": TIME,
        }

    def _append(self, line: JSON) -> None:
        with self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def prompt_input(
    harness: str, *, session_id: str, turn: int, transcript: Path, cwd: Path, prompt: str
) -> JSON:
    """Write the UserPromptSubmit input as a harness does.

    Args:
        turn: Number of the prompt in the conversation, from 1.
    """
    fields: JSON = {
        "session_id": session_id,
        "transcript_path": str(transcript),
        "cwd": str(cwd),
        "hook_event_name": "UserPromptSubmit",
        "permission_mode": "default",
        "prompt": prompt,
    }
    if harness == "codex":
        fields |= {"turn_id": f"{session_id}-{turn}", "model": "unknown"}
    return fields
