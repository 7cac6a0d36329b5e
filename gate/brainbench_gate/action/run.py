"""The action: measure, or judge what was measured, then tell GitHub. One readable sequence.

gate      measure and judge in this job, for those who trust their contributors
measure   replay and keep the documents; nothing is judged and nothing published
judge     fetch the documents of the job that measured, judge them, publish
workflow_run is always a judge; under pull_request_target nothing of the head may run.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from brainbench_gate.action.dispatch import find_number, stand_for
from brainbench_gate.action.github import GitHub
from brainbench_gate.action.inputs import Inputs, Job
from brainbench_gate.action.judging import Action, find_run_url, judge
from brainbench_gate.action.publish import Target
from brainbench_gate.action.runner import Runner
from brainbench_gate.action.telling import artifact_outputs, describe_failure, keep_artifact, tell
from brainbench_gate.base import EventName, parse_event
from brainbench_gate.exits import EXIT_ERROR
from brainbench_gate.rules import Verdict
from brainbench_gate.sides import read_payload
from brainbench_schema.errors import BrainbenchError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from brainbench_gate.base import Event
    from brainbench_gate.measured import Bench
    from brainbench_gate.sides import Sides

API_URL = "https://api.github.com"


def run_action(environ: Mapping[str, str], make_bench: Callable[[Sides], Bench]) -> int:
    """Do what the job is for.

    Args:
        environ: The step's environment.
        make_bench: Makes what measures, once both sides are known.

    Returns:
        The exit code: of the verdict, or for a job that only measures 0 where it could.

    Raises:
        BrainbenchError: Inputs or event can't be read, so that nothing can be published.
    """
    runner = Runner(environ=environ)
    try:
        action = open_action(environ, make_bench)
    except BrainbenchError as error:
        runner.set_outputs({"verdict": Verdict.INCONCLUSIVE.value, "reason": error.reason})
        raise
    try:
        if action.inputs.job is Job.MEASURE:
            return measure(action, runner)
        try:
            action.judged = judge(action)
        except BrainbenchError as error:
            return tell(action, describe_failure(error, action), runner)
        return tell(action, action.judged.document, runner)
    finally:
        action.github.close()


def measure(action: Action, runner: Runner) -> int:
    """Replay what a judge will ask for, by judging once here; keep the documents."""
    failure = None
    try:
        action.judged = judge(action)
    except BrainbenchError as error:
        failure = error
    path = keep_artifact(action)
    runner.set_outputs({**artifact_outputs(action, path), "result-path": str(path or "")})
    runner.say(str(failure or "measured; the job that judges says what it comes to"))
    return EXIT_ERROR if failure else 0


def open_action(environ: Mapping[str, str], make_bench: Callable[[Sides], Bench]) -> Action:
    """Read inputs and event."""
    inputs = Inputs.from_environ(environ)
    payload = read_payload(environ)
    api_url = inputs.github_api_url or environ.get("GITHUB_API_URL") or API_URL
    github = GitHub(api_url, environ.get("GITHUB_REPOSITORY", ""), inputs.token)
    event_name = environ.get("GITHUB_EVENT_NAME", "")
    if number := find_number(event_name, payload):
        environ = stand_for(number, environ, payload, github)
        event_name, payload = environ["GITHUB_EVENT_NAME"], read_payload(environ)
    event = parse_event(event_name, payload, environ)
    if event.name is EventName.WORKFLOW_RUN:
        inputs = replace(inputs, job=Job.JUDGE)
    return Action(
        inputs=inputs,
        environ={**environ, "BRAINBENCH_TOKEN": inputs.token},
        event=event,
        payload=payload,
        github=github,
        make_bench=make_bench,
        target=find_target(event, environ),
    )


def find_target(event: Event, environ: Mapping[str, str]) -> Target | None:
    """Tell from the event where its verdict belongs; None where that has to be looked up."""
    if event.name is EventName.WORKFLOW_RUN:
        return None
    branch = event.base_ref or event.ref or environ.get("GITHUB_REF", "")
    return Target(
        head_sha=event.head_sha or environ.get("GITHUB_SHA", ""),
        base_branch=branch.removeprefix("refs/heads/"),
        number=event.number,
        run_url=find_run_url(environ),
    )
