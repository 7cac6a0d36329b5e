"""A rendered comment as GitHub shows it, and what may not come of foreign text in it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import cmarkgfm  # type: ignore[import-untyped]
from cmarkgfm.cmark import Options  # type: ignore[import-untyped]

PLAIN_TAGS = "h3 p table thead tbody tr th td code pre br details summary ul li sub strong"
ALLOWED_TAGS = {*PLAIN_TAGS.split(), "input", "blockquote"}
LIVE = re.compile(
    r"@\w|(?<!\w)#\d|GH-\d|https?://\w|www\.\w|:\w+:|\b[0-9a-f]{7,40}\b", re.IGNORECASE
)


class Page(HTMLParser):
    """What GitHub would act on in a rendered comment."""

    def __init__(self, markdown: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.tables: list[list[int]] = []
        self.prose = ""
        self.comments: list[str] = []
        self._literal = 0
        options = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE
        self.feed(cmarkgfm.github_flavored_markdown_to_html(markdown, options))

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        """Count tags, and cells by row."""
        self.tags.append(tag)
        self._literal += tag in ("code", "pre")
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append(0)
        elif tag in ("td", "th"):
            self.tables[-1][-1] += 1

    def handle_endtag(self, tag: str) -> None:
        """Leave literal text."""
        self._literal -= tag in ("code", "pre")

    def handle_comment(self, data: str) -> None:
        """Keep the hidden lines."""
        self.comments.append(data)

    def handle_data(self, data: str) -> None:
        """Keep the text that GitHub looks through for mentions."""
        if not self._literal:
            self.prose += data


def require_inert(body: str, gate: str = "main") -> None:
    """Hold a comment to what no text in it may break: marker, tables, the readers' peace."""
    page, own = Page(body), f" brainbench-gate:{gate} "
    assert body.startswith(f"<!--{own}-->\n")
    assert page.comments == [own]
    assert set(page.tags) <= ALLOWED_TAGS
    assert LIVE.findall(page.prose) == []
    for table in re.findall(r"(?:^\|.*\n)+", body, flags=re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}) == 1
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b-\u200f\x1b]", body)
