"""Attacks by way of the clone: names, depth, objects, settings, and what a step left behind."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import pytest
from tests.attacks.rows import row
from tests.gate.gitrepo import Repo
from tests.gate.memories import DescribedBench
from tests.gate.worlds import (
    BASELINE,
    FIXTURES,
    GOLD,
    ITEMS,
    LOCAL,
    World,
    memory,
    outcome,
)

from brainbench_gate.judging import judge_folder

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gate.worlds import Outcome

WORSE = memory(deaf=["Cyd Moon", "Bob Ray"])
LFS = f"version https://git-lfs.github.com/spec/v1\noid sha256:{0:064}\nsize 9\n"


def accepting(world: World) -> str:
    """A commit whose baseline accepts the worse memory."""
    world.origin.branch("doctored", "main")
    world.origin.commit(WORSE)
    head = world.origin.commit(world.blessed())
    world.origin.checkout("main")
    return head


def judge_local(folder: Path, name: str) -> Outcome:
    """Judge a clone as a local run does."""
    return outcome(
        lambda: judge_folder(
            folder,
            lambda sides: DescribedBench(folder=folder),
            environ=LOCAL,
            base_name=name,
        )
    )


@row(16)
def test_refs_named_like_the_base_are_not_it(tmp_path: Path) -> None:
    """Tags and branches of the clone can be called anything."""
    world = World(tmp_path)
    doctored = accepting(world)
    clone = world.origin.clone(tmp_path / "clone")
    clone.commit(WORSE)
    clone.git("fetch", "--quiet", "origin", "doctored")
    for ref in ("heads/origin/main", "tags/origin/main", "heads/refs/heads/main", "heads/HEAD"):
        clone.git("update-ref", f"refs/{ref}", doctored)
    found = judge_local(clone.path, "origin/main")
    assert (1, "regression") == (found.code, found.reason)


@row(16)
@pytest.mark.parametrize("name", ["-x", "HEAD", "main", "--upload-pack=touch x", "origin/../x"])
def test_a_name_that_could_mean_anything_is_refused(tmp_path: Path, name: str) -> None:
    """Only full refs, object ids and remote branches are names."""
    world = World(tmp_path)
    found = judge_local(world.origin.clone(tmp_path / "clone").path, name)
    assert (2, "bad-ref-name") == (found.code, found.reason)


@row(17)
def test_a_shallow_clone_whose_base_can_not_be_fetched(tmp_path: Path) -> None:
    """Without the base there is no verdict."""
    world = World(tmp_path)
    head = world.propose(WORSE)
    found = world.judge(head, depth=1, environ={"GITHUB_SERVER_URL": "http://127.0.0.1:9"})
    assert (2, "fetch-failed") == (found.code, found.reason)
    assert (1, "regression") == (world.judge(head, depth=1).code, world.judge(head).reason)


@row(17)
def test_a_missing_local_base_is_named(tmp_path: Path) -> None:
    """A missing ref is no first landing."""
    world = World(tmp_path)
    found = judge_local(world.origin.clone(tmp_path / "clone").path, "origin/gone")
    assert (2, "missing-ref") == (found.code, found.reason)


@row(40)
def test_a_replaced_object_has_no_effect(tmp_path: Path) -> None:
    """Replace refs of the clone are not followed."""
    world = World(tmp_path)
    doctored = accepting(world)
    head = world.propose(WORSE)

    def replace(job: Path) -> None:
        clone = Repo(job)
        clone.git("fetch", "--quiet", str(world.origin.path), doctored)
        for path in (BASELINE, ITEMS):
            clone.git(
                "replace", world.origin.id(f"main:{path}"), world.origin.id(f"{doctored}:{path}")
            )

    found = world.judge(head, meddle=replace)
    assert (1, "regression") == (found.code, found.reason)


@row(40)
def test_an_overwritten_object_is_found_out(tmp_path: Path) -> None:
    """Each object is hashed again when it is read."""
    world = World(tmp_path)
    doctored = accepting(world)
    blob, lie = (
        world.origin.id(f"main:{BASELINE}"),
        world.origin.git("show", f"{doctored}:{BASELINE}"),
    )

    def overwrite(job: Path) -> None:
        packs = job / ".git" / "objects" / "pack"
        for pack in packs.glob("*.pack"):
            data = pack.read_bytes()
            pack.chmod(0o600)
            pack.unlink()
            pack.with_suffix(".idx").unlink()
            Repo(job).git("unpack-objects", "-q", data=data)
        place = job / ".git" / "objects" / blob[:2] / blob[2:]
        place.chmod(0o600)
        place.write_bytes(zlib.compress(b"blob %d\0" % len(lie) + lie.encode()))

    found = world.judge(world.propose(WORSE), meddle=overwrite)
    assert (2, "corrupt-object") == (found.code, found.reason)


@row(43)
@pytest.mark.parametrize(
    "path",
    [f"{FIXTURES}/new.fixture.json", BASELINE, ITEMS, "brainbench.yml"],
)
def test_an_earlier_step_may_not_edit_what_is_judged(tmp_path: Path, path: str) -> None:
    """The work tree has to equal the commit there."""
    world = World(tmp_path)

    def edit(job: Path) -> None:
        place = job / path
        old = place.read_bytes() if place.exists() else b"{}"
        place.write_bytes(old + b"\n")

    found = world.judge(world.propose(WORSE), meddle=edit)
    assert (2, "git") == (found.code, found.reason)
    assert path in found.text


@row(43)
def test_an_earlier_step_may_not_leave_the_commit(tmp_path: Path) -> None:
    """Files that no commit holds are never judged in CI."""
    world = World(tmp_path)

    def leave(job: Path) -> None:
        Repo(job).git("checkout", "--quiet", "--orphan", "elsewhere")

    found = world.judge(world.propose(WORSE), meddle=leave)
    assert (2, "git") == (found.code, found.reason)
    assert "no commit is checked out" in found.text


@row(46)
@pytest.mark.parametrize("side", ["base", "head"])
@pytest.mark.parametrize("path", [BASELINE, f"{GOLD}/bob.gold.json"])
@pytest.mark.parametrize("kind", ["lfs", "link", "submodule"])
def test_what_is_no_plain_file_is_refused_by_name(
    tmp_path: Path, side: str, path: str, kind: str
) -> None:
    """On the head it is exit 2; on base it is a broken base, never a missing file."""
    world = World(tmp_path)
    good = world.origin.git("show", f"main:{path}") + "\n"
    world.origin.branch("odd", "main")
    odd = _put(world, path, kind)
    world.origin.checkout("main")
    if side == "head":
        found = world.judge(odd)
        assert 2 == found.code
        assert f"{path}: is a" in found.text
    else:
        world.merge(odd)
        found = world.judge(_mend(world, path, good))
        assert (1, "broken-base") == (found.code, found.reason)
        assert f"{path}: is a" in found.lines


def _put(world: World, path: str, kind: str) -> str:
    """Commit something other than a plain file."""
    entries = {
        "lfs": ("100644", world.origin.git("hash-object", "-w", "--stdin", data=LFS.encode())),
        "link": ("120000", world.origin.git("hash-object", "-w", "--stdin", data=b"elsewhere")),
        "submodule": ("160000", world.origin.head),
    }
    mode, id_ = entries[kind]
    world.origin.git("update-index", "--cacheinfo", f"{mode},{id_},{path}")
    world.origin.git("commit", "--quiet", "-m", kind)
    head = world.origin.head
    world.origin.git("reset", "--quiet", "--hard", "HEAD~1")
    return head


def _mend(world: World, path: str, good: str) -> str:
    """Put the file itself back and bless, without a reason."""
    blob = world.origin.git("hash-object", "-w", "--stdin", data=good.encode())
    world.origin.branch("topic", "main")
    world.origin.git("update-index", "--cacheinfo", f"100644,{blob},{path}")
    world.origin.git("commit", "--quiet", "-m", "Mend")
    world.origin.git("reset", "--quiet", "--hard")
    return world.origin.commit(world.blessed(base="main"))
