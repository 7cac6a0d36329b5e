"""`brainbench doctor`: what could keep the gate from working here, and what to do about it."""

from __future__ import annotations

import json
import os
from pathlib import Path  # noqa: TC003

import click

from brainbench_gate.commands import options
from brainbench_gate.doctor import Level, Setting, examine
from brainbench_schema.policy import POLICY_FILE

MARKS = {Level.GOOD: "✓", Level.ADVICE: "•", Level.STOPS: "✗"}


@click.command(epilog="Example: brainbench doctor --repo .")
@click.option("--config", default=POLICY_FILE, help="The policy's path in the folder.")
@options.as_json
@options.repo
def doctor(*, config: str, as_json: bool, repo: Path | None) -> int:
    """Examine this machine, repository and workflows; exit 2 if something stops the gate."""
    setting = Setting(folder=options.find_repo(repo), policy_file=config, environ=os.environ)
    found = examine(setting)
    if as_json:
        click.echo(json.dumps([one.to_json() for one in found], indent=2, ensure_ascii=False))
    else:
        for one in found:
            click.echo(f"{MARKS[one.level]} {one.name}: {one.text}")
            if one.advice:
                click.echo(f"    → {one.advice}")
    return 2 if any(one.level is Level.STOPS for one in found) else 0
