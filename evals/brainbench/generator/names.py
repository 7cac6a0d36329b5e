"""Forms that a name can take in a text, and the slug that a page gets."""

from __future__ import annotations

import unicodedata

FOLDERS = {"person": "people", "company": "companies", "fund": "funds", "project": "projects"}


def fold(text: str) -> str:
    """The text without accents."""
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def first_word(name: str) -> str:
    """The first name, or the short name of a firm."""
    return name.split(" ", maxsplit=1)[0]


def last_word(name: str) -> str:
    """The surname."""
    return name.rsplit(" ", maxsplit=1)[-1]


def handle_of(name: str) -> str:
    """The chat handle without its `@`, such as `ilvara_t`."""
    return fold(f"{first_word(name)}_{last_word(name)[0]}").lower()


def slug_of(kind: str, name: str) -> str:
    """Folder and hyphenated name, such as `people/ilvara-tenquist`."""
    return f"{FOLDERS[kind]}/{fold(name).lower().replace(' ', '-')}"


def sentence(text: str) -> str:
    """The text with its first letter in upper case."""
    return text[0].upper() + text[1:]
