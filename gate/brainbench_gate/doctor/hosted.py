"""GitHub: what the token may do, the rules that bind, comments that stand twice.

Asked only where a token and a repository are known: in a workflow, or with GITHUB_TOKEN and
GITHUB_REPOSITORY set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from brainbench_gate.action.comment import find_own
from brainbench_gate.action.github import ApiError, GitHub
from brainbench_gate.doctor.symptom import Setting, Symptom, advise, good, stop
from brainbench_gate.policy import parse_policy
from brainbench_gate.report.sections import marker
from brainbench_schema.errors import BrainbenchError
from brainbench_schema.files import read_file

if TYPE_CHECKING:
    from collections.abc import Iterator

API_URL = "https://api.github.com"
LINK = "see docs/rulesets.md"


def check_hosted(setting: Setting) -> Iterator[Symptom]:
    """Everything that only the API knows."""
    repository = setting.environ.get("GITHUB_REPOSITORY", "")
    token = setting.environ.get("GITHUB_TOKEN") or setting.environ.get("GH_TOKEN", "")
    if not repository or not token:
        text = "not asked: GITHUB_REPOSITORY or GITHUB_TOKEN is not set"
        yield advise("github", text, "set both to examine permissions and rules")
        return
    api_url = setting.environ.get("GITHUB_API_URL") or API_URL
    github = GitHub(api_url, repository, token)
    try:
        yield from _examine(github, setting)
    except ApiError as error:
        yield stop("token", f"{error.what} ({error.where})", error.advice or "check the network")
    finally:
        github.close()


def _examine(github: GitHub, setting: Setting) -> Iterator[Symptom]:
    repository = github.get_repository()
    allowed = repository.get("permissions") or {}
    if allowed and not allowed.get("push"):
        yield advise("token", "can only read", "publishing needs a token that may write")
    else:
        yield good("token", f"reads {repository['full_name']}")
    branch, name = str(repository["default_branch"]), _gate_name(setting)
    yield examine_rules(github.list_rules(branch), f"brainbench/{name}/{branch}")
    yield from _examine_comments(github, setting, name)


def _gate_name(setting: Setting) -> str:
    try:
        return parse_policy(read_file(setting.folder / setting.policy_file)).name
    except BrainbenchError:
        return "main"


def examine_rules(rules: list[dict[str, Any]], context: str) -> Symptom:
    """Tell whether the status is required, and branches have to be up to date."""
    checks = [rule for rule in rules if rule.get("type") == "required_status_checks"]
    required = {
        check["context"]
        for rule in checks
        for check in (rule.get("parameters") or {}).get("required_status_checks", ())
    }
    if context not in required:
        return advise("ruleset", f"no rule requires {context}", f"add one: {LINK}")
    strict = any(
        (rule.get("parameters") or {}).get("strict_required_status_checks_policy")
        for rule in checks
    )
    if not strict and not any(rule.get("type") == "merge_queue" for rule in rules):
        text = f"{context} is required, but branches need not be up to date"
        return advise("ruleset", text, f"require it, or a merge queue: {LINK}")
    return good("ruleset", f"{context} is required")


def _examine_comments(github: GitHub, setting: Setting, name: str) -> Iterator[Symptom]:
    number = setting.environ.get("GITHUB_REF", "").removeprefix("refs/pull/").split("/")[0]
    if not number.isdigit():
        return
    own = find_own(github.list_comments(int(number)), github.find_viewer(), marker(name))
    if len(own) > 1:
        yield advise(
            "comments", f"{len(own)} carry the marker", "the next run removes the later ones"
        )


EXAMINATIONS = (check_hosted,)
