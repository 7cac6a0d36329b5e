"""Both sides of a comparison: read from commits and folders, refused by name, looked up behind."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.gate.documents import (
    BLOB,
    FILES,
    OTHER_FILES,
    POLICY,
    REASON,
    TWO,
    FixedBench,
    baseline,
    ground_of,
    run_of,
)
from tests.gate.gitrepo import Repo
from tests.gate.memories import DescribedBench
from tests.gate.worlds import (
    BASELINE,
    FIXTURES,
    GOLD,
    ITEMS,
    LOCAL,
    TREE,
    World,
    memory,
)
from tests.gate.worlds import (
    POLICY as POLICY_TEXT,
)

from brainbench_gate import causes
from brainbench_gate.base import BaseChoice, Repository
from brainbench_gate.blessing import bless_tree, describe_blessing, forgive_files, judge_blessing
from brainbench_gate.ground import FolderTree, Ground, read_ground
from brainbench_gate.judging import describe_error, judge_folder, judge_sides, refuse_allowance
from brainbench_gate.neighbours import find_policies
from brainbench_gate.refusals import (
    refuse_broken,
    refuse_deleted,
    refuse_own_floors,
    require_ground,
)
from brainbench_gate.rules import Verdict
from brainbench_gate.run import Terms, is_fresh, judge_change
from brainbench_gate.seal import put_seal
from brainbench_gate.sides import open_sides, read_commits
from brainbench_gate.standing import find_stale
from brainbench_schema.errors import (
    BrainbenchError,
    Fault,
    GitError,
    InvalidInputError,
    MemorySystemError,
    SystemStartError,
    UsageError,
)
from brainbench_schema.policy import POLICY_FILE

if TYPE_CHECKING:
    from brainbench_gate.measured import CorpusFiles, Measured, Survey
    from brainbench_gate.verdict import BenchmarkVerdict
    from brainbench_schema.policy import Policy

LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n"


def folder_of(path: Path) -> Path:
    """A folder with a gate, outside git."""
    for name, text in TREE.items():
        assert isinstance(text, str)
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text, encoding="utf-8")
    return path


def read(folder: Path) -> Ground:
    """The ground of a folder."""
    return read_ground(FolderTree(folder=folder, blob_id=lambda data: str(len(data))))


# outside git


def test_a_folder_outside_git_is_a_first_landing(tmp_path: Path) -> None:
    """Nothing is compared, and nothing can be named as base."""
    folder = folder_of(tmp_path)
    with open_sides(folder, environ=LOCAL) as sides:
        assert (Ground(), folder, "") == (sides.base, sides.folder, sides.provenance.base_commit)
        assert sides.tree.policy is not None
        found = judge_sides(sides, DescribedBench(folder=folder))
    assert "bootstrap" == found.document.worst.reason
    with (
        pytest.raises(UsageError, match="no git repository"),
        open_sides(folder, base_name="origin/main", environ=LOCAL),
    ):
        pytest.fail("there is no base outside git")


def test_a_workflow_needs_a_checkout(tmp_path: Path) -> None:
    """A folder without git is no first landing there."""
    folder = folder_of(tmp_path)
    with (
        pytest.raises(GitError, match="no git repository"),
        open_sides(folder, environ={**LOCAL, "GITHUB_ACTIONS": "true"}),
    ):
        pytest.fail("there is nothing to compare with")


@pytest.mark.parametrize("payload", [None, "{", "missing"])
def test_an_event_that_can_not_be_read_is_refused(tmp_path: Path, payload: str | None) -> None:
    """No variable, no file, no JSON."""
    Repo(tmp_path / "repo").commit({"a": "1"})
    environ = {**LOCAL, "GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "push"}
    if payload:
        environ["GITHUB_EVENT_PATH"] = str(tmp_path / "event.json")
    if payload == "{":
        (tmp_path / "event.json").write_text(payload, encoding="utf-8")
    with (
        pytest.raises(UsageError, match="event can't be read"),
        open_sides(tmp_path / "repo", environ=environ),
    ):
        pytest.fail("there is no event")


def test_a_repository_without_commits_is_a_first_landing(tmp_path: Path) -> None:
    """Its files are read as they stand."""
    repo = Repo(tmp_path / "repo")
    repo.write(TREE)
    found = judge_folder(
        repo.path, lambda sides: DescribedBench(folder=sides.folder), environ=LOCAL
    )
    assert ("bootstrap", "") == (found.document.worst.reason, found.document.provenance.head_commit)


# local runs


def test_a_local_run_reads_the_work_tree(tmp_path: Path) -> None:
    """Uncommitted changes count, and an allowance is for here."""
    world = World(tmp_path)
    clone = world.origin.clone(tmp_path / "clone").path
    (clone / "memory.json").write_text(json.dumps({"deaf": ["Bob Ray"]}), encoding="utf-8")

    def judge(allowance: str | None) -> int:
        found = judge_folder(
            clone,
            lambda sides: DescribedBench(folder=sides.folder),
            environ=LOCAL,
            allowance=allowance,
        )
        return found.document.exit_code

    assert (1, 0) == (judge(None), judge("a trial"))
    with pytest.raises(UsageError, match="empty"):
        judge(" ")
    refuse_allowance("a trial", {"CI": "false"})


def test_provenance_names_all_that_a_report_begins_with(tmp_path: Path) -> None:
    """Ref, commit, why, blob, its age, head and corpus."""
    world = World(tmp_path)
    world.origin.commit({"docs.md": "a word"})
    found = world.judge(world.propose({"README.md": "a word"}), depth=None)
    assert found.judged is not None
    told = found.judged.document.provenance
    assert ("refs/heads/main", world.origin.id("main")) == (told.base_ref, told.base_commit)
    assert world.origin.id(f"main:{BASELINE}") == told.baseline_blob
    assert (1, 64, 40) == (
        told.baseline_age_commits,
        len(told.fixtures_hash),
        len(told.head_commit),
    )


def test_a_second_gate_may_not_change_its_neighbour_in_the_work_tree(tmp_path: Path) -> None:
    """Locally the files are compared as they stand; a link is no file."""
    world = World(tmp_path)
    clone = world.origin.clone(tmp_path / "clone").path
    text = f"{POLICY_TEXT}name: second\nbaseline: baselines/second.json\n"
    (clone / "second.yml").write_text(text, encoding="utf-8")
    with open_sides(clone, environ=LOCAL, policy_file="second.yml") as sides:
        assert sides.base.policy is None
    (clone / BASELINE).unlink()
    (clone / BASELINE).symlink_to("main.items.json")
    with (
        pytest.raises(BrainbenchError, match="changes along"),
        open_sides(clone, environ=LOCAL, policy_file="second.yml"),
    ):
        pytest.fail("its neighbour changed")


# commits without a checkout


def test_both_sides_are_read_from_commits_alone(tmp_path: Path) -> None:
    """As a judge without a checkout does; terms know the history."""
    world = World(tmp_path)
    base = world.origin.id("main")
    head = world.propose(memory(deaf=["Cyd Moon", "Bob Ray"]), bless=REASON)
    choice = BaseChoice(ref="refs/heads/main", commit=base, why="so")
    repository = Repository.open(world.origin.path)
    assert repository is not None
    with repository:
        sides = read_commits(repository, head, choice)
        assert (head, base) == (sides.provenance.head_commit, sides.provenance.base_commit)
        assert sides.tree.baseline is not None
        assert not sides.terms.has_stood(sides.tree.baseline)
        assert base[:12] in sides.terms.find_cause()
        nothing = read_commits(repository, head, replace(choice, commit=None))
        assert (Ground(), None) == (nothing.base, nothing.provenance.baseline_blob)
        assert not nothing.terms.has_stood(sides.tree.baseline)
        assert causes.UNKNOWN == nothing.terms.find_cause()


def test_a_neighbour_is_read_from_the_head_commit(tmp_path: Path) -> None:
    """Also where nothing is checked out, and where it is gone."""
    world = World(tmp_path)
    base = world.origin.id("main")
    second = {"second.yml": f"{POLICY_TEXT}name: second\nbaseline: baselines/second.json\n"}
    choice = BaseChoice(ref="refs/heads/main", commit=base, why="so")
    good = world.propose(second)
    bad = world.propose({**second, ITEMS: None})
    repository = Repository.open(world.origin.path)
    assert repository is not None
    with repository:
        assert read_commits(repository, good, choice, "second.yml").base.policy is None
        with pytest.raises(BrainbenchError, match="changes along"):
            read_commits(repository, bad, choice, "second.yml")


def test_only_policies_are_found(tmp_path: Path) -> None:
    """Workflows, broken files and huge ones are none."""
    repo = Repo(tmp_path / "repo")
    commit = repo.commit(
        {
            "a/brainbench.yml": POLICY_TEXT,
            "b/brainbench.yml": "{",
            "ci.yml": "on: push",
            "odd.yaml": "schema_version: 1\nsystem: x\nodd: 1\n",
            "other.yaml": "schema_version: 1\nsystem: x\nname: other\n",
            "huge.yml": "# schema_version system\n" * 20_000,
        }
    )
    repository = Repository.open(repo.path)
    assert repository is not None
    with repository:
        found = [(path, policy.name) for path, policy in find_policies(repository, commit)]
    assert [("a/brainbench.yml", "main"), ("other.yaml", "other")] == found


def test_a_cause_is_a_merge_or_a_commit(tmp_path: Path) -> None:
    """Whichever last changed what has to hold together."""
    world = World(tmp_path)
    repository = Repository.open(world.origin.path)
    assert repository is not None
    with repository:
        commit = world.origin.id("main")
        ground = read(world.origin.path)
        told = causes.find_cause(repository, commit, ground, ground, POLICY_FILE)
        assert f"since the commit {commit[:12]}" == told
        world.merge(world.propose({f"{GOLD}/x.txt": "x"}))
        merge = world.origin.id("main")
        told = causes.find_cause(repository, merge, Ground(), ground, POLICY_FILE)
        assert f"since the merge {merge[:12]}" == told
        assert causes.UNKNOWN == causes.find_cause(
            repository, merge, Ground(), Ground(), POLICY_FILE
        )


def test_a_history_with_unreadable_baselines_is_walked_to_its_end(tmp_path: Path) -> None:
    """Broken and missing files are no match, and a cut ends the search."""
    world = World(tmp_path)
    old = read(world.origin.path).baseline
    assert old is not None
    world.origin.commit({BASELINE: "{"})
    world.origin.commit({BASELINE: None})
    tip = world.origin.commit(
        {BASELINE: old.serialize().replace(b'"gold_failed": 1', b'"gold_failed": 2', 1)}
    )
    for depth, stood in ((None, True), (1, False)):
        job = world.origin.check_out_for_job(tmp_path / f"job-{depth}", "main", depth=depth)
        repository = Repository.open(job.path)
        assert repository is not None
        with repository:
            assert stood == causes.has_stood(repository, tip, BASELINE, Ground(), old)
            assert not causes.has_stood(repository, tip, BASELINE, Ground(), baseline())


# grounds


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


# refusals


def test_a_ground_needs_policy_and_corpus() -> None:
    """Each is named where it is missing."""
    with pytest.raises(BrainbenchError, match="there is no policy"):
        require_ground(Ground(), POLICY_FILE)
    with pytest.raises(BrainbenchError, match="no corpus where the policy says"):
        require_ground(Ground(policy=POLICY), POLICY_FILE)
    assert (POLICY, FILES) == require_ground(Ground(policy=POLICY, corpus=FILES), POLICY_FILE)


def test_all_faults_are_told_before_other_refusals() -> None:
    """And those that are no faults one at a time."""
    fault = InvalidInputError([Fault(file="a", pointer="", message="odd")])
    refuse_broken(Ground())
    with pytest.raises(InvalidInputError, match="a: odd"):
        refuse_broken(Ground(broken={"b": GitError("x"), "a": fault}))
    with pytest.raises(GitError):
        refuse_broken(Ground(broken={"b": GitError("x")}))


def test_a_policy_that_was_never_there_is_not_deleted() -> None:
    """Nor is one that base can't read where the tree has it."""
    refuse_deleted(Ground(), Ground(), POLICY_FILE)
    refuse_deleted(Ground(policy=POLICY), Ground(), POLICY_FILE)
    broken: dict[str, BrainbenchError] = {
        POLICY_FILE: GitError("x"),
        POLICY.items: GitError("y"),
        POLICY.baseline: GitError("z"),
    }
    for tree, count in ((Ground(), 1), (Ground(policy=POLICY), 2)):
        with pytest.raises(InvalidInputError) as caught:
            refuse_deleted(tree, Ground(broken=broken), POLICY_FILE)
        assert count == len(caught.value.faults)


