"""`brainbench ratchet`: bank improvements, so that they can't be lost unseen."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from brainbench_gate.blessing import Blessing, bless_tree, describe_blessing, judge_blessing
from brainbench_gate.checks.committed import find_unbacked
from brainbench_gate.commands import options
from brainbench_gate.commands.bless import write_files
from brainbench_gate.commands.gate import choose_bench
from brainbench_gate.judging import seal_bench
from brainbench_gate.policy_edit import set_numbers
from brainbench_gate.ratcheting import find_worse, tighten_floors
from brainbench_gate.refusals import refuse_broken, require_ground
from brainbench_gate.rules import Verdict
from brainbench_gate.sides import Sides, open_sides
from brainbench_schema.errors import BrainbenchError
from brainbench_schema.files import read_file, write_file
from brainbench_schema.numbers import format_number
from brainbench_schema.policy import POLICY_FILE, Policy

if TYPE_CHECKING:
    from pathlib import Path

    from brainbench_gate.ground import Ground
    from brainbench_gate.verdict import BenchmarkVerdict

SHOWN = 10


@click.command(epilog="Example: brainbench ratchet --floors")
@click.option("--floors", "raises_floors", is_flag=True, help="Also tighten the policy's floors.")
@click.option("--base", "base_name", help="Commit to compare with; default: the default branch.")
@options.results
@options.repo
@options.database_url
@options.quiet
def ratchet(
    *,
    raises_floors: bool,
    base_name: str | None,
    results: tuple[Path, ...],
    repo: Path | None,
    database_url: str | None,
    quiet: bool,
) -> None:
    """Write the baseline and items file of a run that is better, and in nothing worse."""
    folder = options.find_repo(repo)
    with open_sides(folder, base_name=base_name, environ=os.environ) as sides:
        bench = seal_bench(
            choose_bench(sides, results, database_url=database_url, quiet=quiet), folder, sides
        )
        blessings = []
        for one in sides.all:
            require_baseline(one.tree)
            blessing = bless_tree(one.tree, one.base, bench, one.terms, justification=None)
            verdict = judge_blessing(blessing, one.tree, one.base, bench, one.terms)
            refuse_worse(one, blessing, verdict)
            blessings.append((one, blessing))
    edited = None
    if raises_floors:
        edited = read_file(folder / POLICY_FILE)
        for one, blessing in blessings:
            edited = edit_floors(edited, require_baseline(one.tree), blessing) or edited
    for one, blessing in blessings:
        bank(folder, one.tree, require_baseline(one.tree), blessing)
    if edited is not None:
        write_file(folder / POLICY_FILE, edited)


def require_baseline(tree: Ground) -> Policy:
    """Give the tree's policy; stop where there is no baseline to improve on, or none to read.

    Raises:
        BrainbenchError: Policy, corpus or baseline isn't there, or one of the files is broken.
    """
    refuse_broken(tree)
    policy, _ = require_ground(tree, POLICY_FILE)
    if tree.baseline is None:
        raise BrainbenchError(
            "there is no baseline to improve on",
            where=policy.baseline,
            advice="make the first one with `brainbench bless`",
        )
    return policy


def refuse_worse(sides: Sides, blessing: Blessing, verdict: BenchmarkVerdict) -> None:
    """Stop where anything is worse than the tree's baseline or than base's."""
    worse = list(find_worse(sides.tree, blessing.baseline, blessing.items))
    worse += [
        f"{breach.cell} {breach.metric}, against {sides.provenance.base_ref or 'the base'}"
        for breach in verdict.breaches
    ]
    if worse:
        told = "\n".join(f"  {line}" for line in worse[:SHOWN])
        more = f"\n  and {len(worse) - SHOWN} more" if len(worse) > SHOWN else ""
        what = "1 number or item" if len(worse) == 1 else f"{len(worse)} numbers and items"
        raise BrainbenchError(
            f"nothing was written: the run is worse in {what}\n{told}{more}",
            advice="mend it, or record why it is worth it: `brainbench bless --justification`",
        )
    if verdict.verdict is not Verdict.PASS:
        raise BrainbenchError(
            f"nothing was written: the gate would not let this merge ({verdict.reason})",
            advice="see why with `brainbench gate`",
        )


def bank(folder: Path, tree: Ground, policy: Policy, blessing: Blessing) -> None:
    """Write both files and say what moved, or say that there is nothing to bank."""
    if not list(find_unbacked(tree, policy, blessing.baseline, blessing.items)):
        click.echo(f"nothing to bank: {policy.baseline} equals this run")
        return
    write_files(folder, policy, blessing)
    click.echo(f"wrote {policy.baseline} and {policy.items}")
    for line in describe_blessing(tree, blessing):
        click.echo(f"- {line}")


def edit_floors(data: bytes, policy: Policy, blessing: Blessing) -> bytes | None:
    """Tighten the floors of a policy to a run's numbers; None where none gets stricter."""
    if not policy.floors:
        raise BrainbenchError(
            "nothing was written: the policy sets no floors that could be tightened",
            where=POLICY_FILE,
            advice="write one first, such as `floors: {push_precision: 0.9}`",
        )
    tightened = tighten_floors(policy, blessing.baseline)
    for keys, value in tightened.items():
        click.echo(f"floor {' '.join(keys[1:])}: {format_number(value)}")
    if not tightened:
        click.echo("no floor can be tighter")
        return None
    return set_numbers(data, tightened)
