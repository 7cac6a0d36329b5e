"""One repository's life; after each step the next pull request can be merged by anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.gate.worlds import (
    BASELINE,
    ITEMS,
    MEMORY,
    POLICY,
    TREE,
    World,
    asks,
    memory,
)

from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from tests.gate.worlds import Files, Outcome

MOVED = POLICY.replace("[memory.json]", "[src/memory.json]")
NEW_PLACE = "baseline: gate/accepted.json\n"
DEAF = memory(deaf=["Cyd Moon", "Bob Ray"])


class Life:
    """A repository that merges only what its gate lets through."""

    def __init__(self, folder: Path) -> None:
        self.world = World(folder, {"README.md": "a memory"})
        self._edits = 0

    def try_to_merge(self, files: Files, *, bless: str | bool = False) -> Outcome:
        """Propose, judge, and merge on a pass."""
        head = self.world.propose(files, bless=bless)
        found = self.world.judge(head)
        if found.code == 0:
            self.world.merge(head)
        return found

    def must_merge(self, files: Files, *, bless: str | bool = False) -> Outcome:
        """Propose what has to pass, and see that an unrelated pull request passes after it."""
        before = self.world.origin.id("main")
        found = self.try_to_merge(files, bless=bless)
        assert 0 == found.code, found.text
        pushed = self.world.judge_pushed(before)
        assert 0 == pushed.code, pushed.text
        self._edits += 1
        word = self.try_to_merge({f"docs/{self._edits}.md": "a word"})
        assert (0, word.reason) == (word.code, word.reason), word.text
        return found


def test_a_repository_lives_with_its_gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Adoption, regression, double blessing, policy, renames, moves, revert, upgrade, breakage."""
    life = Life(tmp_path)
    adopt(life)
    regress(life)
    bless_twice_at_once(life)
    change_policy(life)
    rename_baseline(life)
    move_system(life)
    revert(life)
    upgrade(life, monkeypatch)
    break_base(life)


def adopt(life: Life) -> None:
    """A policy alone reports; a baseline begins to gate."""
    assert "bootstrap" == life.must_merge(TREE).reason
    assert "bootstrap" == life.must_merge({"src/x": "1"}, bless=True).reason
    assert "held" == life.must_merge({"src/x": "2"}).reason


def regress(life: Life) -> None:
    """A regression is blocked, then merged with a reason, then held as the new normal."""
    assert "regression" == life.try_to_merge(DEAF).reason
    assert "regression" == life.try_to_merge(DEAF, bless=True).reason
    life.must_merge(DEAF, bless="push_recall: Bob Ray is rarely asked for, and speed gains")


def bless_twice_at_once(life: Life) -> None:
    """Two blessings are merged past the queue; any pull request leads out."""
    world = life.world
    first = world.propose(asks("eve", "Eve Low"), bless=True, branch="first")
    second = world.propose(asks("fay", "Fay Orr"), bless=True, branch="second")
    assert [0, 0] == [world.judge(head).code for head in (first, second)]
    world.merge(first)
    before = world.origin.id("main")
    world.origin.git("merge", "--quiet", "--no-ff", "-X", "theirs", "-m", "Merge", second)
    assert 2 == world.judge_pushed(before).code
    assert "stale-main" == life.try_to_merge({"src/x": "3"}).reason
    life.must_merge({"src/x": "3"}, bless="stale-main: two blessings were merged at once")


def change_policy(life: Life) -> None:
    """Floors come and go without a blessing; what is measured changes with a reason."""
    life.must_merge({POLICY_FILE: f"{POLICY}floors: {{push_recall: 0.5}}\n"})
    worst = memory(deaf=["Bob Ray", "Cyd Moon", "Ada Byron", "Eve Low"])
    assert "floor" == life.try_to_merge(worst).reason
    assert 2 == life.try_to_merge({POLICY_FILE: f"{POLICY}harnesses: [openclaw]\n"}).code
    life.must_merge(
        {POLICY_FILE: f"{POLICY}harnesses: [openclaw, codex]\n"},
        bless="policy: nobody uses the third harness here",
    )
    life.must_merge({POLICY_FILE: POLICY}, bless="policy: somebody does use it after all")


def rename_baseline(life: Life) -> None:
    """A bare rename is a deletion; through the policy it is a move."""
    world = life.world
    text = world.origin.git("show", f"main:{BASELINE}") + "\n"
    assert "bad-input" == life.try_to_merge({"gate/accepted.json": text, BASELINE: None}).reason
    life.must_merge(
        {POLICY_FILE: POLICY + NEW_PLACE, BASELINE: None, ITEMS: None},
        bless="policy: the baseline moves to the gate's folder",
    )


def move_system(life: Life) -> None:
    """Base's entry starts no more; the tree's own is measured in its place."""
    moved: Files = {
        POLICY_FILE: MOVED + NEW_PLACE,
        MEMORY: None,
        f"src/{MEMORY}": DEAF[MEMORY],
    }
    reason = "policy, system: the memory moves to src"
    assert "policy-changed" == life.try_to_merge(moved).reason
    assert "entry-gone" == life.try_to_merge(moved, bless="policy: the memory moves to src").reason
    life.must_merge(moved, bless=reason)


def revert(life: Life) -> None:
    """A better memory is banked; reverting it brings back no old reason, and needs one."""
    world = life.world
    before = world.origin.id("main")
    life.must_merge({f"src/{MEMORY}": memory(deaf=["Cyd Moon"])[MEMORY]}, bless=True)
    paths = (f"src/{MEMORY}", "gate/accepted.json", "gate/accepted.items.json")
    old: Files = {path: f"{world.origin.git('show', f'{before}:{path}')}\n" for path in paths}
    assert life.try_to_merge(old).code != 0
    life.must_merge(old, bless="push_recall: the better memory was too slow for release")


def upgrade(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    """A release that raises `measure` is blessed by name, once."""
    for module in ("baseline", "standing"):
        monkeypatch.setattr(f"brainbench_gate.{module}.MEASURE", 2)
    assert "measure-changed" == life.try_to_merge({"pin": "2"}).reason
    life.must_merge({"pin": "2"}, bless="measure: the new release counts anew")


def break_base(life: Life) -> None:
    """A merge past every gate leaves conflict markers; anybody mends them."""
    world = life.world
    path = "gate/accepted.items.json"
    good = world.origin.git("show", f"main:{path}") + "\n"
    world.merge(world.propose({path: f"<<<<<<< ours\n{good}"}))
    assert "bad-input" == life.try_to_merge({"src/x": "4"}).reason
    assert "broken-base" == life.try_to_merge({path: good}, bless=True).reason
    life.must_merge({path: good}, bless="broken-base: a merge left conflict markers")
