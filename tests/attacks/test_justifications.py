"""Attacks by way of the recorded reason, and of the flag that stands in for one."""

from __future__ import annotations

import html
import json
import re
from typing import TYPE_CHECKING

import pytest
from tests.attacks.rows import row
from tests.gate.worlds import BASELINE, ITEMS, TREE, World, asks, memory

from brainbench_gate.report.account import Account
from brainbench_gate.report.markdown import render_report
from brainbench_gate.report.rendering import render_comment
from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from pathlib import Path

REASON = "push_recall: Bob Ray is rarely asked for, and precision gains"
WORSE = memory(deaf=["Cyd Moon", "Bob Ray"])
WORST = memory(deaf=["Cyd Moon", "Bob Ray", "Ada Byron"])


@row(10)
def test_the_reason_of_main_does_not_serve_twice(tmp_path: Path) -> None:
    """It was written for an older baseline of main."""
    world = World(tmp_path)
    first = world.propose(WORSE, bless=REASON)
    assert 0 == world.judge(first).code
    world.merge(first)
    world.origin.branch("topic", "main")
    world.origin.commit(WORST)
    files = world.blessed(REASON, base="main")
    items = world.origin.git("show", f"main:{ITEMS}")
    stale = files[ITEMS].decode().replace(_against(files[ITEMS].decode()), _against(items))
    found = world.judge(world.origin.commit({BASELINE: files[BASELINE], ITEMS: stale}))
    assert (1, "justification-stale") == (found.code, found.reason)


@row(10)
def test_the_reason_of_main_does_not_cover_untouched_files(tmp_path: Path) -> None:
    """Files that are main's own bring no reason of their own."""
    world = World(tmp_path)
    world.merge(world.propose(WORSE, bless=REASON))
    found = world.judge(world.propose(WORST))
    assert 1 == found.code


@row(10)
@pytest.mark.parametrize("depth", [2, None])
def test_the_reason_of_main_covers_no_other_items_at_level_numbers(
    tmp_path: Path, depth: int | None
) -> None:
    """One item fixed, one broken, all numbers equal: main's baseline backs the run byte for byte.

    The items file alone changes, and is made to say that the reason was written for main's
    baseline. A shallow clone must see as well as a full one that main has it already.
    """
    world = World(tmp_path, {**TREE, **asks("eve", "Eve Oak")})
    world.origin.commit(world.blessed())
    world.merge(world.propose(WORSE, bless=REASON))
    world.origin.branch("topic", "main")
    world.origin.commit(memory(deaf=["Cyd Moon", "Eve Oak"]))
    files = world.blessed(REASON, base="main")
    assert world.origin.git("show", f"main:{BASELINE}").encode() + b"\n" == files[BASELINE]
    items = json.loads(files[ITEMS]) | {"against": world.origin.id(f"main:{BASELINE}")}
    head = world.origin.commit({**files, ITEMS: json.dumps(items)})
    world.origin.checkout("main")
    found = world.judge(head, depth=depth)
    assert (1, "justification-stale") == (found.code, found.reason)


@row(11)
@pytest.mark.parametrize(
    "text",
    [
        " ",
        "\t\n",
        "x",
        "fix",
        "todo",
        "ok ok ok",
        "a b c d e f g h i j",
        "１２３ ４５６ ７８９ ０００",
        "todo todo todo todo fix",
        "codex/push push_recall openclaw/push",
    ],
)
def test_a_placeholder_is_no_reason(tmp_path: Path, text: str) -> None:
    """Three words and fifteen letters are asked for."""
    world = World(tmp_path)
    found = world.judge(world.propose(WORSE, bless=text))
    assert (1, "regression") == (found.code, found.reason)


@row(11)
def test_the_gates_own_words_are_no_reason(tmp_path: Path) -> None:
    """What it prints to be typed holds the names; the why is left to whoever types it."""
    world = World(tmp_path)
    judged = world.judge(world.propose(WORSE)).judged
    assert judged is not None
    typed = re.search(r'bless --justification "(.+)"', render_report(judged.document))
    account = Account(document=judged.document, version="1.0")
    pasted = re.search(r"--justification '(.+)'", html.unescape(render_comment(account)))
    assert typed is not None
    assert pasted is not None
    for text in (typed[1], pasted[1]):
        found = world.judge(world.propose(WORSE, bless=text))
        assert (1, "regression") == (found.code, found.reason)
    found = world.judge(world.propose(WORSE, bless=f"{typed[1]} it answers sooner"))
    assert 0 == found.code


@row(12)
def test_a_leak_can_not_be_justified(tmp_path: Path) -> None:
    """No reason lifts a page of a source that was not active."""
    world = World(tmp_path)
    leaky = memory(deaf=["Cyd Moon"], leaky=True)
    reason = "source_isolation_violations: we want pages of every source to come"
    found = world.judge(world.propose(leaky, bless=reason))
    assert (1, "isolation") == (found.code, found.reason)
    assert "apart#2 on codex: people/carol-poe" in found.lines


