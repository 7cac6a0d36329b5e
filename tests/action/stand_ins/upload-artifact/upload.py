"""Sends a folder's files to the fake as a ZIP file."""

from __future__ import annotations

import io
import os
import urllib.request
import zipfile
from pathlib import Path


def main() -> None:
    """Pack and send."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(Path(os.environ["FOLDER"]).iterdir()):
            archive.write(file, file.name)
    place = f"{os.environ['GITHUB_RUN_ID']}/{os.environ['NAME']}"
    url = f"{os.environ['STAND_IN_UPLOAD']}/_upload/{place}"
    urllib.request.urlopen(urllib.request.Request(url, data.getvalue(), method="POST")).close()


if __name__ == "__main__":
    main()