def test_own_floors_hold_for_what_is_committed() -> None:
    """What base breaks as far already may stand; without a baseline only the names count."""
    run = run_of()
    floors = replace(POLICY, floors={"push_recall": 0.8})
    tree, current = ground_of(run, policy=floors), baseline()
    with pytest.raises(InvalidInputError, match="beyond the floor"):
        refuse_own_floors(tree, Ground(), floors, current, POLICY_FILE)
    refuse_own_floors(tree, ground_of(run, policy=floors), floors, current, POLICY_FILE)
    refuse_own_floors(replace(tree, baseline=None), Ground(), floors, current, POLICY_FILE)
    odd = replace(POLICY, floors={"odd": 1})
    with pytest.raises(InvalidInputError, match=r"lax\.yml#/floors/odd"):
        refuse_own_floors(Ground(), Ground(), odd, current, "lax.yml")


# runs


def test_a_bare_run_is_judged_on_default_terms() -> None:
    """Nothing of a repository is needed."""
    run = run_of()
    ground = ground_of(run)
    verdict, measured = judge_change(ground, ground, FixedBench(runs=[(FILES, run)]))
    assert (Verdict.PASS, run) == (verdict.verdict, measured)
    stale = (
        replace(ground, items=replace(ground.items, fixtures_hash=TWO)) if ground.items else ground
    )
    verdict, _ = judge_change(stale, stale, FixedBench(runs=[(FILES, run)]))
    [committed] = [finding for finding in verdict.checks if finding.name == "committed-files"]
    assert "its history is not known here" in committed.text


