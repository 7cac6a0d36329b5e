"""The comment and the summary: they fit, say what matters first, and nothing foreign acts."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.report.accounts import (
    ACCOUNTS,
    BREACHES,
    PROVENANCE,
    account,
    baseline,
    benchmark,
    details,
    regression,
    result,
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
from brainbench_gate.run import MAX_DETAILS
from brainbench_schema.result import Skipped

if TYPE_CHECKING:
    from collections.abc import Callable

    from brainbench_gate.report.account import Account
    from brainbench_gate.verdict import BenchmarkVerdict
    from brainbench_schema.baseline import Baseline
    from brainbench_schema.result import Result

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


FENCED = re.compile(r"^(`{3,})sh\n.*?\n\1$", re.DOTALL | re.MULTILINE)
FEW, MANY = st.integers(0, 8), st.integers(100, 400)
COUNTS = st.sampled_from([FEW, FEW, FEW, MANY]).flatmap(lambda counts: counts)


@st.composite
def ids(draw: st.DrawFn) -> tuple[str, ...]:
    """None, a few or some hundred items with any names."""
    texts = draw(st.lists(TEXTS, min_size=1, max_size=4))
    return tuple(f"{texts[number % len(texts)]}{number or ''}" for number in range(draw(COUNTS)))


@st.composite
def benchmarks(draw: st.DrawFn) -> BenchmarkVerdict:
    """Any verdict about anything."""
    cells = [f"{draw(TEXTS)}/{draw(TEXTS)}" for _ in range(draw(st.integers(1, 3)))]
    flips = [
        CellItems(
            cell=cell,
            newly_failed=draw(ids()),
            newly_fixed=draw(ids()),
            still_failing=(),
            added=draw(ids()),
            removed=draw(ids()),
        )
        for cell in cells
    ]
    seen = draw(st.lists(TEXTS, min_size=3, max_size=3))
    details = [
        ItemDetail(
            item=item,
            cell=entry.cell,
            fixture_id=item,
            harness=entry.cell,
            expected=seen[0],
            seen=seen[1],
            text=seen[2],
        )
        for entry in flips
        for item in entry.newly_failed
    ]
    breaches = [
        Breach(cell=cell, metric=draw(TEXTS), baseline=1, current=None)
        for cell in draw(st.lists(st.sampled_from(cells), max_size=8))
    ]
    verdict = draw(st.sampled_from(Verdict))
    reason = draw(st.sampled_from(["regression", "isolation", "held", "bootstrap", "git"]))
    finding = Finding(
        name=draw(st.sampled_from(["ground", "workflow"]) | TEXTS),
        status=draw(st.sampled_from(Status)),
        text=draw(TEXTS),
        lines=tuple(draw(st.lists(TEXTS, max_size=8))),
        verdict=verdict,
        reason=reason,
    )
    return benchmark(
        verdict,
        reason,
        name=draw(st.sampled_from(["brainbench", "braincore"]) | TEXTS),
        breaches=tuple(breaches),
        details=tuple(details[:MAX_DETAILS]),
        items=tuple(flips),
        checks=(finding,),
        assessment=draw(st.none() | TEXTS.map(lambda text: assess(text, breaches, fresh=True))),
        notes=(draw(TEXTS),),
    )


@st.composite
def measured(draw: st.DrawFn) -> tuple[Result, Baseline | None]:
    """A run whose harnesses, suites, metrics and skipped entries have any names."""
    [one, *_] = result().cells
    cells = [
        replace(
            one,
            harness=draw(TEXTS),
            suite=draw(TEXTS),
            metrics=dict.fromkeys(draw(st.lists(TEXTS, max_size=3)), 0.5),
        )
        for _ in range(draw(st.integers(0, 4)))
    ]
    skipped = [
        Skipped(suite=draw(TEXTS), harness=draw(TEXTS), reason=draw(TEXTS))
        for _ in range(draw(st.integers(0, 3)))
    ]
    main = replace(baseline(), cells={cell.key: dict.fromkeys(cell.metrics, 1) for cell in cells})
    run = replace(result(), cells=tuple(cells), skipped=tuple(skipped))
    return run, draw(st.sampled_from([main, None]))


@st.composite
def accounts(draw: st.DrawFn) -> Account:
    """One benchmark or both, with their scoreboards."""
    made = account(
        *draw(st.lists(benchmarks(), min_size=1, max_size=2)),
        folder=draw(TEXTS),
        runs=tuple(draw(st.lists(measured(), max_size=2))),
        by_fork=draw(st.booleans()),
    )
    document = replace(
        made.document, gate=draw(TEXTS), provenance=replace(PROVENANCE, why=draw(TEXTS))
    )
    return replace(made, document=document)


@pytest.mark.parametrize(
    ("render", "size", "limit"),
    [(render_comment, count_characters, 65_536), (render_summary, count_bytes, 900 * 1024)],
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(told=accounts())
def test_nothing_foreign_acts_in_what_is_published(
    render: Callable[[Account], str], size: Callable[[str], int], limit: int, told: Account
) -> None:
    """Mentions, links, images, HTML and broken tables never come of foreign text."""
    markdown = render(told)
    page = Page(markdown)
    assert set(page.tags) <= ALLOWED_TAGS
    assert LIVE.findall(page.prose) == []
    for widths in page.tables:
        assert len(set(widths)) == 1
        assert widths[0] in (3, 4, 5)
    assert page.comments == [marker(told.document.gate).removeprefix("<!--").removesuffix("-->")]
    assert markdown.startswith(f"{marker(told.document.gate)}\n### ")
    assert size(markdown) <= limit
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b-\u200f]", markdown)
    shown = FENCED.sub("", markdown)
    assert shown.count("<details>") == shown.count("</details>")


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


def test_a_scoreboard_that_is_cut_keeps_its_footnote() -> None:
    """And counts the rows that are left out, nothing else."""
    run = result()
    cells = [replace(cell, harness=f"h{n}") for n in range(400) for cell in run.cells]
    told = account(regression(), runs=((replace(run, cells=tuple(cells)), None),))
    text = html.unescape(render_comment(told))
    shown = len(re.findall(r"^\| <code>h\d", text, flags=re.MULTILINE))
    assert 0 < shown < len(cells)
    assert f"… and {len(cells) - shown:,} more, in the job summary" in text
    assert "do not run the harness itself" in text
