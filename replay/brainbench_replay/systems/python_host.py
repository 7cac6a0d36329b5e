"""The `python` kind: which interpreter runs the memory, and the command that hosts it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from brainbench_schema.policy import SystemEntry

HOST_FILE = "host.py"
SCRIPTS = "Scripts" if os.name == "nt" else "bin"


def find_interpreter(own: Path, environ: Mapping[str, str] = os.environ) -> str:
    """Find the interpreter of a memory: never that of the gate where there is another.

    Args:
        own: The folder that its entry calls `cwd`.

    Returns:
        That of ``VIRTUAL_ENV`` unless the gate itself runs there, else of ``.venv`` or ``venv``
        in the folder, else of ``VIRTUAL_ENV``, else ``python3`` on the path, else this project's
        interpreter.
    """
    active = [Path(environ["VIRTUAL_ENV"])] if environ.get("VIRTUAL_ENV") else []
    apart = [folder for folder in active if folder.resolve() != Path(sys.prefix).resolve()]
    for folder in (*apart, own / ".venv", own / "venv", *active):
        program = folder / SCRIPTS / "python"
        if os.access(program, os.X_OK):
            return str(program)
    return shutil.which("python3", path=environ.get("PATH")) or sys.executable


def host_command(entry: SystemEntry, own: Path, scratch: Path) -> list[str]:
    """Give the command that hosts a factory; `command` in the entry names the interpreter.

    The host file is copied: its own place would lead to the corpora that ship beside it.
    """
    host = scratch / HOST_FILE
    shutil.copyfile(Path(__file__).with_name(HOST_FILE), host)
    interpreter = entry.command or (find_interpreter(own),)
    assert entry.factory is not None
    return [*interpreter, "-B", str(host), entry.factory]
