"""Files are read up to a limit, whatever they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from brainbench_schema.errors import InvalidInputError, UsageError
from brainbench_schema.files import read_file, read_folder
from brainbench_schema.strict_json import MAX_BYTES


def test_a_file_of_the_limit_is_read_and_one_byte_more_is_not(tmp_path: Path) -> None:
    """The error names the file, the limit and what to do."""
    place = tmp_path / "a.json"
    place.write_bytes(b"12345678")
    assert read_file(place, max_bytes=8) == b"12345678"
    with pytest.raises(InvalidInputError) as caught:
        read_file(place, max_bytes=7)
    assert str(caught.value).startswith(f"{place}: is larger than 7 bytes, the limit\n  → ")


def test_a_device_without_end_is_given_up() -> None:
    """Only as much as the limit is ever held."""
    with pytest.raises(InvalidInputError) as caught:
        read_file(Path("/dev/zero"))
    assert f"{MAX_BYTES:,} bytes" in str(caught.value)


def test_what_cannot_be_read_says_why_and_what_to_do(tmp_path: Path) -> None:
    """Under the name that was given."""
    with pytest.raises(UsageError, match="can't be read: No such file") as caught:
        read_file(tmp_path / "none", name="the result", advice="name a result")
    assert str(caught.value).startswith("the result: ")
    assert caught.value.advice == "name a result"
    with pytest.raises(UsageError, match="can't be read: Is a directory"):
        read_file(tmp_path)


def test_a_folder_holds_no_file_beyond_the_limit(tmp_path: Path) -> None:
    """A hole in a file costs no disk, and no memory here."""
    with (tmp_path / "a.json").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(InvalidInputError) as caught:
        read_folder(tmp_path, ".json")
    assert "a.json" in str(caught.value)
