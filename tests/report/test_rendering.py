"""The comment and the summary: they fit, say what matters first, and nothing foreign acts."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.report.accounts import (
    ACCOUNTS,
    BREACHES,
    PROVENANCE,
    account,
    benchmark,
    details,
    regression,
)
from tests.report.goldens import FOLDER
from tests.report.pages import ALLOWED_TAGS, LIVE, Page

from brainbench_gate.escape import prose
from brainbench_gate.findings import Finding, Status
from brainbench_gate.items import CellItems, ItemDetail
from brainbench_gate.justification import assess
from brainbench_gate.report.advice import find_names
from brainbench_gate.report.blocks import Block, Budget, count_bytes, count_characters, fit
from brainbench_gate.report.rendering import render_comment, render_summary
from brainbench_gate.report.sections import marker
from brainbench_gate.rules import Breach, Verdict

if TYPE_CHECKING:
    from brainbench_gate.report.account import Account

NASTY = (
    "| a | b |\n|---|---|",
    "`tick` ``two`` ```\nfence",
    "</details></code><script>alert(1)</script>",
    "<img src=https://evil.example/x.png>",
    "![i](https://evil.example/x.png)",
    "[l](https://evil.example) <https://evil.example> www.evil.example ftp://evil.example",
    "@team @org/team mail@evil.example #12 GH-12 org/name#3 deadbeefdeadbeef",
    "<!-- brainbench-gate:main -->",
    "\u202eright to left\u2066 \u200b\ufeff",
    "👩‍👩‍👧‍👦 :octocat: $x^2$ \\| \\",
    "- [x] done\n# title\n> quote\n1. one",
    "&#64;team &commat;team &lt;b&gt;",
)
TEXTS = st.one_of(
    st.sampled_from(NASTY),
    st.text(max_size=60),
    st.lists(st.sampled_from(NASTY), min_size=2, max_size=4).map(" ".join),
)


@st.composite
def accounts(draw: st.DrawFn) -> Account:
    """Any verdict about anything."""
    cell = f"{draw(TEXTS)}/{draw(TEXTS)}"
    ids = tuple(draw(st.lists(TEXTS, max_size=8)))
    breach = Breach(cell=cell, metric=draw(TEXTS), baseline=1, current=None)
    details = tuple(
        ItemDetail(
            item=item,
            cell=cell,
            fixture_id=item,
            harness=cell,
            expected=draw(TEXTS),
            seen=draw(TEXTS),
            text=draw(TEXTS),
        )
        for item in ids[:3]
    )
    verdict = draw(st.sampled_from(Verdict))
    reason = draw(st.sampled_from(["regression", "isolation", "held", "bootstrap", "git"]))
    finding = Finding(
        name=draw(TEXTS),
        status=draw(st.sampled_from(Status)),
        text=draw(TEXTS),
        lines=tuple(draw(st.lists(TEXTS, max_size=3))),
        verdict=verdict,
        reason=reason,
    )
    flips = CellItems(cell=cell, newly_failed=ids, newly_fixed=ids, still_failing=(), added=ids)
    one = benchmark(
        verdict,
        reason,
        breaches=(breach,) if draw(st.booleans()) else (),
        details=details,
        items=(flips,),
        checks=(finding,),
        assessment=draw(st.none() | TEXTS.map(lambda text: assess(text, [breach], fresh=True))),
        notes=(draw(TEXTS),),
    )
    made = account(one, folder=draw(TEXTS))
    document = replace(
        made.document, gate=draw(TEXTS), provenance=replace(PROVENANCE, why=draw(TEXTS))
    )
    return replace(made, document=document)


@settings(max_examples=60, deadline=None)
@given(accounts())
def test_nothing_foreign_acts_in_a_comment(told: Account) -> None:
    """Mentions, links, images, HTML and broken tables never come of foreign text."""
    markdown = render_comment(told)
    page = Page(markdown)
    assert set(page.tags) <= ALLOWED_TAGS
    assert LIVE.findall(page.prose) == []
    for widths in page.tables:
        assert len(set(widths)) == 1
        assert widths[0] in (3, 4, 5)
    assert page.comments == [marker(told.document.gate).removeprefix("<!--").removesuffix("-->")]
    assert markdown.startswith(f"{marker(told.document.gate)}\n### ")
    assert count_characters(markdown) <= 65_536
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b-\u200f]", markdown)


@pytest.mark.parametrize("text", [NASTY[6], NASTY[9], "x" * 3000])
def test_ten_thousand_flipped_items_fit(text: str) -> None:
    """The comment and the summary stay below GitHub's limits, and say what is left out."""
    ids = tuple(f"{text}-{number}" for number in range(10_000))
    flips = CellItems(cell="codex/push", newly_failed=ids, newly_fixed=ids, still_failing=())
    told = account(replace(regression(), items=(flips,)))
    comment, summary = render_comment(told), render_summary(told)
    assert count_characters(comment) <= 65_536
    assert count_bytes(summary) <= 900 * 1024
    for rendered in (comment, summary):
        assert "### ❌ BrainBench: Worse: 10,000 items" in rendered
        assert "**What to type next**" in rendered
        assert "more, in the job summary" in rendered
        assert rendered.count("<details>") == rendered.count("</details>")
        assert rendered.count("```") % 2 == 0


