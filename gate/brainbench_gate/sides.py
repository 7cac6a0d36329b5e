"""The two sides of a comparison, found in a repository: the tree's ground and base's."""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from brainbench_gate.callers import find_edited_callers
from brainbench_gate.causes import find_cause, has_stood
from brainbench_gate.ground import CommitTree, FolderTree, Ground, Tree, read_ground
from brainbench_gate.neighbours import refuse_sidestep, refuse_taken_name
from brainbench_gate.recall_view import RECALL_NAME, view_recall
from brainbench_gate.run import Terms
from brainbench_gate.verdict import Provenance
from brainbench_schema.errors import GitError, UsageError
from brainbench_schema.policy import POLICY_FILE, Policy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from brainbench_gate.base import BaseChoice, Event, Repository


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """What is compared with what.

    Attributes:
        tree: The side under judgement.
        base: The side it is compared with; an empty ground for a first landing.
        provenance: Where both come from.
        terms: What the repository and the event add to a judgement; good while the sides are
            open.
        folder: Folder of the policy on disk; the memory under test is started from there.
        recall: The same for the second benchmark, where the tree's policy asks for it.
        dropped: Base's own side of the second benchmark, twice, where only base's policy asks
            for it: the code is judged on it one last time.
    """

    tree: Ground
    base: Ground
    provenance: Provenance
    terms: Terms = field(default_factory=Terms)
    folder: Path = field(default_factory=Path)
    recall: Sides | None = None
    dropped: Sides | None = None

    @property
    def all(self) -> tuple[Sides, ...]:
        """These sides, and those of the second benchmark where the tree's policy asks for it."""
        return (self,) if self.recall is None else (self, self.recall)


@contextmanager
def open_sides(
    folder: Path,
    *,
    base_name: str | None = None,
    environ: Mapping[str, str],
    policy_file: str = POLICY_FILE,
    compare: Callable[[str, str], str | None] | None = None,
) -> Iterator[Sides]:
    """Find and read both sides of a comparison.

    In CI the head's files are read as git objects and the work tree has to equal them; in a
    local run they are read as they stand.

    Args:
        folder: Folder of the policy.
        base_name: A local run's ``--base``.
        environ: The process's environment.
        policy_file: The policy's path in the folder.
        compare: Asks the API how a head stands to a base, as of `find_base`.

    Raises:
        BrainbenchError: A commit can't be named, found or read.
    """
    from brainbench_gate.base import EventName, Repository, find_base

    repository = Repository.open(folder)
    if repository is None:
        _refuse_without_git(folder, environ)
        files: Tree = FolderTree(folder=folder, blob_id=_blob_id)
        sides = Sides(
            tree=read_ground(files, policy_file),
            base=Ground(),
            provenance=_outside_git(base_name),
            terms=Terms(policy_file=policy_file),
            folder=folder,
        )
        yield _with_recall(sides, files, None)
        return
    with repository:
        event = _read_event(environ)
        token = environ.get("BRAINBENCH_TOKEN", "")
        choice = find_base(repository, event, name=base_name, token=token, compare=compare)
        files = _head_tree(repository, folder, event)
        tree = read_ground(files, policy_file)
        if in_actions(environ):
            _refuse_edited(repository, tree.policy, policy_file)
        commit = repository.head() if in_actions(environ) else None
        read_head = _make_reader(repository, commit)
        base = _read_base(repository, choice, tree, policy_file, read_head)
        terms = _make_terms(repository, choice, tree, base, policy_file)
        sides = Sides(
            tree=tree,
            base=base,
            provenance=_provenance(repository, choice, base, tree.policy),
            terms=replace(
                terms,
                grouped=event.name is EventName.MERGE_GROUP,
                callers=find_edited_callers(
                    repository,
                    choice.commit or None,
                    commit,
                    environ.get("GITHUB_WORKFLOW_REF", ""),
                ),
            ),
            folder=folder,
        )
        yield _with_recall(sides, files, (repository, choice))


def read_commits(
    repository: Repository, head: str, choice: BaseChoice, policy_file: str = POLICY_FILE
) -> Sides:
    """Read both sides as commits, without any clone; nothing of either is checked out.

    Args:
        repository: Where the commits are fetched from; its `prefix` is the policy's folder.
        head: Full object id of the commit under judgement.

    Raises:
        BrainbenchError: A commit can't be had or read.
    """
    files = CommitTree(repository=repository, commit=head)
    tree = read_ground(files, policy_file)
    read_head = _make_reader(repository, head)
    base = _read_base(repository, choice, tree, policy_file, read_head)
    provenance = _provenance(repository, choice, base, tree.policy)
    terms = _make_terms(repository, choice, tree, base, policy_file)
    callers = find_edited_callers(repository, choice.commit or None, head)
    sides = Sides(
        tree=tree,
        base=base,
        provenance=replace(provenance, head_commit=head),
        terms=replace(terms, callers=callers),
    )
    return _with_recall(sides, files, (repository, choice))


def _with_recall(sides: Sides, files: Tree, found: tuple[Repository, BaseChoice] | None) -> Sides:
    """Read both sides again for the second benchmark, where either side's policy asks for it."""
    policy, policy_file = sides.tree.policy, sides.terms.policy_file
    if policy is None:
        return sides
    base, terms = Ground(), sides.terms
    if found is not None and found[1].commit:
        commit = CommitTree(repository=found[0], commit=found[1].commit)
        base = read_ground(commit, policy_file, policy=policy, view=view_recall)
    if policy.recall is None and base.policy is None:
        return sides
    tree = base if policy.recall is None else read_ground(files, policy_file, view=view_recall)
    if found is not None:
        terms = _make_terms(*found, tree, base, policy_file)
    own = sides.terms
    terms = replace(terms, name=RECALL_NAME, grouped=own.grouped, callers=own.callers)
    second = replace(sides, tree=tree, base=base, terms=terms)
    if policy.recall is None:
        return replace(sides, dropped=second)
    return replace(sides, recall=second)


