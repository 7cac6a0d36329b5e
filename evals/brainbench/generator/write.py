"""Writing the corpus, and telling where a written one has drifted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

FOLDERS = ("fixtures", "gold")
LEDGER = "_ledger.json"


def write_files(root: Path, files: dict[str, bytes]) -> None:
    """Make `root` hold exactly these corpus files; other folders there stay untouched."""
    for path in _present(root) - set(files):
        (root / path).unlink()
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def find_drift(root: Path, files: dict[str, bytes]) -> list[str]:
    """One line for each file that is missing, extra or different; CRLF counts as LF."""
    present = _present(root)
    drift = dict.fromkeys(set(files) - present, "missing")
    drift |= dict.fromkeys(present - set(files), "extra")
    drift |= {
        path: "different"
        for path in present & set(files)
        if (root / path).read_bytes().replace(b"\r\n", b"\n") != files[path]
    }
    return [f"{drift[path]}: {path}" for path in sorted(drift)]


def _present(root: Path) -> set[str]:
    paths = [path for folder in FOLDERS for path in (root / folder).rglob("*") if path.is_file()]
    paths += [root / LEDGER] if (root / LEDGER).is_file() else []
    return {path.relative_to(root).as_posix() for path in paths}
