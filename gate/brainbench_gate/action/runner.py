"""The runner's side of the action: its command files, outputs, summary and annotations."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from brainbench_gate.escape import clean, command_property, command_value, log_line
from brainbench_schema.errors import BrainbenchError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from brainbench_gate.action.annotations import Annotation

COMMAND_FILES = (
    "GITHUB_ENV",
    "GITHUB_PATH",
    "GITHUB_OUTPUT",
    "GITHUB_STATE",
    "GITHUB_STEP_SUMMARY",
)


class RunnerFilesError(BrainbenchError):
    """What ran during the measurement wrote to the runner's command files."""

    reason = "runner-files"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandFiles:
    """The runner's command files as they stood before anything foreign ran."""

    contents: dict[Path, bytes | None]

    @classmethod
    def remember(cls, environ: Mapping[str, str]) -> CommandFiles:
        """Read them."""
        paths = [Path(environ[name]) for name in COMMAND_FILES if environ.get(name)]
        return cls(contents={path: _read(path) for path in paths})

    def restore(self) -> None:
        """Put back what was changed.

        Raises:
            RunnerFilesError: Something was.
        """
        changed = [path for path, data in self.contents.items() if not _holds(path, data)]
        for path in changed:
            _remove(path)
            data = self.contents[path]
            if data is not None:
                path.write_bytes(data)
        if changed:
            names = ", ".join(path.name for path in changed)
            raise RunnerFilesError(
                f"the runner's command files were changed during the measurement: {names}",
                advice="the memory under test, or what it starts, must not write there",
            )


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _holds(path: Path, data: bytes | None) -> bool:
    """Tell whether a file of its own says this; None is nothing at all in its place."""
    if data is None:
        return not os.path.lexists(path)
    return not path.is_symlink() and _read(path) == data


def _remove(path: Path) -> None:
    """Take away whatever stands in a file's place; a folder, which may be closed, moves aside."""
    if path.is_dir() and not path.is_symlink():
        path.rename(path.with_name(f"{path.name}.{secrets.token_hex(8)}"))
    path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """Tells the runner things."""

    environ: Mapping[str, str]

    def set_outputs(self, outputs: Mapping[str, str]) -> None:
        """Set the step's outputs; each is one line."""
        delimiter = f"brainbench-{secrets.token_hex(16)}"
        lines = [
            f"{name}<<{delimiter}\n{clean(value, 2000)}\n{delimiter}\n"
            for name, value in outputs.items()
        ]
        self._append("GITHUB_OUTPUT", "".join(lines))

    def write_summary(self, markdown: str) -> None:
        """Add to the job summary."""
        self._append("GITHUB_STEP_SUMMARY", f"{markdown}\n")

    def annotate(self, annotations: Iterable[Annotation]) -> None:
        """Mark lines of files."""
        for one in annotations:
            place = f"file={command_property(one.file)},line={one.line}"
            title = command_property(clean(one.title, 200))
            message = command_value(clean(one.message, 500))
            print(f"::{one.level} {place},title={title}::{message}", flush=True)  # noqa: T201

    def say(self, text: str) -> None:
        """Write to the log, where nothing is taken as a command."""
        print(log_line(text), flush=True)  # noqa: T201

    def warn(self, text: str) -> None:
        """Write one line that the runner shows with the job."""
        print(f"::warning title=BrainBench::{command_value(clean(text, 900))}", flush=True)  # noqa: T201

    def _append(self, variable: str, text: str) -> None:
        path = self.environ.get(variable)
        if path:
            with Path(path).open("a", encoding="utf-8", newline="\n") as file:
                file.write(text)