def test_without_main_nothing_is_measured_on_its_ground() -> None:
    """A stale one, on changed ground."""
    run = run_of()
    base = ground_of(run_of(baseline(fixtures_hash=TWO)))
    new = run_of(baseline(fixtures_hash=TWO))
    tree = ground_of(
        new, corpus=OTHER_FILES, against=BLOB, justification="stale-main: two blessings merged"
    )
    bench = FixedBench(runs=[(OTHER_FILES, new), (FILES, run)])
    verdict, _ = judge_change(tree, base, bench)
    assert (Verdict.PASS, "not-measured") == (verdict.verdict, verdict.reason)


def test_an_entry_that_fails_alike_on_both_grounds_is_raised() -> None:
    """It is not gone: the code fails."""
    new = run_of(baseline(fixtures_hash=TWO))
    tree = ground_of(new, corpus=OTHER_FILES)
    bench = FixedBench(runs=[(OTHER_FILES, new), (FILES, MemorySystemError("crashed"))])
    with pytest.raises(MemorySystemError):
        judge_change(tree, ground_of(run_of()), bench)


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedBench:
    """Base's entry fails; the tree's own gives a run."""

    run: Measured
    failure: Exception

    def measure(self, policy: Policy, corpus: CorpusFiles) -> Measured:  # noqa: ARG002
        """Tell the two entries apart by name."""
        if policy.system != "moved":
            raise self.failure
        return self.run

    def survey(self, policy: Policy, corpus: CorpusFiles) -> Survey:  # noqa: ARG002
        """The run's."""
        return self.run.survey


