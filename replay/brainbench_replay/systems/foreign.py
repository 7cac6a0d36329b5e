"""The `result` kind: a foreign runner that replays by itself and writes a result document."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from brainbench_replay.systems.process import Child
from brainbench_replay.systems.surroundings import surround
from brainbench_schema.errors import InvalidInputError, MemorySystemError
from brainbench_schema.files import read_file
from brainbench_schema.result import Result, parse_result

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from brainbench_replay.systems.surroundings import Surroundings
    from brainbench_schema.policy import SystemEntry

GAVE_A_RESULT = (0, 1)
"""Exit codes of the runner contract with which a result was written: pass and regression."""


def run_foreign(
    name: str,
    entry: SystemEntry,
    corpus: Mapping[str, Mapping[str, bytes]],
    *,
    fixtures_hash: str,
    folder: Path,
    include_holdout: bool,
) -> Result:
    """Let a runner measure a corpus, and take its document as it is.

    It is called with ``--fixtures DIR --gold DIR --json --out FILE``. It is no memory: it scores,
    so it is handed the gold.

    Args:
        corpus: File contents by folder (``fixtures``, ``gold``) and name.
        fixtures_hash: What the document must say it measured.
        folder: The folder that the entry's `cwd` is relative to.

    Raises:
        MemorySystemError: It failed, or measured something else.
        InvalidInputError: The document is not what it must be.
    """
    where = f"system {name}"
    own = folder / entry.cwd
    with surround(own, sealed=(), names=entry.env) as surroundings:
        out = surroundings.scratch / "result.json"
        folders = [_lay_out(surroundings.scratch / place, corpus[place]) for place in corpus]
        arguments = ["--fixtures", str(folders[0]), "--gold", str(folders[1])]
        arguments += ["--json", "--out", str(out)]
        if include_holdout:
            arguments.append("--include-holdout")
        _run([*entry.command, *arguments], surroundings, where, entry.timeout_s)
        if not out.is_file():
            raise MemorySystemError(
                "it wrote no result", where=where, advice="write the document to --out FILE"
            )
        result = _read(read_file(out), where)
    if result.receipt.fixtures_hash != fixtures_hash:
        raise MemorySystemError(
            f"its result is for the corpus {result.receipt.fixtures_hash}, not {fixtures_hash}",
            where=where,
            advice="measure the folders that --fixtures and --gold name",
        )
    return result


def _lay_out(folder: Path, files: Mapping[str, bytes]) -> Path:
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def _run(command: list[str], surroundings: Surroundings, where: str, timeout_s: float) -> None:
    with _child(command, surroundings, where) as child:
        deadline = time.monotonic() + timeout_s
        child.end_input(deadline)
        child.read_all(deadline)
        code = child.exit_code(max(deadline - time.monotonic(), 0))
        if code not in GAVE_A_RESULT:
            raise MemorySystemError(
                f"the runner {child.describe_end()}",
                where=where,
                advice="exit 0 (pass) or 1 (regression) once the result is written",
            )


@contextmanager
def _child(command: list[str], surroundings: Surroundings, where: str) -> Iterator[Child]:
    child = Child(command, cwd=surroundings.work, env=surroundings.env, where=where)
    try:
        yield child
    finally:
        child.stop()


def _read(data: bytes, where: str) -> Result:
    try:
        return parse_result(data, f"result of {where}")
    except InvalidInputError as error:
        raise MemorySystemError(
            f"its result is not what it must be: {error}", where=where
        ) from error
