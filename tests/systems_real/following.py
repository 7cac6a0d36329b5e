"""Follows a page of documentation literally: writes its files, types its commands."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DOCS = Path(__file__).parents[2] / "docs"
_BLOCK = re.compile(r"^```(\S*)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A fenced block: a file to write, or commands with what they print."""

    language: str
    path: str
    text: str


def read_blocks(page: str) -> Iterator[Block]:
    """Give the blocks of a page that are to be followed, in order."""
    for language, path, text in _BLOCK.findall((DOCS / page).read_text("utf-8")):
        if path or language == "console":
            yield Block(language=language, path=path, text=text)


def follow(page: str, folder: Path, env: Mapping[str, str]) -> None:
    """Do what a page says, in one shell session that starts in a folder.

    Raises:
        AssertionError: A command failed, or did not print what the page shows.
    """
    with Shell(folder, env) as shell:
        for block in read_blocks(page):
            if block.path:
                place = shell.folder() / block.path
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(block.text, "utf-8")
            else:
                _type(shell, block.text)


def _type(shell: Shell, text: str) -> None:
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        code, printed = shell.run(command)
        assert code == 0, f"{command}\n{printed}"
        for line in shown.splitlines():
            assert line.strip() in printed, f"{command}\nshould print {line!r}:\n{printed}"


class Shell:
    """One shell that keeps its folder and variables between commands."""

    def __init__(self, folder: Path, env: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            ["sh"],
            cwd=folder,
            env=dict(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, command: str) -> tuple[int, str]:
        """Run a command; give its exit code and all that it printed."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin
        assert stdout
        # A group in braces keeps `cd` and `export`, and takes its input from nowhere.
        stdin.write(f'{{ {command}\n}} < /dev/null\necho "=== $?"\n')
        stdin.flush()
        printed: list[str] = []
        for line in stdout:
            if line.startswith("=== "):
                return int(line.split()[1]), "".join(printed)
            printed.append(line)
        raise AssertionError(f"the shell ended at: {command}\n{''.join(printed)}")

    def folder(self) -> Path:
        """Give the folder that it is in."""
        return Path(self.run("pwd")[1].strip())

    def __enter__(self) -> Shell:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.communicate()
