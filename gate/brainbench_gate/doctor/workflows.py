"""The workflows: triggers, permissions, pins and filters of those that use the gate."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from brainbench_gate.doctor.symptom import Setting, Symptom, advise, good, stop
from brainbench_schema.errors import BrainbenchError
from brainbench_schema.files import read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

USES = re.compile(r"(^|/)brainbench-gate(@|$)|^\./")
COMMIT = re.compile(r"@[0-9a-f]{40}$")
LINK = "see docs/workflows.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Workflow:
    """A workflow that uses the gate.

    Attributes:
        triggers: What starts it, with its settings.
        jobs: Those jobs that use the gate.
    """

    name: str
    triggers: dict[str, Any]
    permissions: Any
    jobs: dict[str, dict[str, Any]]

    def steps(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Every step that uses the gate, with its job's name."""
        for name, job in self.jobs.items():
            yield from ((name, step) for step in job["steps"] if _is_gate(step))


def check_workflows(setting: Setting) -> Iterator[Symptom]:
    """Whether there is one, and each of them in turn."""
    found = []
    for path in sorted((setting.top / ".github" / "workflows").glob("*.y*ml")):
        workflow = read_workflow(path)
        if workflow is None:
            yield advise("workflow", f"{path.name} can't be read", "mend its YAML")
        elif workflow.jobs:
            found.append(workflow)
    if not found:
        yield advise("workflow", "none uses the gate", f"copy one: {LINK}")
    branch = _find_branch(setting) if any("push" in one.triggers for one in found) else ""
    for workflow in found:
        yield from examine_workflow(workflow, branch)


def _find_branch(setting: Setting) -> str:
    """Name the default branch; empty where nothing here can tell it."""
    from brainbench_gate.base import Repository, find_default_branch

    try:
        repository = Repository.open(setting.folder)
        if repository is None:
            return ""
        with repository:
            return find_default_branch(repository)
    except BrainbenchError:
        return ""


def read_workflow(path: Path) -> Workflow | None:
    """Read a workflow; None where it is no YAML."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        document = YAML(typ="safe", pure=True).load(read_file(path).decode("utf-8")) or {}
    except (YAMLError, BrainbenchError, UnicodeDecodeError):
        return None
    if not isinstance(document, dict):
        return None
    # YAML 1.1 readers take the key `on` for true.
    triggers = document.get("on", document.get(True))
    jobs = {
        name: job
        for name, job in (document.get("jobs") or {}).items()
        if isinstance(job, dict) and any(_is_gate(step) for step in job.get("steps") or ())
    }
    permissions = document.get("permissions")
    return Workflow(name=path.name, triggers=_table(triggers), permissions=permissions, jobs=jobs)


def _is_gate(step: object) -> bool:
    return isinstance(step, dict) and bool(USES.search(str(step.get("uses", ""))))


def _table(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return {str(key): entry or {} for key, entry in value.items()}
    names = value if isinstance(value, list) else [value] if value else []
    return {str(name): {} for name in names}


def examine_workflow(workflow: Workflow, branch: str = "") -> Iterator[Symptom]:
    """Every examination of one workflow; one line where all is well.

    Args:
        branch: The default branch; empty where it is not known.
    """
    found = [
        *_examine_triggers(workflow),
        *_examine_branches(workflow, branch),
        *_examine_filters(workflow),
        *_examine_permissions(workflow),
        *_examine_pins(workflow),
    ]
    yield from found
    if not found:
        yield good("workflow", f"{workflow.name} has triggers, grants and pins")


def _examine_triggers(workflow: Workflow) -> Iterator[Symptom]:
    name = f"triggers of {workflow.name}"
    if "pull_request_target" in workflow.triggers:
        text = "pull_request_target would run foreign code with write access"
        yield stop(name, text, f"use pull_request and the comment workflow: {LINK}")
    judges = {"pull_request", "workflow_run", "schedule", "workflow_dispatch"}
    if not judges & workflow.triggers.keys():
        yield stop(name, "no pull request starts it", "add `pull_request:`")
    if "pull_request" in workflow.triggers and "merge_group" not in workflow.triggers:
        text = "a merge queue would wait for ever"
        yield advise(name, text, "add `merge_group:`")


def _examine_branches(workflow: Workflow, branch: str) -> Iterator[Symptom]:
    """Pushes to the default branch are what tells of a main that holds no longer."""
    trigger = workflow.triggers.get("push")
    patterns = trigger.get("branches") if isinstance(trigger, dict) else None
    if not branch or patterns is None:
        return
    listed = [str(one) for one in (patterns if isinstance(patterns, list) else [patterns])]
    if not takes_branch(listed, branch):
        text = f"pushes to {', '.join(listed)} start it, not those to the default branch {branch}"
        yield advise(f"triggers of {workflow.name}", text, f"write `branches: [{branch}]`")


def takes_branch(patterns: Iterable[str], branch: str) -> bool:
    """Tell whether a filter takes a branch; a later `!pattern` takes it out again.

    Source: https://docs.github.com/actions/reference/workflows-and-actions/workflow-syntax, filter
    patterns. A `*` is read as `**`, and what has signs that are read otherwise there takes any
    branch, so that only what surely leaves a branch out does.
    """
    taken = False
    for pattern in patterns:
        if set("?+[\\") & set(pattern):
            taken = True
        elif fnmatchcase(branch, pattern.removeprefix("!")):
            taken = not pattern.startswith("!")
    return taken


def _examine_filters(workflow: Workflow) -> Iterator[Symptom]:
    for event, trigger in workflow.triggers.items():
        filters = {"paths", "paths-ignore"} & (trigger if isinstance(trigger, dict) else {}).keys()
        if filters and event in ("pull_request", "merge_group"):
            names = ", ".join(sorted(filters))
            text = f"{event} is filtered by {names}: a required status never comes"
            yield stop(f"filters of {workflow.name}", text, "take the filter out")


def _examine_permissions(workflow: Workflow) -> Iterator[Symptom]:
    name = f"permissions of {workflow.name}"
    for job_name, job in workflow.jobs.items():
        granted = job.get("permissions", workflow.permissions)
        if granted is None:
            text = f"{job_name} has whatever the repository's default is"
            yield advise(name, text, "put `permissions: {}` on top and grant by job")
            continue
        kinds = [
            (step.get("with") or {}).get("job", "gate") for step in job["steps"] if _is_gate(step)
        ]
        for missing in _missing_grants(granted, kinds):
            yield advise(name, f"{job_name} lacks `{missing}`", f"grant it to the job: {LINK}")


def _missing_grants(granted: Any, kinds: list[str]) -> Iterator[str]:
    if not isinstance(granted, dict):
        return
    wanted = {"contents": "read"}
    if "judge" in kinds:
        wanted["actions"] = "read"
    if "measure" not in kinds:
        wanted |= {"statuses": "write", "pull-requests": "write"}
    for key, least in wanted.items():
        if granted.get(key) not in (least, "write"):
            yield f"{key}: {least}"


def _examine_pins(workflow: Workflow) -> Iterator[Symptom]:
    for job_name, step in workflow.steps():
        used = str(step["uses"])
        if not used.startswith("./") and not COMMIT.search(used):
            text = f"{job_name} uses {used}, which its owner can move"
            yield advise(f"pins of {workflow.name}", text, "pin the commit, the version beside it")


EXAMINATIONS = (check_workflows,)