@pytest.mark.parametrize("name", sorted(ACCOUNTS))
def test_comment_equals_its_golden_file(name: str) -> None:
    """`python -m tests.report.goldens` writes these files; a change of them is looked at."""
    assert render_comment(ACCOUNTS[name]) == (FOLDER / f"{name}.md").read_text("utf-8")


@pytest.mark.parametrize("name", sorted(ACCOUNTS))
def test_first_screen_holds_verdict_reason_items_and_next_command(name: str) -> None:
    """What a newcomer needs stands in the first 40 lines."""
    top = render_comment(ACCOUNTS[name]).splitlines()[:40]
    assert top[1].startswith("### ")
    assert top[3]
    if ACCOUNTS[name].document.worst.reason != "held":
        assert "**What to type next**" in top
    if name.startswith("regression") or name == "both-worse":
        assert "**Newly failed**" in top
    if name == "workflow-changed":
        assert "- workflow: changed .github/workflows/gate.yml" in html.unescape("\n".join(top))


def test_an_item_is_told_once_for_all_its_cells() -> None:
    """And counted once."""
    text = html.unescape(render_comment(account(regression(1))))
    assert "### ❌ BrainBench: Worse: 1 item\n" in text
    assert "<sub>openclaw/push, claude-code/push, codex/push</sub>" in text


def test_many_cells_are_counted() -> None:
    """A foreign runner may have dozens."""
    [detail] = details(1)[:1]
    many = tuple(replace(detail, cell=f"h{number}/push") for number in range(6))
    text = html.unescape(render_comment(account(replace(regression(1), details=many))))
    assert "h3/push and 2 more</sub>" in text


def test_both_benchmarks_are_told_of() -> None:
    """Where both got worse, both lists stand in one table, and the headline counts both."""
    text = html.unescape(render_comment(ACCOUNTS["both-worse"]))
    assert "### ❌ BrainBench: Worse: 4 items\n" in text
    assert "push-007#3:people/ines-okafor</code><br>" in text
    assert "q-0031</code><br>" in text


STATE = Breach(cell="policy", metric="state", baseline=None, current=None)


@pytest.mark.parametrize(
    ("reason", "breaches", "names"),
    [
        ("regression", BREACHES, ["codex/push"]),
        ("regression", (*BREACHES, STATE), ["policy", "codex/push"]),
        ("baseline-not-backed", (*BREACHES, STATE), ["policy", "codex/push"]),
        ("baseline-missing", (), []),
        ("isolation", BREACHES, None),
        ("other-system", BREACHES, None),
    ],
)
def test_the_reason_to_type_names_what_it_has_to(
    reason: str, breaches: tuple[Breach, ...], names: list[str] | None
) -> None:
    """States first, so that what is pasted isn't refused for the lack of one."""
    found = benchmark(Verdict.REGRESSION, reason, breaches=breaches)
    assert names == find_names(found)
    text = html.unescape(render_comment(account(found)))
    assert (names is not None) == (" bless" in text.split("# or with nox", 1)[0])
    if names:
        assert f"--justification '{', '.join(names)}: WHY" in text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("run `brainbench bless` now", "run <code>brainbench bless</code> now"),
        ("`a` and `b`", "<code>a</code> and <code>b</code>"),
        ("one ` alone", "one &#96; alone"),
        ("", "–"),
        ("`<b>`", "<code>&#60;b&#62;</code>"),
    ],
)
def test_what_stands_between_backticks_is_code(text: str, shown: str) -> None:
    """In the gate's own sentences; whatever a text holds stays inert."""
    assert shown == prose(text)


def test_a_block_is_cut_between_lines_only() -> None:
    """What doesn't fit is counted; a block of which nothing fits leaves no trace."""
    budget = Budget(limit=60, measure=len)
    block = Block(head=("head",), lines=("one",) * 20, tail=("tail",))
    text = fit([block, Block(head=("x" * 99,))], budget)
    assert text.startswith("head\none\n")
    assert text.endswith("more, in the job summary\ntail\n")
    assert len(text) <= 60
