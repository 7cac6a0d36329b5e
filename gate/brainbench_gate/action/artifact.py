"""The artifact between measuring and judging: written as files, read as a ZIP that may lie."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from brainbench_gate.action.github import ApiError
from brainbench_gate.baseline import build_items, read_numbers
from brainbench_gate.bench.recorded import RESULT_NAME
from brainbench_schema.errors import Fault, InvalidInputError
from brainbench_schema.files import write_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from brainbench_gate.action.github import GitHub
    from brainbench_gate.measured import Bench, CorpusFiles, Measured, Survey
    from brainbench_gate.sides import Sides
    from brainbench_schema.policy import Policy

RESULT = "result.json"
MAX_ZIP_BYTES = 32 * 1024 * 1024
MAX_FILE_BYTES = 64 * 1024 * 1024
MAX_FILES = 32
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,100}\.json")


@dataclass(slots=True, kw_only=True)
class RecordingBench:
    """A bench that keeps what was measured, so that another job can judge it."""

    bench: Bench
    kept: list[Measured] = field(default_factory=list)

    def measure(self, policy: Policy, corpus: CorpusFiles) -> Measured:
        """Replay a corpus as a policy says."""
        measured = self.bench.measure(policy, corpus)
        self.kept.append(measured)
        return measured

    def survey(self, policy: Policy, corpus: CorpusFiles) -> Survey:
        """Read a corpus without replaying it."""
        return self.bench.survey(policy, corpus)


def write_artifact(
    folder: Path, kept: Sequence[Measured], accepted: Sequence[tuple[Sides, Measured]]
) -> Path:
    """Write each result, and the baseline files as `bless` would write them.

    Args:
        kept: What was measured, in order.
        accepted: For each benchmark its sides and the run on the tree's own ground.

    Returns:
        The first result's path.
    """
    for place, measured in enumerate(kept, start=1):
        name = RESULT if place == 1 else f"result-{place}.json"
        write_file(folder / name, measured.result.serialize())
    for sides, run in accepted:
        if sides.tree.policy is not None:
            _write_baseline(folder, sides.tree.policy, run, sides.base.baseline_blob)
    return folder / RESULT


def _write_baseline(folder: Path, policy: Policy, run: Measured, against: str | None) -> None:
    items = build_items(run.result, run.failed, capabilities=run.capabilities, against=against)
    write_file(folder / PurePosixPath(policy.items).name, items.serialize())
    write_file(folder / PurePosixPath(policy.baseline).name, read_numbers(run).serialize())


def fetch_results(github: GitHub, run_id: int, name: str) -> dict[str, bytes]:
    """Download the newest artifact of a run and give its results by name.

    Raises:
        ApiError: There is none, or it can't be had.
        InvalidInputError: It is not what it must be.
    """
    found = [one for one in github.list_artifacts(run_id, name) if _is_usable(one, name)]
    if not found:
        raise ApiError(
            f"the run {run_id} has no artifact {name}",
            where="artifacts",
            advice="look at the job that measures: it ended before it had a result",
        )
    newest = max(found, key=lambda one: int(one["id"]))
    if newest["size_in_bytes"] > MAX_ZIP_BYTES:
        raise _refuse(name, f"{newest['size_in_bytes']:,} bytes, the limit is {MAX_ZIP_BYTES:,}")
    return read_results(github.download_artifact(int(newest["id"]), MAX_ZIP_BYTES), name)


def _is_usable(one: Mapping[str, Any], name: str) -> bool:
    return one.get("name") == name and not one.get("expired")


def read_results(data: bytes, name: str) -> dict[str, bytes]:
    """Read the results out of a ZIP file, in memory.

    Raises:
        InvalidInputError: It is no ZIP file, or holds other files than an artifact does.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if faults := list(_odd_entries(entries, name)):
                raise InvalidInputError(faults)
            wanted = [one for one in entries if RESULT_NAME.fullmatch(one.filename)]
            if not any(one.filename == RESULT for one in wanted):
                raise _refuse(name, f"holds no {RESULT}")
            wanted.sort(key=lambda one: (len(one.filename), one.filename))
            return {f"{name}/{one.filename}": _inflate(archive, one, name) for one in wanted}
    except (zipfile.BadZipFile, NotImplementedError, EOFError, RuntimeError, OSError) as error:
        raise _refuse(name, f"is no ZIP file that can be read: {error}") from None


def _odd_entries(entries: list[zipfile.ZipInfo], name: str) -> list[Fault]:
    if len(entries) > MAX_FILES:
        return [_fault(name, f"holds {len(entries):,} files, the limit is {MAX_FILES}")]
    names = [entry.filename for entry in entries]
    odd = [f"{one!r} is no name of an artifact's file" for one in names if not _NAME.fullmatch(one)]
    odd += [f"holds {one!r} twice" for one in sorted(set(names)) if names.count(one) > 1]
    odd += [
        f"{entry.filename} has {entry.file_size:,} bytes, the limit is {MAX_FILE_BYTES:,}"
        for entry in entries
        if entry.file_size > MAX_FILE_BYTES
    ]
    return [_fault(name, message) for message in odd]


def _inflate(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> bytes:
    with archive.open(entry) as file:
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise _refuse(name, f"{entry.filename} is larger than it says")
    return data


def _fault(name: str, message: str) -> Fault:
    advice = "only the job that measures writes it; nothing of it was used"
    return Fault(file=f"artifact {name}", pointer="", message=message, advice=advice)


def _refuse(name: str, message: str) -> InvalidInputError:
    return InvalidInputError([_fault(name, message)])
