"""Runs real workflows with the real `action.yml` on this machine, against the fakes."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from atexit import register
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

from tests.action import payloads
from tests.action.consumer import bless, ground_files
from tests.gate.gitrepo import Repo

if TYPE_CHECKING:
    from tests.action.fake_github import FakeGitHub
    from tests.action.github_state import State
    from tests.gate.githttp import Server

PROJECT = Path(__file__).parents[2]
STAND_INS = Path(__file__).parent / "stand_ins"
ENVIRONMENT = Path(sys.prefix)
"""The prebuilt environment: the one that runs the tests, which has this project installed."""

ONE_STEP = """\
on: [pull_request, merge_group, push, schedule, workflow_dispatch, pull_request_target]
permissions: {}
jobs:
  gate:
    runs-on: ubuntu-latest
    permissions: {contents: read, pull-requests: write, statuses: write}
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - uses: org/brainbench-gate@v1
"""
NO_INPUTS: dict[str, str] = {}
Files = Mapping[str, "str | bytes | None"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What a workflow run came to.

    Attributes:
        outputs: Outputs of the last gate step.
        jobs: Names of the jobs that really ran.
    """

    ok: bool
    log: str
    outputs: dict[str, str]
    jobs: set[str]

    def verdict(self) -> tuple[str, str]:
        """Verdict and reason."""
        return self.outputs.get("verdict", ""), self.outputs.get("reason", "")


@dataclass(slots=True, kw_only=True)
class World:
    """A repository on a server, and the API beside it."""

    folder: Path
    repo: Repo
    git: Server
    api: FakeGitHub
    state: State
    base: str
    run_id: int = 4711
    environment: Path | None = ENVIRONMENT
    counter: int = 0
    extra: dict[str, str] = field(default_factory=dict)

    def change(self, files: Files, *blessing: str) -> str:
        """Commit files on the branch `change`, with a new baseline where asked; gives its head."""
        self.repo.branch("change", self.base)
        self.repo.write(files)
        if blessing:
            bless(self.repo, *[one for one in blessing if one], base="refs/heads/main")
        head = self.repo.commit({})
        self.repo.checkout("main")
        return head

    def open_pull(self, head: str, **more: Any) -> str:
        """Open pull request 7 for a head; gives the merge commit."""
        pull = self.state.add_pull(7, head=head, base=self.base, **more)
        pull["merge_commit_sha"] = self.repo.pull_request(7, head)
        return str(pull["merge_commit_sha"])

    def judge(
        self, head: str, inputs: Mapping[str, str] = NO_INPUTS, *, workflow: str = ONE_STEP
    ) -> Run:
        """Run a workflow for a pull request of a head."""
        merge = self.open_pull(head)
        payload = payloads.pull_request(head=head, base=self.base)
        return self.act("pull_request", payload, merge, workflow=workflow, inputs=inputs)

    def act(
        self,
        event: str,
        payload: dict[str, Any],
        sha: str,
        *,
        workflow: str = ONE_STEP,
        inputs: Mapping[str, str] = NO_INPUTS,
    ) -> Run:
        """Run a workflow for an event at a commit."""
        self.counter += 1
        here = self.folder / f"run-{self.counter}"
        (here / "workflows").mkdir(parents=True)
        text = with_probe(with_inputs(workflow, inputs))
        (here / "workflows" / "gate.yml").write_text(text, encoding="utf-8")
        (here / "event.json").write_text(json.dumps(payload), encoding="utf-8")
        trigger = self.repo.check_out_for_job(here / "trigger", sha)
        trigger.git("remote", "set-url", "origin", f"https://github.com/{self.state.repository}")
        done = subprocess.run(
            self._command(event, here, trigger.path),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=self._environ(here),
            check=False,
        )
        return read_run(done.returncode == 0, done.stdout.decode(), here)

    def _command(self, event: str, here: Path, workspace: Path) -> list[str]:
        pairs = {
            "GITHUB_API_URL": self.api.url,
            "GITHUB_SERVER_URL": self.git.url,
            "GITHUB_REPOSITORY": self.state.repository,
            "GITHUB_RUN_ID": str(self.run_id),
            "STAND_INS": str(STAND_INS),
            "STAND_IN_PYTHON": sys.executable,
            "STAND_IN_TOKEN": self.state.token,
            "STAND_IN_UPLOAD": self.api.url.removesuffix(self.api.prefix),
            "RESULTS": str(here),
            "CI": "true",
            **({"BRAINBENCH_ENVIRONMENT": str(self.environment)} if self.environment else {}),
            **self.extra,
        }
        act = shutil.which("act", path=f"{ENVIRONMENT / 'bin'}{os.pathsep}{os.environ['PATH']}")
        assert act is not None
        return [
            act,
            event,
            *("--directory", str(workspace), "--workflows", str(here / "workflows")),
            *("--eventpath", str(here / "event.json"), "--platform", "ubuntu-latest=-self-hosted"),
            *("--secret", f"GITHUB_TOKEN={self.state.token}", "--no-skip-checkout"),
            *(part for one in local_repositories() for part in ("--local-repository", one)),
            *(part for key, value in pairs.items() for part in ("--env", f"{key}={value}")),
        ]

    def _environ(self, here: Path) -> dict[str, str]:
        home = here / "home"
        home.mkdir()
        kept = ("PATH", "PIP_CERT", "PIP_INDEX_URL", "PIP_FIND_LINKS", "SSL_CERT_FILE")
        passed = {name: os.environ[name] for name in kept if name in os.environ}
        return {**passed, "HOME": str(home), "XDG_CACHE_HOME": str(here / "cache")}


