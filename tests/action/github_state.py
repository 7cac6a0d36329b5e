"""What a fake GitHub knows, and what it answers: no sockets, no files."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

API = Path(__file__).parent / "github_api"
EXAMPLES: dict[str, Any] = json.loads((API / "examples.json").read_text("utf-8"))
BOT = "github-actions[bot]"
REPO = "/repos/{owner}/{repo}"
DEFAULT_PER_PAGE = 30


@dataclass(slots=True, kw_only=True)
class Fault:
    """An answer that stands in for the right one, so many times."""

    method: str
    path: str
    status: int
    headers: dict[str, str] = field(default_factory=dict)
    times: int = 1
    after: bool = False
    """Whether the request takes effect all the same, as when only the answer got lost."""
    body: Any = None
    """What it says; GitHub's own words where None."""

    def answer(self) -> Answer:
        """Give it."""
        if self.body is not None:
            return Answer(status=self.status, body=self.body, headers=self.headers)
        return refuse(self.status, self.headers)


@dataclass(slots=True, kw_only=True)
class Answer:
    """What a request comes to."""

    status: int
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class State:
    """One repository on a server, and who is asking.

    Attributes:
        seen: Method and path of each request, in order.
    """

    repository: str = "owner/consumer"
    repository_id: int = 1001
    viewer: str = BOT
    token: str = "secret-token"
    pulls: dict[int, dict[str, Any]] = field(default_factory=dict)
    comments: list[dict[str, Any]] = field(default_factory=list)
    statuses: list[dict[str, Any]] = field(default_factory=list)
    artifacts: list[dict[str, Any]] = field(default_factory=list)
    zips: dict[int, bytes] = field(default_factory=dict)
    rules: list[dict[str, Any]] = field(default_factory=list)
    comparisons: dict[str, str] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    read_only: bool = False
    seen: list[tuple[str, str]] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=lambda: iter(range(5000, 10**6)))

    def add_pull(
        self,
        number: int,
        *,
        head: str,
        base: str,
        branch: str = "change",
        fork_id: int | None = None,
    ) -> dict[str, Any]:
        """Open a pull request."""
        pull: dict[str, Any] = copy.deepcopy(EXAMPLES[f"get {REPO}/pulls/{{pull_number}}"])
        owner = "forker" if fork_id else self.repository.split("/")[0]
        pull |= {"number": number, "state": "open", "requested_teams": []}
        pull["head"] |= {"sha": head, "ref": branch, "label": f"{owner}:{branch}"}
        pull["base"] |= {"sha": base, "ref": "main"}
        pull["base"]["repo"] |= {"id": self.repository_id, "full_name": self.repository}
        pull["head"]["repo"] |= {"id": fork_id or self.repository_id}
        self.pulls[number] = pull
        return pull

    def add_comment(
        self, number: int, body: str, *, login: str = BOT, kind: str = "Bot"
    ) -> dict[str, Any]:
        """Put a comment under a pull request."""
        example = EXAMPLES[f"post {REPO}/issues/{{issue_number}}/comments"]
        comment: dict[str, Any] = copy.deepcopy(example)
        comment |= {"id": next(self.numbers), "body": body}
        comment["user"] |= {"login": login, "type": kind}
        comment["html_url"] = f"https://github.example/pull/{number}#c{comment['id']}"
        comment["issue_url"] = f"https://github.example/issues/{number}"
        self.comments.append(comment)
        return comment

    def add_artifact(self, run_id: int, name: str, data: bytes, size: int | None = None) -> None:
        """Attach an artifact to a workflow run."""
        listed = EXAMPLES[f"get {REPO}/actions/runs/{{run_id}}/artifacts"]["artifacts"]
        one = copy.deepcopy(listed[0])
        one |= {"id": next(self.numbers), "name": name, "size_in_bytes": size or len(data)}
        one |= {"expired": False, "run": run_id}
        self.artifacts.append(one)
        self.zips[one["id"]] = data

    def comments_of(self, number: int) -> list[dict[str, Any]]:
        """The comments of a pull request."""
        return [one for one in self.comments if one["issue_url"].endswith(f"/{number}")]

    def take_fault(self, method: str, path: str) -> Fault | None:
        """Give the fault that is due for a request."""
        for fault in self.faults:
            if fault.times and fault.method == method and re.search(fault.path, path):
                fault.times -= 1
                return fault
        return None

    def answer(self, method: str, path: str, query: dict[str, str], body: Any) -> Answer:
        """Answer a request below the repository."""
        self.seen.append((method, path))
        fault = self.take_fault(method, path)
        if fault and not fault.after:
            return fault.answer()
        if self.read_only and method != "GET":
            return refuse(403, {"x-accepted-github-permissions": "pull_requests=write"})
        answer = self._route(method, path, query, body)
        return fault.answer() if fault else answer

    def _route(self, method: str, path: str, query: dict[str, str], body: Any) -> Answer:
        for wanted, pattern, handle in ROUTES:
            if wanted == method and (found := re.fullmatch(pattern, path)):
                return handle(self, found.groups(), query, body)
        return refuse(404)


def refuse(
    status: int, headers: dict[str, str] | None = None, *, message: str = "refused"
) -> Answer:
    """A refusal as GitHub words it."""
    body = {
        "message": message,
        "documentation_url": "https://docs.github.example",
        "status": str(status),
    }
    return Answer(status=status, body=body, headers=headers or {})


def _page(entries: list[Any], query: dict[str, str]) -> Answer:
    size, page = int(query.get("per_page", DEFAULT_PER_PAGE)), int(query.get("page", 1))
    more = len(entries) > size * page
    headers = {"x-next-page": str(page + 1)} if more else {}
    return Answer(status=200, body=entries[size * (page - 1) : size * page], headers=headers)


