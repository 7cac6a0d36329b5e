"""Numbers of `brainbench.yml` changed in place: every other character stays as the user wrote it.

ruamel.yaml's round-trip reader tells where each value stands; only those characters are replaced,
and the document is read again to see that nothing else changed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from brainbench_gate.policy import parse_policy
from brainbench_schema.errors import UsageError
from brainbench_schema.numbers import format_number
from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Keys = tuple[str, ...]
_NUMBER = re.compile(r"[-+]?(\d[\d_]*)?\.?\d*([eE][-+]?\d+)?")


def set_numbers(data: bytes, numbers: Mapping[Keys, float], file: str = POLICY_FILE) -> bytes:
    """Change numbers of a policy that stand there already.

    Args:
        data: The policy as it stands on disk.
        numbers: The new values by the keys that lead to each, such as
            ``("floors", "push_precision")``.

    Returns:
        The document with only those numbers changed.

    Raises:
        UsageError: One of them isn't written as a plain number where its keys lead.
        InvalidInputError: It is no policy, before or after.
    """
    before = _read(data, file)
    text = data.decode("utf-8")
    places = {keys: _find_place(text, keys, file) for keys in numbers}
    for keys, (start, end) in sorted(places.items(), key=lambda place: place[1], reverse=True):
        text = text[:start] + format_number(numbers[keys]) + text[end:]
    changed = text.encode()
    if dict(_flatten(_read(changed, file))) != {**dict(_flatten(before)), **numbers}:
        raise UsageError(
            "the numbers can't be changed without changing something else",
            where=file,
            advice="write each of them out where it stands, without anchors",
        )
    return changed


def _find_place(text: str, keys: Keys, file: str) -> tuple[int, int]:
    """Give where a number's characters start and end."""
    from ruamel.yaml import YAML
    from ruamel.yaml.nodes import ScalarNode

    node = YAML(typ="rt", pure=True).compose(text)
    for key in keys:
        node = next((value for name, value in _pairs(node) if name.value == key), None)
    if isinstance(node, ScalarNode):
        start, end = node.start_mark.index, node.end_mark.index
        if _NUMBER.fullmatch(text[start:end]):
            return start, end
    raise UsageError(
        f"{' → '.join(keys)} is not written as a plain number",
        where=file,
        advice="write the number out where it stands, without anchor or tag",
    )


def _pairs(node: object) -> Iterator[tuple[Any, Any]]:
    from ruamel.yaml.nodes import MappingNode

    if isinstance(node, MappingNode):
        yield from node.value


def _read(data: bytes, file: str) -> Any:
    from ruamel.yaml import YAML

    parse_policy(data, file)
    return YAML(typ="safe", pure=True).load(data.decode("utf-8"))


def _flatten(value: object, keys: Keys = ()) -> Iterator[tuple[Keys, object]]:
    if isinstance(value, dict):
        for key, child in value.items():
            yield from _flatten(child, (*keys, str(key)))
    else:
        yield keys, value
