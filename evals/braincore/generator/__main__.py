"""Writes the dataset, or tells whether the committed one is what would be written."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from sessions import build_all

DATASET = Path(__file__).parents[1] / "synthetic_benchmark.jsonl"


def main() -> int:
    """Run; 0 when all is well, 2 when the committed dataset differs."""
    parser = argparse.ArgumentParser(prog="python evals/braincore/generator", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--out", type=Path, default=DATASET, help="default: the committed file")
    arguments = parser.parse_args()
    data = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in build_all()).encode()
    if not arguments.check:
        arguments.out.write_bytes(data)
        return 0
    committed = (
        arguments.out.read_bytes().replace(b"\r\n", b"\n") if arguments.out.exists() else b""
    )
    if committed == data:
        return 0
    print(f"{arguments.out} is not what the generator writes: run it and commit", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