def local_repositories() -> list[str]:
    """The actions, each with its stand-in; as `action.yml` and the README pin them."""
    text = (PROJECT / "action.yml").read_text("utf-8") + ONE_STEP + read_readme()
    pinned = set(re.findall(r"actions/([\w-]+)@([0-9a-f]{40}|v\d+)", text))
    found = [f"actions/{name}@{commit}={STAND_INS / name}" for name, commit in sorted(pinned)]
    return [*found, f"org/brainbench-gate@v1={copy_project()}"]


def read_readme() -> str:
    """The workflow that the README gives to newcomers."""
    text = (PROJECT / "README.md").read_text("utf-8")
    blocks: list[str] = re.findall(r"^```yaml\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    [workflow] = [block for block in blocks if "org/brainbench-gate@" in block]
    return workflow


@cache
def copy_project() -> Path:
    """Put what git would give of this project into a folder: act copies all that stands there."""
    folder = Path(mkdtemp(prefix="brainbench-action-"))
    register(shutil.rmtree, folder, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=PROJECT,
        capture_output=True,
        check=True,
    )
    for name in listed.stdout.decode().split("\0"):
        if name and (PROJECT / name).is_file() and not name.startswith("tests/"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT / name, folder / name)
    return folder


def with_inputs(workflow: str, inputs: Mapping[str, str]) -> str:
    """Give the gate's step inputs."""
    if not inputs:
        return workflow
    lines = "".join(f"          {name}: {json.dumps(value)}\n" for name, value in inputs.items())
    return workflow.replace(
        "      - uses: org/brainbench-gate@v1\n",
        f"      - uses: org/brainbench-gate@v1\n        with:\n{lines}",
    )


def with_checkout(workflow: str, setting: str) -> str:
    """Give every checkout one more setting."""
    own = "          persist-credentials: false\n"
    return workflow.replace(own, f"{own}          {setting}\n")


def with_step(workflow: str, script: str) -> str:
    """Put a step before the first of the gate's, as where a memory is installed."""
    gate = "      - uses: org/brainbench-gate@v1\n"
    lines = "".join(f"          {line}\n" for line in script.splitlines())
    return workflow.replace(gate, f"      - run: |\n{lines}{gate}", 1)


def with_probe(workflow: str) -> str:
    """Add a step that keeps the outputs, after each of the gate's."""
    step = re.compile(r"^      - uses: org/brainbench-gate@v1\n(?:        .*\n)*", re.MULTILINE)
    probe = (
        "        id: probed\n"
        "      - if: always()\n"
        "        env:\n"
        "          OUTPUTS: ${{ toJSON(steps.probed.outputs) }}\n"
        "          JOB: ${{ github.job }}\n"
        '        run: printf \'%s\' "$OUTPUTS" > "$RESULTS/outputs-$JOB.json"\n'
    )
    return step.sub(lambda found: f"{found.group()}{probe}", workflow)


def read_run(ok: bool, log: str, here: Path) -> Run:
    """Read what the probes kept; a job that didn't run kept nothing."""
    outputs: dict[str, str] = {}
    jobs = set()
    for file in sorted(here.glob("outputs-*.json"), key=lambda file: file.stat().st_mtime_ns):
        jobs.add(file.stem.removeprefix("outputs-"))
        outputs = json.loads(file.read_text("utf-8"))
    return Run(ok=ok, log=log, outputs=outputs, jobs=jobs)


def make_template(
    folder: Path, *, files: Files | None = None, blessed: bool = True, below: str = "."
) -> Repo:
    """A repository with policy, memory, corpus, more files and, where wanted, a baseline.

    Args:
        below: Where in the repository all of it stands.
    """
    repo = Repo(folder)
    for setting in ("allowAnySHA1InWant", "allowFilter"):
        repo.git("config", f"uploadpack.{setting}", "true")
    repo.write(
        {f"{below}/{name}": text for name, text in {**ground_files(), **(files or {})}.items()}
    )
    if blessed:
        bless(repo, folder=below)
    repo.commit({}, "ground")
    return repo
