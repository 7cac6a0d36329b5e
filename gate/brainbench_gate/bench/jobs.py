"""One run in several processes at once: each replays a shard, and the shards are merged."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from brainbench_gate.bench.merging import Part, merge_parts
from brainbench_replay.sharding import number_groups
from brainbench_schema.errors import BrainbenchError
from brainbench_schema.result import parse_result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from brainbench_replay.corpus import Corpus
    from brainbench_schema.result import Result

END_S = 10
"""How long a process gets to clean up after it was told to end, in seconds."""


def run_jobs(arguments: Sequence[str], jobs: int, corpus: Corpus, *, holdout: bool) -> Result:
    """Replay a corpus in several processes.

    Args:
        arguments: The command line of the run; each process gets it with a shard of its own.
        jobs: Processes at once; no more than the corpus has parts.
        holdout: Whether held-out fixtures are included.

    Raises:
        BrainbenchError: One of them failed; the others are ended.
    """
    jobs = min(jobs, len(set(number_groups(corpus.select(include_holdout=holdout)))))
    with tempfile.TemporaryDirectory(prefix="brainbench-jobs-") as name:
        folder = Path(name)
        running = [_start(arguments, f"{one}/{jobs}", folder) for one in range(1, jobs + 1)]
        try:
            for place, process in enumerate(running, 1):
                _wait(process, folder / f"{place}.log")
        finally:
            _end(running)
        files = [folder / f"{place}.json" for place in range(1, jobs + 1)]
        parts = [Part(name=f.name, result=parse_result(f.read_bytes(), f.name)) for f in files]
    merged = merge_parts(parts, corpus)
    return replace(merged, receipt=replace(merged.receipt, cmd_args=tuple(arguments)))


def _start(arguments: Sequence[str], shard: str, folder: Path) -> subprocess.Popen[bytes]:
    place = shard.split("/", 1)[0]
    own = ["--jobs", "1", "--shard", shard, "--out", str(folder / f"{place}.json"), "--quiet"]
    with (folder / f"{place}.log").open("wb") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "brainbench_gate", *arguments, *own],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
        )


def _wait(process: subprocess.Popen[bytes], log: Path) -> None:
    if process.wait() == 0:
        return
    told = log.read_text("utf-8", "replace").strip().removeprefix("brainbench: ")
    raise BrainbenchError(told or f"a process of the run ended with code {process.returncode}")


def _end(running: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in running:
        process.terminate()
    for process in running:
        try:
            process.wait(END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
