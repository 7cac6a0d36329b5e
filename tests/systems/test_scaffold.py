"""What `init` writes, as far as it can be seen without running it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from brainbench_gate.policy import parse_policy
from brainbench_gate.scaffold import (
    ACTION,
    NOXFILE,
    WORKFLOW,
    Language,
    find_language,
    minimal_corpus,
    packaged_corpus,
    plan_files,
    write_stub,
)
from brainbench_replay.corpus import read_corpus
from brainbench_replay.packaged import packaged_folder
from brainbench_schema.errors import UsageError

ROOT = Path(__file__).parents[2]
TEMPLATE = re.compile(r"<!-- template: two-jobs -->\n```yaml\n(.*?)```", re.DOTALL)


def plan(language: Language, *, corpus: dict[str, bytes] | None = None) -> dict[str, bytes]:
    """Plan the files of a repository whose default branch is main."""
    return plan_files(
        language, corpus=corpus or {}, branch="main", installable=True, has_lock=False
    )


@pytest.mark.parametrize("language", list(Language))
def test_the_workflow_is_the_documented_one(language: Language) -> None:
    """But for the steps that install the language and the repository."""
    written = plan(language)[WORKFLOW].decode()
    steps = r"      - uses: actions/setup-.*?(?=      - uses: org/|      - uses: \w+/brainbench)"
    documented = TEMPLATE.search((ROOT / "docs" / "workflows.md").read_text("utf-8"))
    assert documented
    assert re.sub(steps, "", written, flags=re.DOTALL) == documented[1]


def test_every_page_uses_the_one_owner() -> None:
    """The constant is the only place; a page that says otherwise is named here."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    used = {
        (page.name, name)
        for page in pages
        for name in re.findall(r"uses: (\S+/brainbench-gate@\S+)", page.read_text("utf-8"))
    }
    assert {name for _, name in used} <= {ACTION}, used


@pytest.mark.parametrize("language", list(Language))
def test_the_policy_is_valid_and_names_the_stub(language: Language) -> None:
    """The entry is of the stub's kind."""
    policy = parse_policy(plan(language)["brainbench.yml"])
    kind = policy.systems[policy.system].kind
    assert kind == ("python" if language is Language.PYTHON else "command")


def test_only_python_gets_a_noxfile() -> None:
    """It compiles."""
    assert NOXFILE not in plan(Language.NODE)
    compile(plan(Language.PYTHON)[NOXFILE], NOXFILE, "exec")


def test_stubs_are_short() -> None:
    """Under 60 lines each."""
    assert all(write_stub(language).count(b"\n") < 60 for language in Language)


def test_the_minimal_corpus_is_two_valid_fixtures(tmp_path: Path) -> None:
    """And the policy asks only for what they can show."""
    corpus = minimal_corpus()
    for name, data in corpus.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    assert len(read_corpus(tmp_path / "fixtures", tmp_path / "gold").cases) == 2
    policy = parse_policy(plan(Language.NODE, corpus=corpus)["brainbench.yml"])
    assert policy.suites == ("know-to-ask", "push", "write-back")


def test_the_packaged_corpus_comes_with_its_ledger() -> None:
    """And all four suites."""
    corpus = packaged_corpus(packaged_folder("brainbench"))
    assert "_ledger.json" in corpus
    policy = parse_policy(plan(Language.PYTHON, corpus=corpus)["brainbench.yml"])
    assert len(policy.suites) == 4


@pytest.mark.parametrize("marks", [(), ("package.json", "pyproject.toml")])
def test_a_language_is_not_guessed(marks: tuple[str, ...], tmp_path: Path) -> None:
    """Neither mark, or both."""
    for mark in marks:
        (tmp_path / mark).write_text("")
    with pytest.raises(UsageError, match="pyproject"):
        find_language(tmp_path)
