"""Imports a generated LongMemEval-shaped file of 300 MB: a session of its own.

Run: python tests/recall/slow/large_import.py [MEGABYTES]. Prints JSON; exits 1 when the import
fails or its process needs more than 200 MB of memory.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import IO, Any

LIMIT_MB = 200
SESSIONS = 48
TURNS = 10
PROGRAM = """
import sys
from brainbench_gate.commands.recall import import_source
sys.exit(import_source.main(sys.argv[1:], standalone_mode=False))
"""


def main(megabytes: int = 300) -> int:
    """Run; 0 when within the limit."""
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder, "source.json"), Path(folder, "set.jsonl")
        with source.open("w", encoding="utf-8") as file:
            questions = write_source(file, megabytes * 1_000_000)
        command = [sys.executable, "-c", PROGRAM, "longmemeval", str(source), "--out", str(out)]
        start = perf_counter()
        code = subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode
        peak_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        report = {
            "source_mb": round(source.stat().st_size / 1e6),
            "questions": questions,
            "dataset_mb": round(out.stat().st_size / 1e6) if out.exists() else None,
            "seconds": round(perf_counter() - start, 1),
            "peak_mb": round(peak_mb, 1),
            "exit_code": code,
        }
    sys.stdout.write(f"{json.dumps(report)}\n")
    return int(code != 0 or peak_mb > LIMIT_MB)


def write_source(file: IO[str], size: int) -> int:
    """Write an array of questions of about `size` characters, and give their number."""
    dice = random.Random(7)
    words = [f"word{rank}" for rank in range(5000)]
    written = count = 0
    file.write("[")
    while written < size:
        text = json.dumps(_question(count, dice, words))
        written += file.write(f",\n{text}" if count else text)
        count += 1
    file.write("]\n")
    return count


def _question(number: int, dice: random.Random, words: list[str]) -> dict[str, Any]:
    ids = [f"s_{number}_{index}" for index in range(SESSIONS - 1)] + [f"answer_{number}_1"]
    sessions = [[_turn(dice, words, turn) for turn in range(TURNS)] for _ in ids]
    sessions[-1][0]["has_answer"] = True
    return {
        "question_id": f"q{number}",
        "question_type": "multi-session",
        "question": "Which word stood first?",
        "answer": number,
        "question_date": "2023/06/30 (Fri) 21:56",
        "haystack_session_ids": ids,
        "haystack_dates": [f"2023/05/{1 + index % 28:02} (Tue) 21:56" for index in range(SESSIONS)],
        "haystack_sessions": sessions,
        "answer_session_ids": ids[-1:],
    }


def _turn(dice: random.Random, words: list[str], number: int) -> dict[str, Any]:
    role = "assistant" if number % 2 else "user"
    return {"role": role, "content": " ".join(dice.choices(words, k=120))}


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