def judge_moved(failure: Exception) -> BenchmarkVerdict:
    """Judge a tree whose system is another one, where base's fails like this."""
    run = run_of()
    tree, base = ground_of(run), ground_of(run)
    assert tree.policy is not None
    moved = replace(tree, policy=replace(tree.policy, system="moved"))
    verdict, _ = judge_change(moved, base, MovedBench(run=run, failure=failure))
    return verdict


def test_only_an_entry_that_can_not_start_is_gone() -> None:
    """One that starts and then fails is broken code, and nothing stands in for it."""
    told = [line for check in judge_moved(SystemStartError("not there")).checks
            for line in check.lines]  # fmt: skip
    assert any("can't start here: not there" in line for line in told)
    with pytest.raises(MemorySystemError, match="turn 3"):
        judge_moved(MemorySystemError("crashed at turn 3"))


@pytest.mark.parametrize(
    ("items", "own", "base", "fresh"),
    [(False, REASON, REASON, False), (False, REASON, "another", True), (True, REASON, None, True)],
)
def test_freshness_without_items_or_blob(
    items: bool, own: str, base: str | None, fresh: bool
) -> None:
    """The same string as main's is stale; without a base baseline nothing can be."""
    worse = run_of(baseline({"codex/push": {"push_recall": 0.5}}))
    tree = ground_of(worse, justification=own)
    main = ground_of(run_of(), justification=base)
    if not items:
        tree, main = replace(tree, items=None), replace(main, items=None)
    else:
        main = replace(main, baseline=None, baseline_blob=None)
    assert fresh == is_fresh(tree, main, lambda one: True)


