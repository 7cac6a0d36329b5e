"""Attacks by way of the comment and the status, on the real action."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.action import payloads
from tests.action.acting import make_template
from tests.action.consumer import FIXTURES, GOLD, MEMORY, WORSE, bless, write_json
from tests.attacks.rows import row
from tests.report.pages import require_inert

from brainbench_replay.systems import tiny

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.action.acting import World

MARKER = "<!-- brainbench-gate:main -->"
NASTY = (
    "a | b || c\n|---|---|",
    "`tick` ``two`` ```\nfence",
    "</details></code><img src=x onerror=alert(1)> <!-- brainbench-gate:main -->",
    "@team @org/team #12 GH-12 org/name#3",
    "[l](https://evil.example) ![i](https://evil.example/x.png) www.evil.example",
    "\u202egnp.exe \u2067rtl\u2069 \U0001f469\u200d\U0001f4bb 🎉 \x1b[31mred",
)
PEOPLE = ("Ada Amsel", "Ben Buche", "Cem Cervus", "Dora Dachs", "Eno Elster", "Fia Fuchs")


def check_comment(world: World) -> str:
    """Hold the only comment to what no text may break; gives it."""
    [comment] = world.state.comments
    body: str = comment["body"]
    require_inert(body)
    return body


@row(25)
@pytest.mark.parametrize("texts", [NASTY[:3], NASTY[3:]])
def test_a_justification_breaks_nothing(world: World, texts: tuple[str, ...]) -> None:
    """It is shown to the reviewer, and acts on nobody."""
    cells = "openclaw/push, claude-code/push, codex/push"
    reason = f"{cells}: the weir's page is retired {' '.join(texts)}"
    run = world.judge(world.change(WORSE, "--justification", reason))
    assert "pass" == run.verdict()[0], run.log
    assert "page is retired" in check_comment(world)


@row(25)
def test_slugs_and_turns_break_nothing(make_world: Callable[..., World], tmp_path: Path) -> None:
    """What the corpus says of a flipped item is quoted."""
    slugs = [f"people/{text}" for text in NASTY]
    files: dict[str, str | bytes | None] = {}
    for number, (slug, title, text) in enumerate(zip(slugs, PEOPLE, NASTY, strict=True)):
        page = (slug, title, "Has the keys.")
        files |= ask(f"odd-{number}", f"Where is {title}? {text}", page)
    world = make_world(start=make_template(tmp_path / "odd", files=files))
    worse = MEMORY.replace('page["slug"] != FORGOTTEN', f"page['slug'] not in {slugs!r}")
    run = world.judge(world.change({"memory.py": worse}))
    assert ("regression", "regression") == run.verdict(), run.log
    body = check_comment(world)
    assert all(f"odd-{number}" in body for number in range(len(NASTY)))


@row(25)
def test_fixture_ids_break_nothing(world: World) -> None:
    """They are refused, in a comment that quotes ids and file names."""
    files: dict[str, str | bytes | None] = {}
    for text in NASTY:
        name = text.replace("/", "-").replace("\n", " ")
        files |= ask(name, "Where is Wanda?", ("people/wanda", "Wanda", "She is here."))
    run = world.judge(world.change(files))
    assert "inconclusive" == run.verdict()[0], run.log
    check_comment(world)


def ask(name: str, prompt: str, page: tuple[str, str, str]) -> dict[str, str | bytes | None]:
    """A fixture that asks for a page."""
    fixture, gold = tiny._asks(name, ["push"], prompt, page)
    fixture["seed_pages"].append(tiny._page(page))
    return {
        f"{FIXTURES}/{name}.fixture.json": write_json(fixture),
        f"{GOLD}/{name}.gold.json": write_json(gold),
    }


@row(26)
def test_a_strangers_marker_is_left_alone(world: World) -> None:
    """Who wrote a comment counts, not what it says."""
    text = f"{MARKER}\n### ✅ BrainBench: Holds"
    forged = world.state.add_comment(7, text, login="mallory", kind="User")
    world.judge(world.change(WORSE))
    assert text == forged["body"]
    assert 2 == len(world.state.comments)


@row(30)
def test_an_older_run_leaves_the_newer_heads_comment(world: World) -> None:
    """It sets the old commit's own status, and the comment stays the newer head's."""
    old = world.change(WORSE)
    merge = world.open_pull(old)
    newer = world.change({"README.md": "mended\n"})
    world.state.add_pull(7, head=newer, base=world.base)
    comment = world.state.add_comment(7, f"{MARKER}\nof the newer head")
    run = world.act("pull_request", payloads.pull_request(head=old, base=world.base), merge)
    assert "regression" == run.verdict()[0], run.log
    assert "newer head" in run.log
    assert f"{MARKER}\nof the newer head" == comment["body"]
    assert world.state.statuses[-1]["url"].endswith(old)


@row(45)
def test_a_status_is_of_one_base_branch(world: World) -> None:
    """The same head is green for a branch that accepts the worse memory already, and only there."""
    head = world.change(WORSE)
    world.judge(head)
    world.repo.branch("release").write(WORSE)
    bless(world.repo)
    lax = world.repo.commit({})
    world.repo.checkout("main")
    world.state.add_pull(8, head=head, base=lax)
    merge = world.repo.pull_request(8, head, base="release")
    base = {"sha": lax, "ref": "release", "repo": payloads.REPOSITORY}
    payload = payloads.pull_request(head=head, base=lax)
    payload["pull_request"] |= {"number": 8, "base": base}
    run = world.act("pull_request", payload, merge)
    assert run.ok, run.log
    told = [(status["context"], status["state"]) for status in world.state.statuses]
    assert [("brainbench/main/main", "failure"), ("brainbench/main/release", "success")] == told
    assert all(status["url"].endswith(head) for status in world.state.statuses)
