"""`brainbench compare`: the core rules on two files; no run, no database, no added checks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from brainbench_gate.commands import options
from brainbench_gate.judging import require_reason
from brainbench_gate.report.markdown import describe_breach
from brainbench_gate.rules import Judgement, judge
from brainbench_gate.verdict import EXIT_CODES
from brainbench_schema.baseline import parse_baseline
from brainbench_schema.files import read_file

if TYPE_CHECKING:
    from pathlib import Path

    from brainbench_schema.baseline import Baseline


@click.command(epilog="Example: brainbench compare main.json mine.json --json")
@click.argument("base", type=options.FILE)
@click.argument("current", type=options.FILE)
@click.option("--committed-baseline", type=options.FILE, help="The working tree's baseline.")
@click.option("--allow-regression", "allowance", metavar="REASON", help="Let breaches pass.")
@options.as_json
def compare(
    *,
    base: Path,
    current: Path,
    committed_baseline: Path | None,
    allowance: str | None,
    as_json: bool,
) -> int:
    """Apply the core rules to two baseline files."""
    require_reason(allowance)
    judgement = judge(
        _read(current),
        _read(base),
        _read(committed_baseline) if committed_baseline else None,
        allowance=allowance,
    )
    click.echo(_as_json(judgement) if as_json else _as_text(judgement))
    return EXIT_CODES[judgement.verdict]


def _read(path: Path) -> Baseline:
    return parse_baseline(read_file(path), str(path))


def _as_json(judgement: Judgement) -> str:
    document = {
        "verdict": judgement.verdict.value,
        "mode": judgement.mode.value,
        "breaches": [
            {name: getattr(breach, name) for name in ("cell", "metric", "baseline", "current")}
            for breach in judgement.breaches
        ],
        "notes": list(judgement.notes),
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def _as_text(judgement: Judgement) -> str:
    lines = [f"{judgement.verdict.value} ({judgement.mode.value})"]
    lines += [f"- {describe_breach(breach)}" for breach in judgement.breaches]
    return "\n".join([*lines, *(f"note: {note}" for note in judgement.notes)])
