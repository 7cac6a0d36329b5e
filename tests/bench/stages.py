"""One run of the gate with a clock around each stage; prints seconds by stage as JSON.

The clocks are put around the product's own functions from outside; time is counted for the
innermost stage only, so that the stages add up to the whole.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import time
from pathlib import Path
from typing import Any

STARTED = time.perf_counter()
STAGES = [
    "import",
    "corpus",
    "seal",
    "server",
    "seed",
    "replay",
    "write-back",
    "score",
    "recall",
    "judge",
    "report",
    "other",
]
seconds: dict[str, float] = dict.fromkeys(STAGES, 0.0)
running: list[str] = ["other"]
last = STARTED


def switch(stage: str | None) -> None:
    """Book the time since the last switch, then enter a stage or leave the present one."""
    global last  # noqa: PLW0603
    now = time.perf_counter()
    seconds[running[-1]] += now - last
    last = now
    if stage:
        running.append(stage)
    else:
        running.pop()


def clock(owner: Any, name: str, stage: str) -> None:
    """Put a clock around a function."""
    function = getattr(owner, name)

    def timed(*args: Any, **kwargs: Any) -> Any:
        switch(stage)
        try:
            return function(*args, **kwargs)
        finally:
            switch(None)

    setattr(owner, name, timed)


def server_kib() -> int:
    """Proportional memory of the server's processes, in KiB; 0 where /proc doesn't tell."""
    from brainbench_gate.bench import launching

    total = 0
    for launch in launching._launched:
        root = launch.pids.server
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                pid, parent = (
                    int(stat.parent.name),
                    int(stat.read_text().rsplit(")", 1)[1].split()[1]),
                )
                if root in (pid, parent):
                    rollup = (stat.parent / "smaps_rollup").read_text()
                    total += int(rollup.split("Pss:")[1].split()[0])
    return total


def main() -> None:
    """Run the gate once and print what its stages took."""
    from brainbench_gate.bench import launching

    launching.prepare(["gate"])
    switch("import")
    from brainbench_gate import judging, run, seal, sides
    from brainbench_gate.bench import measuring, recall, replayed
    from brainbench_gate.cli import invoke
    from brainbench_gate.commands import gate
    from brainbench_replay import harness, postgres
    from brainbench_replay.systems.reflex import memory, store

    switch(None)
    clock(sides, "read_ground", "corpus")
    clock(replayed, "parse_corpus", "corpus")
    clock(postgres.Launch, "conninfo", "server")
    clock(store.Store, "__init__", "server")
    clock(memory.Reflex, "prepare", "seed")
    clock(measuring, "replay", "replay")
    clock(harness, "_write", "write-back")
    clock(measuring, "build_result", "score")
    clock(measuring, "list_failed", "score")
    clock(run, "compare_grounds", "judge")
    clock(run, "decide", "judge")
    clock(gate, "print_judgement", "report")
    clock(recall, "measure", "recall")
    clock(judging, "seal_bench", "seal")
    clock(seal.Seal, "require_unbroken", "seal")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        invoke(["gate", *sys.argv[1:]])
    kib = server_kib()
    switch("server")
    launching.end()
    switch(None)
    switch("other")
    print(json.dumps({"stages": dict(seconds), "server_kib": kib}))


if __name__ == "__main__":
    main()
