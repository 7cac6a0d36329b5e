"""A repository with a gate, its pull requests, and the job that judges them as CI would."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.gate.githttp import serving
from tests.gate.gitrepo import Repo
from tests.gate.memories import DescribedBench

from brainbench_gate.blessing import Blessing, bless_tree
from brainbench_gate.judging import Judged, judge_folder
from brainbench_gate.sides import open_sides
from brainbench_schema.errors import BrainbenchError
from brainbench_schema.policy import POLICY_FILE, Policy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from brainbench_gate.measured import Bench
    from brainbench_gate.sides import Sides
    from brainbench_gate.verdict import BenchmarkVerdict

FIXTURES, GOLD = "evals/brainbench/fixtures", "evals/brainbench/gold"
BASELINE, ITEMS = "baselines/main.json", "baselines/main.items.json"
MEMORY = "memory.json"
POLICY = """\
schema_version: 1
system: mine
systems:
  mine: {kind: command, command: [memory.json]}
"""
LOCAL = {"PATH": os.defpath}
TOKEN = "t0k3n"
Files = dict[str, "str | bytes | None"]


def asks(name: str, title: str, *, holdout: bool = False) -> Files:
    """A fixture that asks for one page, then talks of something else."""
    fixture: dict[str, Any] = {
        "schema_version": 1,
        "fixture_id": name,
        "suites": ["know-to-ask", "push"],
        "seed_pages": [page(title)],
        "turns": [
            {"turn_id": 1, "role": "user", "text": f"What did {title} say?"},
            {"turn_id": 2, "role": "user", "text": f"The weather is fine, says {name}."},
        ],
    }
    if holdout:
        fixture["holdout"] = True
    wanted = {"should_retrieve": True, "gold_slugs": [slug(title)]}
    return case(fixture, {"1": wanted, "2": {"should_retrieve": False}})


def keeps_sources_apart() -> Files:
    """A fixture with a page in another source, whose title is spoken."""
    fixture = {
        "schema_version": 1,
        "fixture_id": "apart",
        "suites": ["know-to-ask", "push"],
        "sources": ["vault"],
        "seed_pages": [page("Dora Lim"), {**page("Carol Poe"), "source_id": "vault"}],
        "turns": [
            {"turn_id": 1, "role": "user", "text": "Ask Dora Lim."},
            {"turn_id": 2, "role": "user", "text": "And Carol Poe?"},
        ],
    }
    wanted = {"should_retrieve": True, "gold_slugs": [slug("Dora Lim")]}
    return case(fixture, {"1": wanted, "2": {"should_retrieve": False}})


def writes() -> Files:
    """A fixture whose two facts are written back."""
    times = ("2026-01-01T10:00:00Z", "2026-01-01T10:01:00Z")
    facts = ("I like green tea.", "I moved to Oslo.")
    fixture = {
        "schema_version": 1,
        "fixture_id": "notes",
        "suites": ["write-back"],
        "turns": [
            {"turn_id": n, "role": "user", "text": fact, "ts": ts}
            for n, (fact, ts) in enumerate(zip(facts, times, strict=True), 1)
        ],
    }
    turns = {
        str(n): {"should_retrieve": False, "gold_facts": [told(fact)]}
        for n, fact in enumerate(facts, 1)
    }
    return case(fixture, turns)


def continues() -> Files:
    """A pair: what is decided in one conversation comes back in the other."""
    pair = {"pair_id": "trip"}
    writer = {
        "schema_version": 1,
        "fixture_id": "trip-writer",
        "suites": ["continuity"],
        "continuity": {**pair, "pair_role": "writer"},
        "turns": [
            {
                "turn_id": 1,
                "role": "user",
                "text": "We take the night train.",
                "ts": "2026-01-01T10:00:00Z",
            }
        ],
    }
    reader = {
        "schema_version": 1,
        "fixture_id": "trip-reader",
        "suites": ["continuity"],
        "continuity": {**pair, "pair_role": "reader"},
        "turns": [{"turn_id": 1, "role": "user", "text": "How do we travel?"}],
    }
    fact = {"should_retrieve": False, "gold_facts": [told("We take the night train.")]}
    probe = {"decision_id": "how", "expected_slugs": [], "match_keywords": ["night train"]}
    return {
        **case(writer, {"1": fact}),
        **case(reader, {}, continuity={**pair, "decisions": [probe]}),
    }


def told(fact: str) -> dict[str, Any]:
    """A gold fact that is matched by its own words."""
    return {"gist": fact, "fact": fact, "entity_slug": None, "match_keywords": [fact]}


def page(title: str) -> dict[str, str]:
    """A page of a person."""
    return {"slug": slug(title), "content": f"---\ntitle: {title}\ntype: person\n---\n"}


def slug(title: str) -> str:
    """The slug of a person's page."""
    return f"people/{title.lower().replace(' ', '-')}"


