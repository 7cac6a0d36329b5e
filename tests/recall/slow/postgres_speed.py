"""Times 1,000 queries over 100,000 memories with the postgres adapter: a session of its own.

Run: python tests/recall/slow/postgres_speed.py [MEMORIES [QUERIES]]. Runs `brainbench recall`
with a tenth of the queries and with all of them, prints JSON, and exits 1 when the run takes a
minute or more, or needs more than 16 MB more for ten times the queries.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

LIMIT_S = 60
GROWTH_MB = 16
VOCABULARY = 30_000
PROGRAM = """
import resource, sys
from brainbench_gate.bench import launching
from brainbench_gate.commands.recall import recall
try:
    recall.main(sys.argv[1:], standalone_mode=False)
finally:
    launching.end()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, file=sys.stderr)
"""


def main(memories: int = 100_000, queries: int = 1_000) -> int:
    """Run; 0 when within the limits."""
    dice = random.Random(7)
    words = [f"word{rank}" for rank in range(VOCABULARY)]
    weights = [1 / (rank + 3) for rank in range(VOCABULARY)]
    notes = [_note(number, dice.choices(words, weights, k=25)) for number in range(memories)]
    asked = [_query(number, dice.choices(words, weights, k=8)) for number in range(queries)]
    _, fewer_mb, _ = _run(notes, asked[: queries // 10])
    seconds, peak_mb, latency_ms = _run(notes, asked)
    report = {
        "memories": memories,
        "queries": queries,
        "seconds": round(seconds, 1),
        "latency_ms": latency_ms,
        "peak_mb": round(peak_mb, 1),
        "peak_mb_with_a_tenth_of_the_queries": round(fewer_mb, 1),
    }
    sys.stdout.write(f"{json.dumps(report)}\n")
    return int(seconds >= LIMIT_S or peak_mb - fewer_mb > GROWTH_MB)


def _run(notes: list[dict[str, Any]], asked: list[dict[str, Any]]) -> tuple[float, float, float]:
    """Give seconds, peak memory in MB and mean latency of one run."""
    with tempfile.TemporaryDirectory() as folder:
        dataset, output = Path(folder, "set.jsonl"), Path(folder, "result.json")
        line = {"session_id": "s1", "memories": notes, "queries": asked}
        dataset.write_text(f"{json.dumps(line)}\n", "utf-8")
        options = ["--adapter", "postgres", "--dataset", str(dataset), "--output", str(output)]
        start = perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, "-q", *options],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        seconds = perf_counter() - start
        rows = json.loads(output.read_bytes())["item_rows"]
    latency_ms = sum(row["evidence"]["latency_ms"] for row in rows) / len(rows)
    return seconds, float(done.stderr), round(latency_ms, 1)


def _note(number: int, words: list[str]) -> dict[str, Any]:
    return {"memory_id": f"m{number}", "timestamp": None, "text": " ".join(words)}


def _query(number: int, words: list[str]) -> dict[str, Any]:
    return {
        "query_id": f"q{number}",
        "query_text": " ".join(words),
        "expected_answer": None,
        "query_type": "retrieval",
        "required_memory_ids": ["m0"],
    }


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
