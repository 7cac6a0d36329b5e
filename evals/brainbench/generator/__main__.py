"""Build the BrainBench corpus: `python evals/brainbench/generator [--check] [--root DIR]`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from corpus import build_files
from write import find_drift, write_files

CORPUS = Path(__file__).resolve().parent.parent


def main(arguments: list[str]) -> int:
    """Write the corpus, or with `--check` name what drifted; 0 if all is as it should be."""
    parser = argparse.ArgumentParser(prog="generator", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, name what drifted")
    parser.add_argument("--root", type=Path, default=CORPUS, help="folder of the corpus")
    options = parser.parse_args(arguments)
    files = build_files()
    if not options.check:
        write_files(options.root, files)
        return 0
    drift = find_drift(options.root, files)
    sys.stderr.writelines(f"{line}\n" for line in drift)
    return 1 if drift else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
