"""Takes pictures of the golden comments, for somebody to look at: `nox -s pictures -- FOLDER`.

A Markdown engine with GitHub's extensions renders each, and a headless Chromium takes its picture.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import cmarkgfm  # type: ignore[import-untyped]
from cmarkgfm.cmark import Options  # type: ignore[import-untyped]
from tests.report.goldens import FOLDER

STYLE = Path(__file__).with_name("picture.css")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
         "--hide-scrollbars", "--window-size=892,1100")  # fmt: skip
PAGE = """<!doctype html><meta charset="utf-8"><style>{style}</style>
<div class="frame"><div class="author"><b>github-actions</b> bot · commented</div>
<div class="body">{body}</div></div>
"""


def main() -> None:
    """Render every golden comment into a folder, as a page and as a picture."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    found = [program for name in BROWSERS if (program := shutil.which(name))]
    if not found:
        sys.exit(f"none of {', '.join(BROWSERS)} is installed")
    for comment in sorted(FOLDER.glob("*.md")):
        page = (folder / comment.name).with_suffix(".html")
        page.write_text(render_page(comment.read_text("utf-8")), encoding="utf-8")
        picture = page.with_suffix(".png")
        command = [found[0], *FLAGS, f"--screenshot={picture}", str(page)]
        subprocess.run(command, check=True, capture_output=True)
        sys.stdout.write(f"{picture}\n")


def render_page(markdown: str) -> str:
    """Render a comment as GitHub shows it, task list included."""
    body = cmarkgfm.github_flavored_markdown_to_html(markdown, Options.CMARK_OPT_UNSAFE)
    body = re.sub(r"<li>\[x\]", "<li><input type=checkbox checked disabled>", body)
    body = re.sub(r"<li>\[ \]", "<li><input type=checkbox disabled>", body)
    return PAGE.format(style=STYLE.read_text("utf-8"), body=body)


if __name__ == "__main__":
    main()
