"""The action's inputs, read from the environment and held against the base's policy."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from brainbench_gate.action.comment import MODES
from brainbench_gate.bench.recorded import is_foreign
from brainbench_schema.errors import UsageError
from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from brainbench_gate.sides import Sides
    from brainbench_schema.policy import Policy

PREFIX = "BRAINBENCH_INPUT_"
"""An input reaches the program as this and its name in capitals, `-` written as `_`."""


class Job(StrEnum):
    """What a job does: all in one, or one half of what two jobs do."""

    GATE = "gate"
    MEASURE = "measure"
    JUDGE = "judge"


class ContradictionError(UsageError):
    """An input asks for something other than the base's policy does."""

    reason = "input-contradicts-policy"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """The action's inputs; an empty text is an input that was not given."""

    job: Job = Job.GATE
    config: str = POLICY_FILE
    working_directory: str = "."
    base: str = ""
    system: str = ""
    suites: str = ""
    harnesses: str = ""
    include_holdout: str = ""
    result: str = ""
    comment: str = "changes"
    name: str = ""
    token: str = ""
    github_api_url: str = ""

    @classmethod
    def from_environ(cls, environ: Mapping[str, str]) -> Inputs:
        """Read the inputs.

        Raises:
            UsageError: One has a value that it can't have.
        """
        given = {
            name: value
            for name in cls.__dataclass_fields__
            if (value := environ.get(f"{PREFIX}{name.upper()}", "").strip())
        }
        job = _choose("job", given.pop("job", "gate"), tuple(Job))
        _choose("comment", given.get("comment", "changes"), MODES)
        _choose("include-holdout", given.get("include_holdout", "false"), ("true", "false"))
        for name in ("config", "working_directory"):
            _refuse_leaving(name, given.get(name, "."))
        return cls(job=Job(job), **given)

    @property
    def results(self) -> tuple[Path, ...]:
        """Files of the input `result`, one a line."""
        return tuple(Path(line.strip()) for line in self.result.splitlines() if line.strip())

    def folder(self, workspace: Path) -> Path:
        """Give the folder of the policy."""
        return workspace / self.working_directory


def _choose(name: str, value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise UsageError(
            f"can't be {value!r}", where=f"input {name}", advice=f"known are {', '.join(known)}"
        )
    return value


def _refuse_leaving(name: str, value: str) -> None:
    path = PurePosixPath(value.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or "\n" in value:
        raise UsageError(
            f"leaves the checkout: {value!r}",
            where=f"input {name.replace('_', '-')}",
            advice="give a path inside the repository, relative to its top",
        )


def refuse_contradictions(inputs: Inputs, sides: Sides) -> None:
    """Stop where an input differs from the base's policy: the workflow may be the head's own.

    Raises:
        ContradictionError: With every input that differs.
    """
    policy = sides.base.policy or sides.tree.policy
    if policy is None:
        return
    found = list(_contradictions(inputs, policy))
    if found:
        raise ContradictionError(
            f"contradicts the base's policy: {'; '.join(found)}",
            where="inputs",
            advice=f"change {inputs.config} in a pull request, and leave the input out",
        )


def _contradictions(inputs: Inputs, policy: Policy) -> Iterator[str]:
    if inputs.name and inputs.name != policy.name:
        yield f"name {inputs.name}, not {policy.name}"
    if inputs.system and inputs.system != policy.system:
        yield f"system {inputs.system}, not {policy.system}"
    for key, asked, stated in (
        ("suites", inputs.suites, policy.suites),
        ("harnesses", inputs.harnesses, policy.harnesses),
    ):
        if asked not in ("", "all") and _names(asked) != set(stated):
            yield f"{key} {asked}, not {','.join(stated)}"
    if inputs.include_holdout == "true":
        yield "include-holdout true: baselines are made without the fixtures held out"
    if inputs.result and not is_foreign(policy):
        yield f"result: {policy.system} is measured here, it is no foreign runner"


def _names(text: str) -> set[str]:
    return {name.strip() for name in text.split(",") if name.strip()}
