"""The runs that checks compare: main's, a better and a worse one, one on another corpus."""

from __future__ import annotations

from tests.gate.documents import PUSH, TWO, baseline, run_of, survey

MAIN = run_of()
BETTER = run_of(
    baseline({PUSH: {"push_precision": 1, "push_recall": 1}}, {PUSH: (4, 0)}), {PUSH: ()}
)
WORSE = run_of(
    baseline({PUSH: {"push_precision": 1, "push_recall": 0.5}}, {PUSH: (4, 2)}),
    {PUSH: ("f#1:a", "f#2:b")},
)
NEW = run_of(
    baseline(fixtures_hash=TWO),
    {PUSH: ("g#1:a",)},
    surveyed=survey("f#2:b", "f#3:c", "f#4:d", "g#1:a", fixtures_hash=TWO),
)