@row(12)
def test_a_leak_that_main_has_already_blocks_too(tmp_path: Path) -> None:
    """Whatever any baseline says."""
    world = World(tmp_path)
    world.merge(world.propose(memory(leaky=True), bless="an administrator let this through"))
    found = world.judge(world.propose({"README.md": "a word"}))
    assert (1, "isolation") == (found.code, found.reason)


@row(32)
@pytest.mark.parametrize("environ", [{}, {"CI": ""}, {"CI": "1"}])
def test_the_flag_is_refused_in_ci(tmp_path: Path, environ: dict[str, str]) -> None:
    """It is for local trials; a workflow that unsets CI is a workflow all the same."""
    world = World(tmp_path)
    found = world.judge(world.propose(WORSE), allowance="let me through please", environ=environ)
    assert (2, "usage") == (found.code, found.reason)


@row(44)
def test_a_revert_brings_back_no_reason(tmp_path: Path) -> None:
    """The reason that stood on main before is stale for what stands there now."""
    world = World(tmp_path)
    world.merge(world.propose(WORSE, bless=REASON))
    old = {path: world.origin.git("show", f"main:{path}") for path in (BASELINE, ITEMS)}
    world.merge(world.propose(memory(deaf=["Cyd Moon"]), bless=True))
    found = world.judge(world.propose({**WORSE, **old}))
    assert (1, "justification-stale") == (found.code, found.reason)


@row(44)
def test_two_reasons_used_in_turn_are_both_stale(tmp_path: Path) -> None:
    """Another text than main's is not enough."""
    world = World(tmp_path)
    world.merge(world.propose(WORSE, bless=REASON))
    first = world.origin.git("show", f"main:{ITEMS}")
    world.merge(world.propose(WORST, bless="push_recall: Ada Byron went the same way"))
    world.origin.branch("topic", "main")
    world.origin.commit(memory(deaf=["Cyd Moon", "Bob Ray", "Ada Byron", "Dora Lim"]))
    files = world.blessed(REASON, base="main")
    items = files[ITEMS].decode().replace(_against(files[ITEMS].decode()), _against(first))
    found = world.judge(world.origin.commit({BASELINE: files[BASELINE], ITEMS: items}))
    assert (1, "justification-stale") == (found.code, found.reason)


def _against(items: str) -> str:
    """The line that says which baseline a reason was written for."""
    return next(line for line in items.splitlines() if '"against"' in line)


@row(44)
@pytest.mark.parametrize("depth", [None, 2])
def test_a_longer_cycle_of_reasons_is_seen_in_the_history(
    tmp_path: Path, depth: int | None
) -> None:
    """Main holds the very bytes that a reason was written for, long after it was used."""
    world = World(tmp_path)
    world.merge(world.propose(WORSE, bless=REASON))
    old = {path: world.origin.git("show", f"main:{path}") for path in (BASELINE, ITEMS)}
    world.merge(world.propose(WORST, bless="push_recall: Ada Byron went the same way"))
    world.merge(world.propose(memory(deaf=["Cyd Moon"]), bless=True))
    found = world.judge(world.propose({**WORSE, **old}), depth=depth)
    assert (1, "justification-stale") == (found.code, found.reason)


@row(44)
def test_a_reason_does_not_come_back_under_another_path(tmp_path: Path) -> None:
    """The baseline was renamed in between; what stood on main stood there wherever it was."""
    world = World(tmp_path)
    world.merge(world.propose(WORSE, bless=REASON))
    old = [world.origin.git("show", f"main:{path}") for path in (BASELINE, ITEMS)]
    world.merge(world.propose(memory(deaf=["Cyd Moon"]), bless=True))
    policy = f"{TREE[POLICY_FILE]!s}baseline: baselines/other.json\n"
    renamed = {POLICY_FILE: policy, BASELINE: None, ITEMS: None}
    world.merge(world.propose(renamed, bless="policy: the baseline gets another name"))
    world.merge(world.propose({}, bless=True))
    new = ("baselines/other.json", "baselines/other.items.json")
    assert json.loads(old[1])["against"] == world.origin.id(f"main:{new[0]}")
    found = world.judge(world.propose({**WORSE, **dict(zip(new, old, strict=True))}))
    assert (1, "justification-stale") == (found.code, found.reason)


@row(44)
def test_a_history_that_can_not_be_fetched_is_no_fresh_reason(tmp_path: Path) -> None:
    """Whether a reason stood on main before has to be known; with the history at hand it is."""
    world = World(tmp_path)
    world.origin.commit({"README.md": "a word"})
    head = world.propose(WORSE, bless=REASON)
    unreachable = {"GITHUB_SERVER_URL": "http://127.0.0.1:9"}
    found = world.judge(head, environ=unreachable)
    assert (2, "fetch-failed") == (found.code, found.reason)
    assert 0 == world.judge(head).code
    assert 0 == world.judge(head, environ=unreachable, depth=None).code