def in_actions(environ: Mapping[str, str]) -> bool:
    """Tell whether a GitHub workflow runs this process."""
    return environ.get("GITHUB_ACTIONS") == "true"


def read_payload(environ: Mapping[str, str]) -> Mapping[str, object]:
    """Read the document of the workflow's event.

    Raises:
        UsageError: There is none, or it is no object.
    """
    try:
        payload = json.loads(Path(environ["GITHUB_EVENT_PATH"]).read_bytes())
        if not isinstance(payload, dict):
            raise ValueError("it is no object")
    except (KeyError, OSError, ValueError) as error:
        raise UsageError(
            f"the workflow's event can't be read: {error}",
            where="GITHUB_EVENT_PATH",
            advice="run this in a step of a workflow, or unset GITHUB_ACTIONS and use "
            "`brainbench gate`",
        ) from error
    return payload


def _read_event(environ: Mapping[str, str]) -> Event:
    from brainbench_gate.base import LOCAL, parse_event

    if not in_actions(environ):
        return LOCAL
    return parse_event(environ.get("GITHUB_EVENT_NAME", ""), read_payload(environ), environ)


def _head_tree(repository: Repository, folder: Path, event: Event) -> Tree:
    from brainbench_gate.base import EventName

    if event.name is EventName.LOCAL:
        return FolderTree(folder=folder, blob_id=repository.blob_id)
    return CommitTree(repository=repository, commit=_require_head(repository))


def _require_head(repository: Repository) -> str:
    """Name the commit under test: in CI files that no commit holds are never judged."""
    head = repository.head()
    if head is None:
        raise GitError(
            "no commit is checked out",
            where="HEAD",
            advice="check out the event's own ref; an earlier step of the job may have left it",
        )
    return head


def _refuse_edited(repository: Repository, policy: Policy | None, policy_file: str) -> None:
    head = _require_head(repository)
    paths = [policy_file]
    if policy is not None:
        for one in (policy, view_recall(policy)):
            paths += [one.fixtures, one.gold, one.baseline, one.items] if one else []
    edited = repository.head_differences(head, [repository.tree_path(path) for path in paths])
    if edited:
        raise GitError(
            f"the work tree differs from the commit under test: {', '.join(edited[:5])}",
            where=head,
            advice="an earlier step of the job changed these files; undo that",
        )


def _make_reader(repository: Repository, commit: str | None) -> Callable[[str], bytes | None]:
    """Give what reads the head's files, by path from the top: a commit's, else the work tree's."""

    def read(path: str) -> bytes | None:
        if commit is not None:
            blob = repository.read_file(commit, path)
            return blob.data if blob is not None else None
        place = repository.top / path
        return place.read_bytes() if place.is_file() and not place.is_symlink() else None

    return read


def _read_base(
    repository: Repository,
    choice: BaseChoice,
    tree: Ground,
    policy_file: str,
    read_head: Callable[[str], bytes | None],
) -> Ground:
    if not choice.commit:
        return Ground()
    files = CommitTree(repository=repository, commit=choice.commit)
    base = read_ground(files, policy_file, policy=tree.policy)
    if tree.policy is None:
        return base
    if base.policy is None and policy_file not in base.broken:
        refuse_sidestep(repository, choice.commit, tree.policy, policy_file, read_head)
    elif base.policy is None or base.policy.name != tree.policy.name:
        refuse_taken_name(repository, choice.commit, tree.policy, policy_file)
    return base


def _make_terms(
    repository: Repository, choice: BaseChoice, tree: Ground, base: Ground, policy_file: str
) -> Terms:
    path = _baseline_path(base.policy, tree.policy)
    return Terms(
        policy_file=policy_file,
        find_cause=lambda: find_cause(repository, choice.commit, base, tree, policy_file),
        has_stood=lambda one: has_stood(repository, choice.commit, path, base, one),
    )


def _provenance(
    repository: Repository, choice: BaseChoice, base: Ground, policy: Policy | None
) -> Provenance:
    age = None
    if choice.commit and base.baseline_blob:
        path = repository.tree_path(_baseline_path(base.policy, policy))
        change = repository.last_change(choice.commit, path)
        age = change.age_commits if change else None
    return Provenance(
        base_ref=choice.ref,
        base_commit=choice.commit or "",
        why=choice.why,
        head_commit=repository.head() or "",
        fixtures_hash="",
        baseline_blob=base.baseline_blob,
        baseline_age_commits=age,
    )


def _refuse_without_git(folder: Path, environ: Mapping[str, str]) -> None:
    if in_actions(environ):
        raise GitError(
            "the checkout is no git repository, so there is nothing to compare with",
            where=str(folder),
            advice="run actions/checkout before the gate, with git on the PATH",
        )


def _baseline_path(*policies: Policy | None) -> str:
    known = [policy for policy in policies if policy is not None]
    return known[0].baseline if known else Policy(system="").baseline


def _outside_git(base_name: str | None) -> Provenance:
    if base_name:
        raise UsageError(
            "there is no git repository to find it in",
            where=f"--base {base_name}",
            advice="run inside a clone, or give --repo DIR",
        )
    return Provenance(
        base_ref="",
        base_commit="",
        why="the folder is not in a git repository",
        head_commit="",
        fixtures_hash="",
    )


def _blob_id(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0%s" % (len(data), data), usedforsecurity=False).hexdigest()
