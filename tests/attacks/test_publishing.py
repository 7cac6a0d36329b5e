"""Attacks by way of what is published, and of what one job takes from another."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

import pytest
from tests.attacks.rows import row
from tests.gate.worlds import World, memory
from tests.report.pages import require_inert

from brainbench_gate.action.artifact import read_results
from brainbench_gate.action.inputs import Inputs
from brainbench_gate.report.account import Account
from brainbench_gate.report.rendering import render_comment
from brainbench_gate.report.sections import marker
from brainbench_schema.errors import InvalidInputError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

WORSE = memory(deaf=["Cyd Moon", "Bob Ray"])
NASTY = [
    "a | b || c",
    "`code` ``` fence",
    "<img src=x onerror=alert(1)> <!-- hidden -->",
    "@team and @ada/all",
    "[link](https://example.org) ![image](https://example.org/x.png) https://example.org/y",
    "\u202etxt.exe \u2067rtl\u2069",
    "🎉 emoji \U0001f469\u200d\U0001f4bb",
    "line one\nline two\r\n\x1b[31mred",
]


@row(25)
@pytest.mark.parametrize("text", NASTY)
def test_no_text_breaks_out_of_the_comment(tmp_path: Path, text: str) -> None:
    """The table stays whole, nobody is pinged, nothing is fetched."""
    world, reason = World(tmp_path), f"push_recall is traded: {text} {marker('main')}"
    judged = world.judge(world.propose(WORSE, bless=reason)).judged
    assert judged is not None
    runs = tuple(judged.list_runs())
    require_inert(render_comment(Account(document=judged.document, version="1.0", runs=runs)))


def packed(**files: bytes) -> bytes:
    """A ZIP file of these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


@row(28)
@pytest.mark.parametrize(
    "data",
    [packed(**{"/etc/passwd": b"{}"}), packed(**{"result.json/..": b"{}"}), b"PK is no archive"],
)
def test_an_odd_archive_is_refused(data: bytes) -> None:
    """Names that lead elsewhere, and what is no ZIP file at all."""
    with pytest.raises(InvalidInputError):
        read_results(data, "brainbench-main")


@row(29)
@pytest.mark.parametrize("value", ['"; rm -rf /', "${{ secrets.TOKEN }}", "a\nb", "../up", "/abs"])
def test_an_odd_input_stays_a_value(value: str) -> None:
    """A place that leaves the checkout is refused; any other text is only ever compared."""
    inputs = Inputs.from_environ({"BRAINBENCH_INPUT_SYSTEM": value})
    assert value == inputs.system
    for name in ("CONFIG", "WORKING_DIRECTORY"):
        if value.startswith(("/", "..")) or "\n" in value:
            with pytest.raises(UsageError):
                Inputs.from_environ({f"BRAINBENCH_INPUT_{name}": value})
        else:
            assert value in vars_of(Inputs.from_environ({f"BRAINBENCH_INPUT_{name}": value}))


def vars_of(inputs: Inputs) -> list[str]:
    """The values of all inputs."""
    return [str(getattr(inputs, name)) for name in inputs.__dataclass_fields__]
