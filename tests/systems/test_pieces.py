"""The pure pieces: quoting, templates, coverage, SPECs, the side-by-side table."""

from __future__ import annotations

import ast
import sys
from importlib import resources
from typing import TYPE_CHECKING, Any

import pytest
from tests.systems.kinds import PROGRAMS, TEMPLATES, make_entry

from brainbench_gate.bench.measuring import Plan, measure
from brainbench_gate.side_by_side import render_side_by_side
from brainbench_replay.systems import templates
from brainbench_replay.systems.anchors import Everything
from brainbench_replay.systems.entries import BUILT_IN, find_entry
from brainbench_replay.systems.external import disguise
from brainbench_replay.systems.keyword import Keyword
from brainbench_replay.systems.mcp_entry import read_declaration
from brainbench_replay.systems.quoting import excerpt, looks_like_error, quote_line
from brainbench_replay.systems.tiny import tiny_corpus
from brainbench_replay.systems.wire import METHODS, find_fault, load_protocol_schema
from brainbench_schema.errors import UsageError
from brainbench_schema.policy import SystemEntry

if TYPE_CHECKING:
    import psycopg


@pytest.mark.parametrize(
    "line",
    [
        b"::error::x",
        b"  ::set-output name=a::b",
        b"##[command]x",
        b"\x1b[31mred",
        b"a\r::warning::x",
    ],
)
def test_no_quoted_line_is_a_command(line: bytes) -> None:
    """Neither at its start nor, in the old form, anywhere; no control character survives."""
    quoted = quote_line("system mine", line)
    assert quoted.startswith("system mine | ")
    assert "##[" not in quoted
    assert quoted.isprintable()


def test_long_texts_are_cut() -> None:
    """An error message stays readable."""
    assert excerpt("a\n b  c") == "a b c"
    assert len(excerpt("x" * 1000)) == 120
    assert quote_line("s", b"x" * 10_000).endswith("… (10,000 bytes)")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("Error: no index", True),
        ("ValueError: no index", True),
        ("[fatal] gone", True),
        ("Failed to connect", True),
        ("Traceback (most recent call last)", True),
        ("The error budget (`a/b`)", False),
        ("Errors are filed under `a`", False),
        ("- Ana (`people/ana`)", False),
    ],
)
def test_what_reads_like_an_error(text: str, error: bool) -> None:
    """By its first word."""
    assert looks_like_error(text) is error


def test_every_method_has_its_parameters_and_result_in_the_schema() -> None:
    """The published schema is complete."""
    names = set(load_protocol_schema()["definitions"])
    assert {f"{method}.{part}" for method in METHODS for part in ("params", "result")} <= names


@pytest.mark.parametrize(
    ("definition", "value", "right"),
    [
        ("inject.result", {"pointers": []}, True),
        ("inject.result", {"pointers": [{"slug": "a", "text": "a"}]}, True),
        ("inject.result", {"pointers": [{"slug": "", "text": "a"}]}, False),
        ("inject.result", {"slugs": []}, False),
        ("seed.result", {"pages": 1, "facts": 0}, True),
        ("seed.result", {}, False),
        ("reset.result", None, True),
        ("reset.result", {"error": "no"}, False),
        ("facts.result", {"facts": [{"fact": "f", "more": 1}]}, True),
        ("facts.result", {"facts": [{"entity_slug": "f"}]}, False),
    ],
)
def test_results_are_held_against_the_schema(definition: str, value: Any, right: bool) -> None:
    """What the protocol says is what is checked."""
    assert (find_fault(definition, value) is None) is right


def test_a_name_is_one_line() -> None:
    """It is printed in reports."""
    about = {"protocol_version": 1, "version": "1", "capabilities": []}
    assert find_fault("initialize.result", {**about, "name": "mine"}) is None
    assert find_fault("initialize.result", {**about, "name": "a\n::error::b"})
    assert find_fault("initialize.result", {**about, "name": "x" * 101})


def test_the_host_file_runs_on_older_interpreters() -> None:
    """Any Python from 3.9, with nothing installed."""
    source = (resources.files("brainbench_replay.systems") / "host.py").read_text("utf-8")
    tree = ast.parse(source, feature_version=(3, 9))
    imported = {
        (node.module or "").split(".")[0] if isinstance(node, ast.ImportFrom) else name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert imported <= sys.stdlib_module_names


def test_names_are_disguised_alike_in_every_run() -> None:
    """The same name gives the same token, and the token tells nothing."""
    assert disguise("retrieval:push-001") == disguise("retrieval:push-001")
    assert disguise("a") != disguise("b")
    assert "push" not in disguise("retrieval:push-001")


def test_templates_are_filled() -> None:
    """A lone placeholder takes the value as it is; unknown braces stay."""
    filled = templates.fill({"a": "{ids}", "b": ["x {id} {other}"]}, {"ids": [1], "id": "i"})
    assert filled == {"a": [1], "b": ["x i {other}"]}


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ("$.hits[*].id", ["a", "b"]),
        ("$.hits[1].id", ["b"]),
        ("$.none[*].id", []),
        (r"re:^(\w) =", ["a", "b"]),
        (r"re:\w = \d", ["a = 1", "b = 2"]),
    ],
)
def test_places_find(place: str, found: list[Any]) -> None:
    """By a path in JSON, or by an expression in the text."""
    document = {"hits": [{"id": "a"}, {"id": "b"}]}
    assert templates.is_place(place)
    assert templates.find(place, "a = 1\nb = 2", document) == found


