"""Writes `description.json`: GitHub's own OpenAPI description, less what the gate never asks for.

`python tests/action/github_api/prune.py api.github.com.json`, from npm's `@octokit/openapi`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
REPO = "/repos/{owner}/{repo}"
ASKED = {
    REPO: ["get"],
    f"{REPO}/issues/{{issue_number}}/comments": ["get", "post"],
    f"{REPO}/issues/comments/{{comment_id}}": ["patch", "delete"],
    f"{REPO}/pulls": ["get"],
    f"{REPO}/pulls/{{pull_number}}": ["get"],
    f"{REPO}/compare/{{basehead}}": ["get"],
    f"{REPO}/commits/{{ref}}/statuses": ["get"],
    f"{REPO}/statuses/{{sha}}": ["post"],
    f"{REPO}/actions/runs/{{run_id}}/artifacts": ["get"],
    f"{REPO}/actions/artifacts/{{artifact_id}}/{{archive_format}}": ["get"],
    f"{REPO}/rules/branches/{{branch}}": ["get"],
}
DROPPED = {"description", "summary", "externalDocs", "tags", "x-github", "examples", "example"}


def prune(whole: dict[str, Any]) -> dict[str, Any]:
    """Keep the paths that are asked for, and what they refer to."""
    paths = {
        path: {method: _bare(whole["paths"][path][method]) for method in methods}
        for path, methods in ASKED.items()
    }
    kept: dict[str, Any] = {
        "openapi": whole["openapi"],
        "info": {"title": "pruned", "version": whole["info"]["version"]},
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {},
    }
    wanted = list(_references(paths))
    while wanted:
        section, name = wanted.pop().removeprefix("#/components/").split("/", 1)
        parts = kept["components"].setdefault(section, {})
        if name not in parts:
            bare = _bare_response if section == "responses" else _bare
            parts[name] = bare(whole["components"][section][name])
            wanted += _references(parts[name])
    return kept


def collect_examples(whole: dict[str, Any]) -> dict[str, Any]:
    """Give one example of each answer, by path."""
    found = {}
    for path, methods in ASKED.items():
        for method in methods:
            responses = whole["paths"][path][method]["responses"]
            answer = next((responses[code] for code in ("200", "201") if code in responses), None)
            for media in (answer or {}).get("content", {}).values():
                for example in media.get("examples", {}).values():
                    target = example.get("$ref", "").rsplit("/", 1)[-1]
                    value = whole["components"]["examples"][target] if target else example
                    found[f"{method} {path}"] = value["value"]
    return found


def _bare(value: Any, key: str = "") -> Any:
    if isinstance(value, list):
        return [_bare(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    if key == "responses":
        return {code: _bare_response(response) for code, response in value.items()}
    literal = key in ("properties", "schemas")
    return {k: _bare(v, k) for k, v in value.items() if literal or k not in DROPPED}


def _bare_response(response: dict[str, Any]) -> dict[str, Any]:
    """An answer has to have a description, and may have an empty one."""
    return response if "$ref" in response else {**_bare(response), "description": ""}


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, child in value.items():
            if key == "$ref" and isinstance(child, str):
                yield child
            else:
                yield from _references(child)
    elif isinstance(value, list):
        for child in value:
            yield from _references(child)


def main() -> None:
    """Write the description and the examples that the fake starts from."""
    whole = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    for name, document in (("description", prune(whole)), ("examples", collect_examples(whole))):
        text = json.dumps(document, indent=None, separators=(",", ":"), sort_keys=True)
        (HERE / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
