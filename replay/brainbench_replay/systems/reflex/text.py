"""Normal forms of names: case and Unicode are settled here, never by a database's locale."""

from __future__ import annotations

import re
import unicodedata

_COMBINING = re.compile("[\u0300-\u036f]")
_NOT_SLUG = re.compile("[^a-z0-9]+")
_POSSESSIVE = re.compile("['’][sS]$")


def normalize_alias(text: str) -> str:
    """Give the normal form under which aliases are compared: NFKC, lower case, unquoted."""
    text = " ".join(unicodedata.normalize("NFKC", text).lower().split())
    return text.lstrip("\"'`[(").rstrip("\"'`])").strip()


def normalize_aliases(value: object) -> list[str]:
    """Read the `aliases` of a front matter: a list of texts, or one text split at commas.

    Returns:
        Normal forms, each once, empty ones left out, in order.
    """
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, list):
        return []
    forms = [normalize_alias(entry) for entry in value if isinstance(entry, str)]
    return list(dict.fromkeys(form for form in forms if form))


def slugify(text: str) -> str:
    """Give the slug of a name: ASCII letters and digits, runs of all else one hyphen."""
    text = _COMBINING.sub("", unicodedata.normalize("NFKD", text.lower()))
    return _NOT_SLUG.sub("-", text).strip("-")


def strip_possessive(text: str) -> str:
    """Cut a trailing ``'s``, then a trailing apostrophe."""
    text = _POSSESSIVE.sub("", text)
    return text[:-1] if text.endswith(("'", "’")) else text
