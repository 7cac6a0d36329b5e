"""The command line: names and order of the commands; each is imported when it is called."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

import click

from brainbench_gate.exits import EXIT_ERROR
from brainbench_schema.errors import BrainbenchError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = {
    "run": ("run", "run", "Replay a corpus and print the scoreboard."),
    "gate": ("gate", "gate", "Replay and judge against the base branch."),
    "judge": ("judge", "judge", "Judge results that were measured elsewhere."),
    "publish": ("publish", "publish", "Tell GitHub: the step of the action."),
    "compare": ("compare", "compare", "Apply the core rules to two files."),
    "bless": ("bless", "bless", "Replay and write the baseline."),
    "ratchet": ("ratchet", "ratchet", "Bank improvements."),
    "explain": ("explain", "explain", "Say why an item fails."),
    "doctor": ("doctor", "doctor", "Find what could keep the gate from working."),
    "corpus": ("corpus", "corpus", "Check a corpus, print its hash."),
    "system": ("system", "system", "Check, list and start memory systems."),
    "init": ("init", "init", "Write what a repository needs, and a first baseline."),
    "merge": ("merge", "merge", "Put the shards of a run together."),
    "show": ("show", "show", "Print the scoreboard of a result."),
    "report": ("show", "report", "Write a result as an HTML page."),
    "runs": ("show", "runs", "List the results in a folder."),
    "history": ("history", "history", "Show how the accepted numbers moved."),
    "audit": ("history", "audit", "List every justification and what it covered."),
    "recall": ("recall", "recall", "Run the second benchmark, BrainCore."),
    "import": ("recall", "import_source", "Make a BrainCore dataset of another benchmark's file."),
}
"""Command → module of `brainbench_gate.commands`, attribute, and its line in the overview."""


class LazyGroup(click.Group):
    """Imports a command's module when the command is called, not to list it."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Name the commands in the order of the overview."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        command = getattr(import_module(f"brainbench_gate.commands.{module}"), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the overview without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, _, line) in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 pass, 1 regression (gate, judge, compare), 2 otherwise.",
)
@click.version_option(package_name="brainbench-gate", prog_name="brainbench")
def brainbench() -> None:
    """The gate that keeps agent memory from getting worse.

    Example: brainbench gate
    """


def invoke(arguments: Sequence[str]) -> int:
    """Run one command line.

    Returns:
        The exit code: what the command gave, or 2 for what was refused.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", newline="\n")
    try:
        code = brainbench.main(
            list(arguments),
            prog_name="brainbench",
            standalone_mode=False,
            obj=tuple(arguments),
        )
    except click.ClickException as error:
        error.show()
        return EXIT_ERROR
    except click.Abort:
        raise KeyboardInterrupt from None
    except BrainbenchError as error:
        click.echo(f"brainbench: {error}", err=True)
        return EXIT_ERROR
    return code if isinstance(code, int) else 0
