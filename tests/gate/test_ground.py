"""What one side stands on: missing files are none, odd ones are refused by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.gate.documents import baseline
from tests.gate.folders import folder_of, read
from tests.gate.worlds import BASELINE, FIXTURES, GOLD
from tests.gate.worlds import POLICY as POLICY_TEXT

from brainbench_gate.ground import FolderTree, Ground, read_ground
from brainbench_gate.refusals import refuse_broken
from brainbench_schema.errors import BrainbenchError
from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from pathlib import Path

LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"


def test_what_is_not_there_is_none(tmp_path: Path) -> None:
    """Without a policy nothing else is looked for."""
    assert Ground() == read(tmp_path)
    (tmp_path / POLICY_FILE).write_text(POLICY_TEXT, encoding="utf-8")
    ground = read(tmp_path)
    assert (None, None, None, {}) == (ground.corpus, ground.baseline, ground.items, ground.broken)
    (tmp_path / FIXTURES).mkdir(parents=True)
    assert read(tmp_path).corpus is None


def test_a_policy_of_another_tree_names_the_places(tmp_path: Path) -> None:
    """Where the own one is missing or broken."""
    folder = folder_of(tmp_path)
    policy = read(folder).policy
    assert policy is not None
    (folder / POLICY_FILE).write_text("{", encoding="utf-8")
    tree = FolderTree(folder=folder, blob_id=lambda data: "")
    ground = read_ground(tree, policy=policy)
    assert (None, [POLICY_FILE]) == (ground.policy, list(ground.broken))
    assert ground.corpus is not None


@pytest.mark.parametrize(
    ("path", "kind", "said"),
    [
        (BASELINE, "link", "not a symlink"),
        (BASELINE, "folder", "not a folder"),
        (BASELINE, "lfs", "Git LFS pointer"),
        (GOLD, "link", "not a symlink"),
        (GOLD, "file", "not a file"),
        (GOLD, "submodule", "not a submodule"),
        (f"{GOLD}/x.gold.json", "lfs", "Git LFS pointer"),
        ("baselines", "link", "not a symlink"),
    ],
)
def test_odd_things_of_a_work_tree_are_refused_by_name(
    tmp_path: Path, path: str, kind: str, said: str
) -> None:
    """Never taken for missing files."""
    folder = folder_of(tmp_path / "folder")
    (folder / "baselines").mkdir()
    (folder / BASELINE).write_bytes(baseline().serialize())
    place = folder / path
    elsewhere = tmp_path / "elsewhere"
    match kind:
        case "link":
            place.rename(elsewhere)
            place.symlink_to(elsewhere)
        case "folder":
            place.unlink()
            place.mkdir()
        case "file":
            place.rename(elsewhere)
            place.write_text("", encoding="utf-8")
        case "submodule":
            (place / ".git").write_text("gitdir: x", encoding="utf-8")
        case _:
            place.write_text(LFS, encoding="utf-8")
    with pytest.raises(BrainbenchError, match=said):
        refuse_broken(read(folder))
