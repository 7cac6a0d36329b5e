"""Pages: what is read of them, and what may be quoted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainbench_replay.systems.reflex.pages import MAX_SYNOPSIS_CHARS, parse_page
from brainbench_schema.errors import SeedError


def page(front: str, body: str = "") -> str:
    return f"---\n{front}\n---\n\n{body}"


def test_reads_title_type_and_aliases() -> None:
    """Front matter gives title, type and aliases; the body is what follows."""
    parsed = parse_page(
        "p/a", page("title: Ada Quill\ntype: person\naliases: [AQ, ada]", "Text.\n")
    )

    assert ("Ada Quill", "person", ("aq", "ada")) == (parsed.title, parsed.type, parsed.aliases)
    assert "\nText.\n" == parsed.body


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ("title: 2024-05-01", "2024-05-01"),
        ("title: 007", "007"),
        ("title: yes", "yes"),
        ("type: note", "last-part"),
        ("title:", "last-part"),
        ("title: [a, b]", "last-part"),
    ],
)
def test_scalars_are_text(front: str, title: str) -> None:
    """No title turns into a date, a number or a boolean; without one the slug's last part is it."""
    assert title == parse_page("folder/last-part", page(front)).title


def test_a_page_needs_no_front_matter() -> None:
    """Plain Markdown is a page; CRLF is read as LF."""
    assert "First line." == parse_page("x", "# Head\r\n\r\nFirst line. Second.\r\n").synopsis
    assert "t" == parse_page("x", "---\r\ntitle: t\r\n---\r\nBody\r\n").title


@pytest.mark.parametrize("front", ["title: [", "a: b: c", "- a list", "just text"])
def test_broken_front_matter_can_not_be_seeded(front: str) -> None:
    """Front matter that is no YAML mapping is an error that names the page."""
    with pytest.raises(SeedError, match="'p/a'"):
        parse_page("p/a", page(front))


@pytest.mark.parametrize(
    ("content", "synopsis"),
    [
        (page("summary: In short.", "Other text."), "In short."),
        (page("title: t", "# Head\n\nOne here. Two."), "One here."),
        (page("title: t", "No end of sentence"), "No end of sentence"),
        (page("title: t", "Pays 3.50 a day! More."), "Pays 3.50 a day!"),
        (page("title: t", "<!-- note -->\n\nShown."), "Shown."),
        (page("title: t", "<!-- private -->\nSecret.\n<!-- /private -->\nShown."), "Shown."),
        (page("title: t", "<!-- private -->\nSecret."), ""),
        (page("summary: A <!-- private -->b<!-- /private --> c", "x"), "A c"),
        (page("title: t"), ""),
    ],
)
def test_synopsis(content: str, synopsis: str) -> None:
    """The summary, else the first sentence of the first prose line, never a private block."""
    assert synopsis == parse_page("x", content).synopsis


@given(st.text("ab. !\n", max_size=600))
def test_a_body_is_never_dumped(body: str) -> None:
    """No synopsis is longer than 160 characters."""
    assert len(parse_page("x", page("title: t", body)).synopsis) <= MAX_SYNOPSIS_CHARS


def test_a_long_summary_is_cut_visibly() -> None:
    """At the limit nothing is cut; one character more ends in an ellipsis."""
    whole, longer = "x" * 160, "x" * 161

    assert whole == parse_page("x", page(f"summary: {whole}")).synopsis
    assert "x" * 159 + "…" == parse_page("x", page(f"summary: {longer}")).synopsis
