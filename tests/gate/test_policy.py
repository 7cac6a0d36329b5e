"""A policy's YAML is read strictly, and each refusal says what to do."""

from __future__ import annotations

import pytest

from brainbench_gate.policy import MAX_BYTES, parse_policy
from brainbench_schema.errors import InvalidInputError


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"system: \xff\n", "brainbench.yml: not UTF-8 at byte 8\n  → save it as plain UTF-8"),
        (
            b"<<<<<<< ours\nsystem: a\n=======\nsystem: b\n>>>>>>> theirs\n",
            "the file holds merge conflict markers\n  → resolve them, then commit",
        ),
        (
            b"schema_version: 1\nsystem: a\nfloors: {push_recall: .nan}\n",
            "#/floors/push_recall: the number is not finite\n  → write a finite number",
        ),
        (b"system: [\n", "not YAML"),
        (b"#" * (MAX_BYTES + 1), "262,145 bytes, the limit is 262,144\n  → "),
    ],
)
def test_what_can_not_be_read_says_what_to_do(data: bytes, told: str) -> None:
    """The place, the fault, the way out."""
    with pytest.raises(InvalidInputError) as caught:
        parse_policy(data)
    assert told in str(caught.value)
    assert all(fault.advice for fault in caught.value.faults)
