"""Whole-process figures of `run` and `gate`, and the stages of a gate run; medians.

nox -s bench                      the committed corpus, against its own baseline
nox -s bench -- --runs 20
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
STAGES = Path(__file__).with_name("stages.py")
BASE = {"cwd": ROOT, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}


def measure(command: list[str], runs: int) -> tuple[list[tuple[float, float, float]], list[bytes]]:
    """Run a command after one warm-up; gives wall and CPU seconds and peak MB of each run."""
    figures, outputs = [], []
    for number in range(runs + 1):
        started = time.perf_counter()
        with subprocess.Popen(command, **BASE) as process:  # type: ignore[call-overload]
            output = process.stdout.read()
            _, _, usage = os.wait4(process.pid, 0)
            process.returncode = 0
        if number:
            cpu = usage.ru_utime + usage.ru_stime
            figures.append((time.perf_counter() - started, cpu, usage.ru_maxrss / 1024))
            outputs.append(output)
    return figures, outputs


def show(name: str, figures: list[tuple[float, float, float]]) -> None:
    """Print the medians of a command."""
    wall, cpu, peak = (statistics.median(column) for column in zip(*figures, strict=True))
    print(f"{name:24} wall {wall:.3f} s   cpu {cpu:.3f} s   peak {peak:.0f} MB")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    runs = parser.parse_args().runs
    python = [sys.executable, "-m", "brainbench_gate"]
    print(f"medians of {runs} runs after a warm-up, on {os.cpu_count()} cores\n")
    show("brainbench --help", measure([*python, "--help"], runs)[0])
    show("brainbench run", measure([*python, "run", "-q"], runs)[0])
    show("brainbench gate", measure([*python, "gate", "-q"], runs)[0])
    _, outputs = measure([sys.executable, str(STAGES)], runs)
    documents = [json.loads(output.splitlines()[-1]) for output in outputs]
    print("\nstages of a gate run")
    for stage in documents[0]["stages"]:
        taken = statistics.median(document["stages"][stage] for document in documents)
        print(f"  {stage:12} {taken * 1000:6.1f} ms")
    kib = statistics.median(document["server_kib"] for document in documents)
    print(f"  server's own share of memory {kib / 1024:.0f} MB")


if __name__ == "__main__":
    main()
