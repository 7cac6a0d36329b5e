"""A Markdown page with YAML front matter → title, aliases and a synopsis that is safe to quote."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from brainbench_replay.systems.reflex.text import normalize_aliases
from brainbench_schema.errors import SeedError

MAX_SYNOPSIS_CHARS = 160

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)?---[ \t]*(?:\n|\Z)", re.DOTALL)
_PRIVATE = re.compile(r"<!--\s*private\s*-->.*?(?:<!--\s*/private\s*-->|\Z)", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_SENTENCE = re.compile(r".+?[.!?](?=\s|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedPage:
    """What is stored of a page beside its slug and source."""

    title: str
    type: str | None
    aliases: tuple[str, ...]
    front_matter: dict[str, Any]
    body: str
    synopsis: str


@lru_cache(maxsize=4096)
def parse_page(slug: str, content: str) -> ParsedPage:
    """Read a page. Front matter scalars are texts; a page without a title is called by its slug.

    Raises:
        SeedError: The front matter is not a YAML mapping.
    """
    content = content.replace("\r\n", "\n")
    match = _FRONT_MATTER.match(content)
    front_matter = _read_yaml(slug, match[1] or "") if match else {}
    body = content[match.end() :] if match else content
    title = _text(front_matter.get("title")) or slug.rstrip("/").rsplit("/", 1)[-1]
    return ParsedPage(
        title=title,
        type=_text(front_matter.get("type")) or None,
        aliases=tuple(normalize_aliases(front_matter.get("aliases"))),
        front_matter=front_matter,
        body=body,
        synopsis=_synopsis(_text(front_matter.get("summary")), body),
    )


def strip_private(text: str) -> str:
    """Cut private blocks; one that is never closed runs to the end."""
    return _PRIVATE.sub("", text)


def _read_yaml(slug: str, text: str) -> dict[str, Any]:
    import yaml

    try:
        document = yaml.load(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # noqa: S506 - makes only texts
    except yaml.YAMLError as error:
        problem = " ".join(str(error).split())
        raise SeedError(f"the front matter of {slug!r} is not YAML: {problem}") from None
    if document in (None, ""):
        return {}
    if not isinstance(document, dict):
        raise SeedError(f"the front matter of {slug!r} is not a mapping")
    return document


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _synopsis(summary: str, body: str) -> str:
    text = " ".join(strip_private(summary).split()) or _first_sentence(strip_private(body))
    if len(text) <= MAX_SYNOPSIS_CHARS:
        return text
    return text[: MAX_SYNOPSIS_CHARS - 1].rstrip() + "…"


def _first_sentence(body: str) -> str:
    for line in _COMMENT.sub("", body).splitlines():
        prose = line.strip()
        if prose and not prose.startswith("#"):
            match = _SENTENCE.match(prose)
            return match[0] if match else prose
    return ""