def _list_comments(state: State, found: Any, query: dict[str, str], body: Any) -> Answer:
    return _page(state.comments_of(int(found[0])), query)


def _create_comment(state: State, found: Any, query: dict[str, str], body: Any) -> Answer:
    if len(body["body"]) > 65_536:
        return refuse(422)
    made = state.add_comment(int(found[0]), body["body"], login=state.viewer)
    return Answer(status=201, body=made)


def _update_comment(state: State, found: Any, query: dict[str, str], body: Any) -> Answer:
    for one in state.comments:
        if one["id"] == int(found[0]):
            one["body"] = body["body"]
            return Answer(status=200, body=one)
    return refuse(404)


def _delete_comment(state: State, found: Any, query: dict[str, str], body: Any) -> Answer:
    state.comments = [one for one in state.comments if one["id"] != int(found[0])]
    return Answer(status=204)


def _get_pull(state: State, found: Any, query: dict[str, str], body: Any) -> Answer:
    pull = state.pulls.get(int(found[0]))
    return Answer(status=200, body=pull) if pull else refuse(404)


def _list_pulls(state: State, found: Any, query: dict[str, str], body: Any) -> Answer:
    simple = EXAMPLES[f"get {REPO}/pulls"][0]
    fitting = [
        {key: pull.get(key, simple[key]) for key in simple}
        for pull in state.pulls.values()
        if pull["state"] == query.get("state", "open")
        and pull["head"]["label"] == query.get("head", pull["head"]["label"])
    ]
    return _page(fitting, query)


def _compare(state: State, found: Any, query: dict[str, str], body: Any) -> Answer:
    status = state.comparisons.get(found[0], "diverged")
    answer = copy.deepcopy(state_comparison())
    return Answer(status=200, body=answer | {"status": status})


def state_comparison() -> dict[str, Any]:
    """A comparison as short as the description allows."""
    commit: dict[str, Any] = {
        "url": "https://api.github.example/c",
        "sha": "0" * 40,
        "node_id": "n",
        "html_url": "https://github.example/c",
        "comments_url": "https://github.example/c",
        "commit": {
            "url": "https://github.example/c",
            "author": None,
            "committer": None,
            "message": "m",
            "comment_count": 0,
            "tree": {"sha": "0" * 40, "url": "https://github.example/t"},
        },
        "author": None,
        "committer": None,
        "parents": [],
    }
    links = ("url", "html_url", "permalink_url", "diff_url", "patch_url")
    return {
        **dict.fromkeys(links, "https://github.example/x"),
        "base_commit": commit,
        "merge_base_commit": commit,
        "status": "ahead",
        "ahead_by": 1,
        "behind_by": 0,
        "total_commits": 1,
        "commits": [],
        "files": [],
    }


def _list_statuses(state: State, found: Any, query: dict[str, str], body: Any) -> Answer:
    return _page([one for one in reversed(state.statuses) if found[0] in one["url"]], query)


def _set_status(state: State, found: Any, query: dict[str, str], body: Any) -> Answer:
    one = copy.deepcopy(EXAMPLES[f"post {REPO}/statuses/{{sha}}"])
    one |= {"id": next(state.numbers), "url": f"https://github.example/statuses/{found[0]}"}
    one |= {"target_url": None, **body}
    state.statuses.append(one)
    return Answer(status=201, body=one)


def _list_artifacts(state: State, found: Any, query: dict[str, str], body: Any) -> Answer:
    own = [
        {key: value for key, value in one.items() if key != "run"}
        for one in state.artifacts
        if one["run"] == int(found[0]) and one["name"] == query.get("name", one["name"])
    ]
    page = _page(own, query)
    page.body = {"total_count": len(own), "artifacts": page.body}
    return page


def _download(state: State, found: Any, query: dict[str, str], body: Any) -> Answer:
    return Answer(status=302, headers={"location": f"/_storage/{found[0]}"})


def _get_repository(state: State, found: Any, query: dict[str, str], body: Any) -> Answer:
    # GitHub's own example lacks what its description requires.
    whole = {"language": None, **EXAMPLES[f"get {REPO}"], "full_name": state.repository}
    for key in ("parent", "source", "template_repository"):
        whole[key] = {"language": None, **whole[key]}
    return Answer(status=200, body={**whole, "default_branch": "main"})


def _list_rules(state: State, found: Any, query: dict[str, str], body: Any) -> Answer:
    return _page(state.rules, query)


ROUTES: list[tuple[str, str, Callable[[State, Any, dict[str, str], Any], Answer]]] = [
    ("GET", r"/issues/(\d+)/comments", _list_comments),
    ("POST", r"/issues/(\d+)/comments", _create_comment),
    ("PATCH", r"/issues/comments/(\d+)", _update_comment),
    ("DELETE", r"/issues/comments/(\d+)", _delete_comment),
    ("GET", r"/pulls/(\d+)", _get_pull),
    ("GET", r"/pulls", _list_pulls),
    ("GET", r"/compare/(.+)", _compare),
    ("GET", r"/commits/([^/]+)/statuses", _list_statuses),
    ("POST", r"/statuses/([0-9a-f]{40})", _set_status),
    ("GET", r"/actions/runs/(\d+)/artifacts", _list_artifacts),
    ("GET", r"/actions/artifacts/(\d+)/zip", _download),
    ("GET", r"", _get_repository),
    ("GET", r"/rules/branches/(.+)", _list_rules),
]
