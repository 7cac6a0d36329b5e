"""The policy document, `brainbench.yml`: what a repository gates, and how strictly."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from brainbench_schema import schemas
from brainbench_schema.errors import Fault, InvalidInputError
from brainbench_schema.fixture import SUITES

POLICY_FILE = "brainbench.yml"
HARNESSES = ("openclaw", "claude-code", "codex")


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemEntry:
    """How one memory system is started; empty fields are not declared."""

    kind: str
    command: tuple[str, ...] = ()
    factory: str | None = None
    cwd: str = "."
    env: tuple[str, ...] = ()
    timeout_s: float = 30
    capabilities: tuple[str, ...] | None = None
    slug_pattern: str | None = None
    mcp: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """The second benchmark's dataset, adapter and baseline."""

    dataset: str
    adapter: str
    baseline: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What a repository gates. Paths are relative to the folder of the policy file.

    Attributes:
        floors: Absolute bounds, keyed by metric (everywhere) or by cell and metric.
        repeats: Replays of which one document is made, 1 to 25: a system that is not steady over
            so many can't be gated by more of them either.
        gated: More metrics to gate, each ``higher`` or ``lower`` is better.
    """

    system: str
    name: str = "main"
    systems: dict[str, SystemEntry] = field(default_factory=dict)
    fixtures: str = "evals/brainbench/fixtures"
    gold: str = "evals/brainbench/gold"
    baseline: str = "baselines/main.json"
    harnesses: tuple[str, ...] = HARNESSES
    suites: tuple[str, ...] = SUITES
    floors: dict[str, float | dict[str, float]] = field(default_factory=dict)
    gated: dict[str, str] = field(default_factory=dict)
    repeats: int = 1
    first_landing: str = "report"
    stale_baseline: str = "note"
    recall: Recall | None = None

    @property
    def items(self) -> str:
        """Path of the items file beside the baseline."""
        return str(PurePosixPath(self.baseline).with_suffix(".items.json"))

    @classmethod
    def from_json(cls, document: dict[str, Any], file: str = POLICY_FILE) -> Policy:
        """Hold a policy against its schema and build it.

        Args:
            document: The policy as its YAML reader gave it.
            file: Its name, for the error.

        Raises:
            InvalidInputError: With every fault found.
        """
        faults = [*schemas.check("policy", document, file), *_loose_paths(document, file)]
        if faults:
            raise InvalidInputError(faults)
        plain = {key: value for key, value in document.items() if key != "schema_version"}
        for key in ("harnesses", "suites"):
            if key in plain:
                plain[key] = tuple(plain[key])
        plain["systems"] = {name: _entry(entry) for name, entry in plain.get("systems", {}).items()}
        if "recall" in plain:
            plain["recall"] = Recall(**plain["recall"])
        return cls(**plain)


def _entry(entry: dict[str, Any]) -> SystemEntry:
    lists = ("command", "env", "capabilities")
    fields: dict[str, Any] = {
        key: tuple(value) if key in lists else value for key, value in entry.items()
    }
    return SystemEntry(**fields)


def _loose_paths(document: object, file: str) -> list[Fault]:
    if not isinstance(document, dict):
        return []
    recall = document.get("recall")
    places = {f"/{key}": document.get(key) for key in ("fixtures", "gold", "baseline")}
    if isinstance(recall, dict):
        places |= {f"/recall/{key}": recall.get(key) for key in ("dataset", "baseline")}
    return [
        Fault(
            file=file,
            pointer=pointer,
            message=f"{path!r} leaves the repository",
            advice="give a path below the folder of this file, with forward slashes",
        )
        for pointer, path in places.items()
        if isinstance(path, str) and _leaves(path)
    ]


def _leaves(path: str) -> bool:
    parts = PurePosixPath(path).parts
    drive = ":" in path.partition("/")[0]
    return path.startswith("/") or ".." in parts or "\\" in path or drive