def case(
    fixture: dict[str, Any], turns: dict[str, Any], *, continuity: dict[str, Any] | None = None
) -> Files:
    """Both files of a case."""
    name = fixture["fixture_id"]
    gold: dict[str, Any] = {"fixture_id": name, "turns": turns}
    if continuity:
        gold["continuity"] = continuity
    return {
        f"{FIXTURES}/{name}.fixture.json": json.dumps(fixture, indent=1),
        f"{GOLD}/{name}.gold.json": json.dumps(gold, indent=1),
    }


def removed(*names: str) -> Files:
    """Take cases out of a corpus."""
    return {path: None for name in names for path in case({"fixture_id": name}, {})}


def memory(**traits: object) -> Files:
    """The memory of a tree."""
    return {MEMORY: json.dumps(traits)}


CORPUS: Files = {
    **asks("ada", "Ada Byron"),
    **asks("bob", "Bob Ray"),
    **asks("cyd", "Cyd Moon"),
    **keeps_sources_apart(),
    **writes(),
    **continues(),
}
TREE: Files = {POLICY_FILE: POLICY, **CORPUS, **memory(deaf=["Cyd Moon"])}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a judgement came to: a verdict, or an error."""

    code: int
    reason: str
    text: str
    judged: Judged | None = None

    @property
    def verdict(self) -> BenchmarkVerdict:
        """The verdict, which there has to be."""
        assert self.judged is not None, self.text
        return self.judged.document.worst

    @property
    def lines(self) -> str:
        """Everything that the checks say."""
        return "\n".join(
            line for check in self.verdict.checks for line in (check.name, check.text, *check.lines)
        )


def outcome(judge: Callable[[], Judged]) -> Outcome:
    """Turn a judgement or a refusal into what a process would end with."""
    try:
        judged = judge()
    except BrainbenchError as error:
        return Outcome(code=2, reason=error.reason, text=str(error))
    document = judged.document
    text = document.serialize().decode()
    return Outcome(code=document.exit_code, reason=document.worst.reason, text=text, judged=judged)


class World:
    """A repository on a server, whose main branch has a gate unless said otherwise."""

    def __init__(self, folder: Path, files: Mapping[str, str | bytes | None] | None = None) -> None:
        self.folder = folder
        self.origin = Repo(folder / "octo" / "memory")
        self._numbers = iter(range(1, 1000))
        self._prefix = "."
        if files is None:
            self.origin.commit(TREE)
            self.origin.commit(self.blessed(), "Accept the first run")
        else:
            self.origin.commit(files)

    def blessed(
        self,
        justification: str | None = None,
        *,
        base: str | None = None,
        bench: Bench | None = None,
    ) -> dict[str, bytes]:
        """The baseline files that `bless` would write for the tree checked out, unjudged."""
        blessing, policy = self._bless(justification, base, bench)
        return {
            policy.baseline: blessing.baseline.serialize(),
            policy.items: blessing.items.serialize(),
        }

    def _bless(
        self, justification: str | None, base: str | None, bench: Bench | None
    ) -> tuple[Blessing, Policy]:
        folder = self.origin.path / self._prefix
        name = f"refs/heads/{base}" if base else None
        with open_sides(folder, base_name=name, environ=LOCAL) as sides:
            assert sides.tree.policy is not None
            blessing = bless_tree(
                sides.tree,
                sides.base,
                bench or DescribedBench(folder=folder),
                sides.terms,
                justification=justification,
            )
            return blessing, sides.tree.policy

    def propose(
        self,
        files: Mapping[str, str | bytes | None],
        *,
        bless: str | bool = False,
        branch: str = "topic",
        at: str = "main",
    ) -> str:
        """Commit files on a branch; with `bless` also the baseline for them, with this reason.

        Returns:
            The branch's head.
        """
        self.origin.branch(branch, at)
        head = self.origin.commit(files)
        if bless is not False:
            reason = bless if isinstance(bless, str) else None
            head = self.origin.commit(self.blessed(reason, base="main"), "Bless")
        self.origin.checkout("main")
        return head

    def judge(
        self,
        head: str,
        *,
        event: str = "pull_request",
        make_bench: Callable[[Sides], Bench] | None = None,
        environ: Mapping[str, str] | None = None,
        ref: str | None = None,
        depth: int | None = 2,
        policy_file: str = POLICY_FILE,
        base_name: str | None = None,
        verify: bool = False,
        allowance: str | None = None,
        meddle: Callable[[Path], None] | None = None,
        base_sha: str | None = None,
        pushed_ref: str = "refs/heads/main",
    ) -> Outcome:
        """Judge a head against main in a fresh checkout, as the event's job would.

        Args:
            ref: What the job checks out; default the event's own ref.
            meddle: What an earlier step of the job does to the checkout.
            base_sha: What the event names as base; default main.
        """
        number = next(self._numbers)
        merge = self.origin.pull_request(number, head)
        refs = {"pull_request": f"refs/pull/{number}/merge", "merge_group": merge, "push": head}
        job = self.folder / f"job-{number}"
        self.origin.check_out_for_job(job, ref or refs.get(event, head), depth=depth)
        base_sha = base_sha or self.origin.id("main")
        payload = self.folder / f"event-{number}.json"
        payload.write_text(json.dumps(_payload(event, number, base_sha, head, merge, pushed_ref)))
        if meddle:
            meddle(job)
        folder = job / self._prefix
        with serving(self.folder, TOKEN) as server:
            return outcome(
                lambda: judge_folder(
                    folder,
                    make_bench or (lambda sides: DescribedBench(folder=folder)),
                    environ={
                        **LOCAL,
                        "CI": "true",
                        "GITHUB_ACTIONS": "true",
                        "GITHUB_EVENT_NAME": event,
                        "GITHUB_EVENT_PATH": str(payload),
                        "GITHUB_SERVER_URL": server.url,
                        "GITHUB_REPOSITORY": "octo/memory",
                        "BRAINBENCH_TOKEN": TOKEN,
                        **(environ or {}),
                    },
                    policy_file=policy_file,
                    base_name=base_name,
                    verify=verify,
                    allowance=allowance,
                )
            )

    def judge_pushed(self, before: str) -> Outcome:
        """Judge main as the push run does that follows a merge."""
        return self.judge(self.origin.id("main"), event="push", base_sha=before)

    def merge(self, head: str) -> str:
        """Merge a head into main, whatever any gate says."""
        self.origin.checkout("main")
        return self.origin.merge(head)

    def inside(self, prefix: str) -> World:
        """The same repository, with the gate in a folder of it."""
        other = World.__new__(World)
        other.__dict__.update(self.__dict__)
        other._prefix = prefix
        return other


def _payload(event: str, number: int, base: str, head: str, merge: str, ref: str) -> dict[str, Any]:
    payloads: dict[str, dict[str, Any]] = {
        "pull_request": {
            "pull_request": {
                "number": number,
                "head": {"sha": head, "ref": "topic"},
                "base": {"sha": base, "ref": "main"},
            }
        },
        "merge_group": {
            "merge_group": {"base_sha": base, "base_ref": "refs/heads/main", "head_sha": merge}
        },
        "push": {
            "ref": ref,
            "before": base,
            "after": head,
            "repository": {"default_branch": "main"},
        },
    }
    return payloads.get(event, {})