def test_queries_follow_the_policy() -> None:
    """As it is, by word, by name."""
    prompt = "Where is Ana Reis now, and who pays?"
    assert templates.list_queries("whole", prompt) == [prompt]
    assert "Reis" in templates.list_queries("words", prompt)
    assert templates.list_queries("names", prompt) == ["Ana Reis"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"store": None}, "store"),
        ({"id": "hits"}, "id"),
        ({"query": "magic"}, "query"),
        ({"serach": 1}, "serach"),
        ({"env": {"A": 1}}, "env"),
    ],
)
def test_a_wrong_mcp_entry_is_refused(change: dict[str, Any], said: str) -> None:
    """The error names the key."""
    entry = SystemEntry(kind="mcp", command=("true",), mcp={**TEMPLATES, **change})
    with pytest.raises(UsageError, match=said):
        read_declaration("mine", entry)


def test_specs_are_found() -> None:
    """Built-in names, the policy's, and inline ones; anything else is refused."""
    mine = SystemEntry(kind="command", command=("true",))
    assert [find_entry(name, {})[1].kind for name in BUILT_IN] == list(BUILT_IN)
    assert find_entry("mine", {"mine": mine}) == ("mine", mine)
    assert find_entry("command:node 'a b.mjs'", {})[1].command == ("node", "a b.mjs")
    assert find_entry("python:a.b:make", {})[1].factory == "a.b:make"
    for spec in ("other", "shell:x", "command:", "python:"):
        with pytest.raises(UsageError):
            find_entry(spec, {"mine": mine})


def test_without_sources_isolation_is_not_measured() -> None:
    """Cases of several sources are left out by name; no cell carries a leak count."""
    entry = make_entry("command")
    plain = ("know-to-ask", "push", "write-back", "continuity")
    entry = SystemEntry(kind="command", command=entry.command, capabilities=plain)
    run = measure(tiny_corpus(), Plan(system="t", systems={"t": entry}, folder=PROGRAMS)).result
    assert not any("source_isolation_violations" in cell.metrics for cell in run.cells)
    reasons = {entry.reason for entry in run.skipped}
    assert reasons == {"isolation: not measured, t knows no sources; left out: tiny-sources"}
    assert not any(row.fixture_id == "tiny-sources" for row in run.turn_rows)


def test_unsupported_suites_are_skipped_with_their_reason() -> None:
    """Never scored 0."""
    entry = SystemEntry(
        kind="command", command=make_entry("command").command, capabilities=("push", "sources")
    )
    run = measure(tiny_corpus(), Plan(system="t", systems={"t": entry}, folder=PROGRAMS)).result
    assert {cell.suite for cell in run.cells} == {"push"}
    skipped = {(entry.suite, entry.reason) for entry in run.skipped}
    assert skipped == {
        (suite, "t does not support it") for suite in ("know-to-ask", "write-back", "continuity")
    }


def test_anchors_are_the_ends_of_the_scale(database: psycopg.Connection) -> None:
    """Silent misses all, everything injects all, keyword finds by words."""
    silent = measure(tiny_corpus(), Plan(system="silent"))
    everything = measure(tiny_corpus(), Plan(system="everything"))
    assert {row.injected_slugs for row in silent.result.turn_rows} == {()}
    assert all(row.injected_slugs for row in everything.result.turn_rows if row.suite == "push")
    keyword = Keyword(database, "PostgreSQL")
    case = next(one for one in tiny_corpus().cases if one.fixture.fixture_id == "tiny-named")
    seed = _seed_of(case)
    found = keyword.open(seed).recall("how is Thornqvist's survey?", source="default")
    assert [pointer.slug for pointer in found] == ["people/hedda-thornqvist"]
    assert len(Everything().open(seed).recall("hm", source="default")) == 3


def _seed_of(case: Any) -> Any:
    from brainbench_replay.plan import plan

    return plan([case], ["push"])[0].seed


def test_side_by_side_shows_what_was_not_measured() -> None:
    """A column for each system, a dash and a reason where there is nothing."""
    entry = make_entry("hook")
    plan = Plan(system="hooked", systems={"hooked": entry}, folder=PROGRAMS, suites=("push",))
    hooked = measure(tiny_corpus(), plan).result
    silent = measure(tiny_corpus(), Plan(system="silent", suites=("push",))).result
    table = render_side_by_side([silent, hooked])
    row = next(line for line in table.splitlines() if "openclaw/push" in line)
    assert [cell.strip() for cell in row.split("|")[2:5]] == ["failed/gold", "2/2", "–"]
    assert "- SKIPPED hooked, openclaw/push: it runs no UserPromptSubmit hook" in table
