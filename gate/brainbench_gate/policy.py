"""`brainbench.yml`: YAML → policy document."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from brainbench_gate.recall_view import RECALL_GATED
from brainbench_gate.rules import GATED, ISOLATION
from brainbench_schema.errors import Fault, InvalidInputError
from brainbench_schema.numbers import settle
from brainbench_schema.policy import POLICY_FILE, Policy

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 256 * 1024
FINITE = "write a finite number, or leave the key out"


def parse_policy(data: bytes, file: str = POLICY_FILE) -> Policy:
    """Read a policy strictly.

    Raises:
        InvalidInputError: Not YAML (merge conflict markers included), not UTF-8, a key twice,
            a number that is not finite, or against the schema; with every fault found.
    """
    document = _plain(_load(data, file))
    faults = [
        Fault(file=file, pointer=pointer, message="the number is not finite", advice=FINITE)
        for pointer, value in _numbers(document)
        if not math.isfinite(value)
    ]
    if faults:
        raise InvalidInputError(faults)
    policy = Policy.from_json(document, file)
    if turned := list(_turned_round(policy, file)):
        raise InvalidInputError(turned)
    return policy


def _turned_round(policy: Policy, file: str) -> Iterator[Fault]:
    """Find metrics of this project's own whose worse direction would count as the better one."""
    known = {**GATED, **RECALL_GATED, ISOLATION: "lower"}
    for metric, better in policy.gated.items():
        if known.get(metric, better) != better:
            yield Fault(
                file=file,
                pointer=f"/gated/{metric}",
                message=f"{metric} is gated already, and {known[metric]} is better",
                advice="`gated` is for more metrics: take this one out",
            )


def _load(data: bytes, file: str) -> Any:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    if len(data) > MAX_BYTES:
        message = f"{len(data):,} bytes, the limit is {MAX_BYTES:,}"
        raise _refuse(file, message, "a policy has a few lines: was another file put here?")
    try:
        return YAML(typ="safe", pure=True).load(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        message = f"not UTF-8 at byte {error.start}"
        raise _refuse(file, message, "save it as plain UTF-8") from None
    except (YAMLError, RecursionError, ValueError) as error:
        if b"<<<<<<<" in data:
            advice = "resolve them, then commit the file again"
            raise _refuse(file, "the file holds merge conflict markers", advice) from None
        raise _refuse(file, f"not YAML: {_say_where(error)}", "mend the file there") from None


def _say_where(error: Exception) -> str:
    """The parser's own words in one line; its hints on how to call it are left out."""
    problem, mark = getattr(error, "problem", None), getattr(error, "problem_mark", None)
    if not problem or mark is None:
        return " ".join(str(error).split())
    return f"{' '.join(problem.split())} at line {mark.line + 1}, column {mark.column + 1}"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(child) for key, child in value.items()}
    if isinstance(value, list):
        return [_plain(child) for child in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    return settle(value) if isinstance(value, float) else str(value)


def _numbers(value: object, pointer: str = "") -> Iterator[tuple[str, float]]:
    if isinstance(value, float):
        yield pointer, value
    elif isinstance(value, dict):
        for key, child in value.items():
            yield from _numbers(child, f"{pointer}/{key}")
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from _numbers(child, f"{pointer}/{index}")


def _refuse(file: str, message: str, advice: str) -> InvalidInputError:
    return InvalidInputError([Fault(file=file, pointer="", message=message, advice=advice)])
