"""Strict JSON refuses what Python's reader lets pass, and settles one type per value."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brainbench_schema import strict_json
from brainbench_schema.errors import InvalidInputError

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab\\/~"), inner),
    max_leaves=12,
)


def refusal(data: bytes) -> str:
    with pytest.raises(InvalidInputError) as caught:
        strict_json.loads(data, "x.json")
    return str(caught.value)


@given(VALUES)
def test_reads_what_json_can_say(value: object) -> None:
    """Every document that strict JSON can say comes back equal."""
    assert value == strict_json.loads(json.dumps(value).encode(), "x.json")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1, "a": 2}', "'a' stands twice"),
        ('{"b": {"a": 1, "c": 0, "a": 1}}', "x.json#/b/a: the key 'a' stands twice"),
        ("[0, NaN]", "x.json#/1: NaN is not a JSON number"),
        ("[Infinity]", "Infinity is not a JSON number"),
        ("[-Infinity]", "-Infinity is not a JSON number"),
        ("[1e999, 0.5]", "x.json#/0: 1e999 is too large"),
        ("[" + "1" * 5000 + "]", "too many digits"),
        ("[" * 65 + "]" * 65, "nested more than 64"),
        ("[" * 100_000, "nested more than 64"),
        ('{"a": [1,]}', "not JSON"),
        ("", "not JSON"),
        ('["\\ud800"]', "x.json#/0: the text holds half of a surrogate pair"),
        ('{"a": {"\\udfff": 1}}', "half of a surrogate pair"),
    ],
)
def test_refuses(text: str, words: str) -> None:
    """Each of these is refused with the place and the reason."""
    assert words in refusal(text.encode())


def test_all_places_at_once() -> None:
    """A repeated key and a strange number are two faults, each with advice."""
    text = refusal(b'{"a": NaN, "b": [{"c": 1, "c": -1e999}]}')

    assert [
        "x.json#/a: NaN is not a JSON number",
        "x.json#/b/0/c: -1e999 is too large",
        "x.json#/b/0/c: the key 'c' stands twice in one object",
    ] == [line for line in text.splitlines() if not line.startswith("  →")]
    assert 3 == text.count("  → ")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b'"\xff"', "not UTF-8 at byte 1"),
        (b'<<<<<<< ours\n{"a": 1}\n', "merge conflict markers"),
    ],
)
def test_refuses_bytes(data: bytes, words: str) -> None:
    """Bytes that are no plain UTF-8 document are refused by name."""
    assert words in refusal(data)


def test_refuses_more_than_the_limit() -> None:
    """A document over the size limit isn't even decoded."""
    with pytest.raises(InvalidInputError, match="11 bytes, the limit is 10"):
        strict_json.loads(b'"123456789"', "x.json", max_bytes=10)


def test_reads_at_the_limits() -> None:
    """Exactly the limit of bytes, and exactly the deepest nesting, are read."""
    assert "12345678" == strict_json.loads(b'"12345678"', "x.json", max_bytes=10)
    assert strict_json.loads(b"[" * 64 + b"]" * 64, "x.json")


def test_brackets_in_texts_are_no_nesting() -> None:
    """Brackets inside a string, escaped quotes too, don't count as depth."""
    text = '\\"' + "[" * 100
    assert [text.replace('\\"', '"')] == strict_json.loads(f'["{text}"]'.encode(), "x.json")


@pytest.mark.parametrize(
    ("text", "value"), [("2.0", 2), ("2e0", 2), ("-0.0", 0), ("0.5", 0.5), ("1e300", 1e300)]
)
def test_one_type_per_value(text: str, value: float) -> None:
    """A number has the type of its value: integral ones are integers."""
    found = strict_json.loads(text.encode(), "x.json")

    assert (value, type(value)) == (found, type(found))


def test_true_stays_true() -> None:
    """A boolean never turns into a number."""
    assert strict_json.loads(b"[true, 1]", "x.json")[0] is True


def test_pairs_of_surrogates_are_text() -> None:
    """An escaped pair is one character, and read."""
    assert "🧠" == strict_json.loads(b'"\\ud83e\\udde0"', "x.json")


def test_pointer_steps_are_escaped() -> None:
    """Slash and tilde in a key are written as RFC 6901 has it."""
    assert "a~1b~0c" == strict_json.escape_pointer("a/b~c")
