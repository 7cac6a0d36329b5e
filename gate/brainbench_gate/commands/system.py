"""`brainbench system`: check a memory system, list those that can be named, start a new one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from brainbench_gate.bench import measuring
from brainbench_gate.commands import options
from brainbench_gate.commands.run import find_policy
from brainbench_gate.commands.writing import write_files
from brainbench_gate.scaffold import STUB_FOLDER, Language, stub_path, write_entry, write_stub
from brainbench_gate.system_check import CheckReport, check_system
from brainbench_replay.systems.entries import BUILT_IN, find_entry
from brainbench_replay.systems.wire import load_protocol_schema
from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from pathlib import Path

    from brainbench_schema.policy import Policy

LANGUAGES = click.Choice([language.value for language in Language])


@click.group(epilog="Example: brainbench system check command:'node memory.mjs'")
def system() -> None:
    """Check, list and start memory systems."""


@system.command(epilog="Example: brainbench system check python:pkg.memory:make")
@click.argument("spec", required=False)
@options.as_json
@options.repo
@options.database_url
def check(*, spec: str | None, as_json: bool, repo: Path | None, database_url: str | None) -> int:
    """Hold SPEC against the protocol, ask it a tiny corpus, and tell what is missing.

    SPEC is a built-in name, a name from the policy, or command:…, python:module:factory, hook:…,
    mcp:…; default: the policy's system.
    """
    folder = options.find_repo(repo)
    policy = find_policy(folder)
    name = spec or (policy.system if policy else "reflex")
    report = check_system(_plan(name, folder, policy, database_url))
    click.echo(json.dumps(report.to_json(), indent=2) if as_json else _render(report))
    return 0 if report.conforms else 2


def _plan(
    name: str, folder: Path, policy: Policy | None, database_url: str | None
) -> measuring.Plan:
    return measuring.Plan(
        system=name,
        systems=policy.systems if policy else {},
        folder=folder,
        sealed=measuring.seal(folder, policy) if policy else (),
        database_url=database_url,
    )


def _render(report: CheckReport) -> str:
    lines = [f"{report.name} {report.version} ({report.kind})"]
    lines += [f"{'ok  ' if step.passed else 'FAIL'}  {step.name}" for step in report.steps]
    lines += [f"        {line}" for step in report.steps for line in step.text.splitlines()]
    lines += [f"skip  {reason}" for reason in report.skipped]
    if report.items:
        lines.append(f"tiny corpus: {report.items - len(report.failed)} of {report.items} items")
        lines += [f"miss  {item}" for item in report.failed]
    lines.append("conforms" if report.conforms else "does not conform yet")
    return "\n".join(lines)


@system.command("list", epilog="Example: brainbench system list")
@options.repo
def list_systems(*, repo: Path | None) -> int:
    """List the systems that can be named: those of the policy, and the built-in ones."""
    policy = find_policy(options.find_repo(repo))
    declared = policy.systems if policy else {}
    for name in [*sorted(declared), *(name for name in BUILT_IN if name not in declared)]:
        _, entry = find_entry(name, declared)
        mark = "*" if policy and policy.system == name else " "
        click.echo(f"{mark} {name}  {entry.kind if name in declared else 'built-in'}")
    return 0


@system.command(epilog="Example: brainbench system new --language node")
@click.option("--language", type=LANGUAGES, required=True, help="Language of the memory.")
@click.option("--folder", default=STUB_FOLDER, show_default=True, help="Where to write it.")
@options.repo
def new(*, language: str, folder: str, repo: Path | None) -> int:
    """Write a starter memory that passes the tiny corpus, to be replaced by your own."""
    chosen, root = Language(language), options.find_repo(repo)
    path = stub_path(chosen, folder)
    if write_files(root, {path: write_stub(chosen)}):
        click.echo(f"wrote {path}")
    click.echo(f"Declare it in {POLICY_FILE}:\n\nsystem: mine\nsystems:\n  mine:")
    click.echo(write_entry(chosen, folder))
    click.echo("\nThen: brainbench system check mine")
    return 0


@system.command(epilog="Example: brainbench system schema > protocol.schema.json")
def schema() -> int:
    """Print the JSON Schema of the protocol."""
    click.echo(json.dumps(load_protocol_schema(), indent=2))
    return 0