def test_a_foreign_suite_is_not_counted() -> None:
    """Nor is a cell without an item list."""
    run = run_of(baseline({"codex/answers": {"f1": 1}}), {"codex/answers": ("q",)})
    ground = ground_of(run)
    assert "" == find_stale(ground.baseline, ground.items, None, run.survey)
    assert "" == find_stale(None, None, None, run.survey)


# blessing


def test_a_blessing_replaces_files_that_can_not_be_read() -> None:
    """And is judged as if it stood there."""
    run, main = run_of(), ground_of(run_of())
    odd: dict[str, BrainbenchError] = {
        path: GitError("a link") for path in (POLICY.baseline, POLICY.items)
    }
    tree = replace(main, baseline=None, items=None, broken=odd)
    assert {} == forgive_files(tree).broken
    assert odd == forgive_files(replace(tree, policy=None)).broken
    bench = FixedBench(runs=[(FILES, run)])
    blessing = bless_tree(tree, main, bench, Terms(), justification=None)
    assert (main.baseline, BLOB) == (blessing.baseline, blessing.items.against)
    assert Verdict.PASS is judge_blessing(blessing, tree, main, bench, Terms()).verdict
    assert ["1 cells, 4 items"] == list(describe_blessing(None, blessing.baseline))
    assert [] == list(describe_blessing(main.baseline, blessing.baseline))


def test_a_broken_corpus_is_not_blessed() -> None:
    """Only the files that a blessing writes are forgiven."""
    tree = replace(ground_of(run_of()), broken={POLICY.gold: GitError("a link")})
    with pytest.raises(GitError):
        bless_tree(tree, Ground(), FixedBench(), Terms(), justification=None)


# errors and seals


def test_an_error_is_told_to_machines() -> None:
    """Inconclusive, with its code and its first line."""
    told = describe_error(GitError("no base", where="origin", advice="fetch it"))
    assert ("inconclusive", "git", "Could not judge: origin: no base", []) == (
        told["verdict"],
        told["reason"],
        told["headline"],
        told["benchmarks"],
    )


def test_a_seal_knows_links_folders_and_what_can_not_be_read(tmp_path: Path) -> None:
    """Compiled files and git's own are not looked at."""
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "folder").mkdir()
    (tmp_path / "to-folder").symlink_to("folder")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "a.pyc").write_text("", encoding="utf-8")
    seal = put_seal([tmp_path, tmp_path / "dangling", tmp_path / "missing"])
    names = {Path(path).name for path in seal.digests}
    assert {"to-folder", "dangling"} == names
    (tmp_path / "__pycache__" / "x").write_text("", encoding="utf-8")
    (tmp_path / "a.pyc").write_text("x", encoding="utf-8")
    os.mkfifo(tmp_path / "__pycache__" / "pipe")
    seal.require_unbroken()
    odd = put_seal([Path("/proc/self/mem"), tmp_path / "__pycache__" / "pipe"])
    assert ["unreadable: Input/output error", "no file"] == list(odd.digests.values())
    (tmp_path / "missing").write_text("", encoding="utf-8")
    with pytest.raises(BrainbenchError, match="missing"):
        seal.require_unbroken()
