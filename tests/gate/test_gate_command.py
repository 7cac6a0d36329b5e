"""The gate as a process, with a real replay: documents for machines, and verification."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.gate.command_line import brainbench
from tests.gate.gitrepo import Repo
from tests.gate.worlds import asks

if TYPE_CHECKING:
    from pathlib import Path

POLICY = {"brainbench.yml": "schema_version: 1\nsystem: silent\nsuites: [know-to-ask, push]\n"}


def test_a_refusal_is_a_document_too(tmp_path: Path) -> None:
    """Inconclusive with its code, exit 2, and the words on stderr."""
    Repo(tmp_path / "repo").commit({"README.md": "a word"})
    done = brainbench("gate", "--json", cwd=tmp_path / "repo")
    document = json.loads(done.stdout)
    assert (2, "inconclusive", "error") == (
        done.returncode,
        document["verdict"],
        document["reason"],
    )
    assert "there is no policy" in done.stderr


def test_a_regression_is_exit_1_after_adoption(tmp_path: Path) -> None:
    """Bless, push, lose a page: the verdict names the item, twice replayed."""
    origin = Repo(tmp_path / "origin")
    origin.commit({**POLICY, **asks("ada", "Ada Byron")})
    clone = origin.clone(tmp_path / "clone")
    loud = {"brainbench.yml": POLICY["brainbench.yml"].replace("silent", "everything")}
    assert 0 == brainbench("bless", "-q", cwd=clone.path).returncode
    assert 0 == brainbench("bless", "--check", "-q", cwd=clone.path).returncode
    origin.commit(_files(clone.path))
    clone.git("fetch", "--quiet", "origin")
    passed = brainbench("gate", "--verify", "--json", cwd=clone.path)
    assert (0, "held") == (passed.returncode, json.loads(passed.stdout)["reason"])
    clone.write(loud)
    worse = brainbench("gate", "--json", cwd=clone.path)
    assert 2 == worse.returncode
    refused = brainbench("bless", "-q", cwd=clone.path)
    assert 2 == refused.returncode
    assert "nothing was written" in refused.stderr
    reason = "policy: false fires are what we want to see"
    assert 0 == brainbench("bless", "-q", "--justification", reason, cwd=clone.path).returncode
    assert 0 == brainbench("gate", cwd=clone.path).returncode


def _files(folder: Path) -> dict[str, str | bytes | None]:
    """Both baseline files of a folder."""
    return {
        f"baselines/{name}": (folder / "baselines" / name).read_bytes()
        for name in ("main.json", "main.items.json")
    }
