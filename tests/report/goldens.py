"""Writes the golden comments anew: `python -m tests.report.goldens` from the top folder."""

from __future__ import annotations

from pathlib import Path

from tests.report.accounts import ACCOUNTS

from brainbench_gate.report.rendering import render_comment

FOLDER = Path(__file__).parent / "golden"


def main() -> None:
    """Render each account into its file."""
    FOLDER.mkdir(exist_ok=True)
    for name, account in ACCOUNTS.items():
        path = FOLDER / f"{name}.md"
        path.write_text(render_comment(account), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
